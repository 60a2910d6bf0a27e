import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { ACTIVITY_HEADS } from './activity.projector.js';

/** Finds the locks and entry points that were in use lately. */
@Injectable()
export class ReportedStreams {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /**
   * The streams of a location's locks and entry points with a report after an instant (milliseconds).
   * @throws StoreUnavailableError
   */
  async findStreams(location_id: string, after: number): Promise<string[]> {
    const heads = await this.views.collection(ACTIVITY_HEADS);
    const found = await wholeList(heads, 'by_location', { equals: [location_id], from: after + 1 });
    return found.map(({ _id }) => _id);
  }
}
