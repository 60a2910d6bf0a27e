import { Inject, Injectable } from '@nestjs/common';
import { Breath, type Deadline } from '../../config/breath.js';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { AccessReason } from '../core/decision.js';
import { rented, type TenantUnit } from '../core/tenant-units.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';
import { tenantDocuments } from '../tenant-access/tenant-documents.js';

/** Counts units that are denied, of whose tenants alone it reads. Throws StoreUnavailableError. */
@Injectable()
export class Denials {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly decisions: TenantAccessViews,
  ) {}

  /**
   * How many units of a company's locations are denied at this instant, by reason; the commonest first.
   * @param deadline of who asks: nothing goes on behind it
   * @throws GivenUpError
   */
  async byReason(
    company_id: string,
    location_ids: readonly string[],
    deadline?: Deadline,
  ): Promise<ReadonlyMap<AccessReason, number>> {
    await this.decisions.sweep([company_id]);
    const breath = new Breath(deadline);
    const counts = new Map<AccessReason, number>();
    for (const location_id of location_ids) {
      await breath.after(1);
      const denied = tenantDocuments(this.views, 'by_location_and_state', {
        equals: [location_id, 'tenant_denied'],
      });
      for await (const { units } of denied) {
        countInto(counts, units);
        await breath.after(units.length);
      }
    }
    return new Map([...counts].sort(([, one], [, other]) => other - one));
  }
}

function countInto(counts: Map<AccessReason, number>, units: readonly TenantUnit[]): void {
  for (const { decision } of rented(units)) {
    if (decision.state === 'tenant_denied')
      counts.set(decision.reason!, (counts.get(decision.reason!) ?? 0) + 1);
  }
}
