import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import { accessStream } from '#domain/access/index.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { ANNOUNCED_VIEW } from './announced.documents.js';

interface UnitIds {
  readonly company_id: string;
  readonly unit_id: string;
}

/** Reads when the access of units began, as it was announced. */
@Injectable()
export class AnnouncedChanges {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /**
   * Milliseconds, in the order of `units`. Null: not known, because nothing but a baseline was announced.
   * @throws StoreUnavailableError
   */
  async findBeginnings(units: readonly UnitIds[]): Promise<(number | null)[]> {
    if (units.length === 0) return [];
    const announced = await this.views.collection(ANNOUNCED_VIEW);
    const found = await announced.getMany(
      units.map(({ company_id, unit_id }) => accessStream(company_id, unit_id)),
    );
    return found.map((document) => document?.effective_at ?? null);
  }
}
