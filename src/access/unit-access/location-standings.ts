import { Inject, Injectable } from '@nestjs/common';
import { Breath, type Deadline } from '../../config/breath.js';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { LocationDocument } from '../../locations/index.js';
import { type KeptDecision, rented } from '../core/tenant-units.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';
import { tenantDocuments } from '../tenant-access/tenant-documents.js';

/** Reads the decisions of all rented units of a location, as they are kept: far cheaper than deciding each again. */
@Injectable()
export class LocationStandings {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly decisions: TenantAccessViews,
  ) {}

  /**
   * By unit id, as of this instant.
   * @param deadline of who asks: nothing goes on behind it
   * @throws StoreUnavailableError, GivenUpError
   */
  async of(
    { _id, company_id }: Pick<LocationDocument, '_id' | 'company_id'>,
    deadline?: Deadline,
  ): Promise<ReadonlyMap<string, KeptDecision>> {
    await this.decisions.sweep([company_id]);
    const breath = new Breath(deadline);
    const standings = new Map<string, KeptDecision>();
    for await (const { units } of tenantDocuments(this.views, 'by_location', { equals: [_id] })) {
      for (const { unit_id, decision } of rented(units)) standings.set(unit_id, decision);
      await breath.after(units.length);
    }
    return standings;
  }
}
