import { Inject, Injectable } from '@nestjs/common';
import { Breath, type Deadline } from '../../config/breath.js';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore, Page } from '../../documents/document-store.js';
import type { AccessReason } from '../core/decision.js';
import { rented, type TenantUnit } from '../core/tenant-units.js';
import { TENANT_ACCESS, type TenantAccessDocument } from '../tenant-access/tenant-access.documents.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';

/** Documents that are read at once. */
const ROUND = 200;

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
      for await (const { units } of this.#deniedOf(location_id)) {
        countInto(counts, units);
        await breath.after(units.length);
      }
    }
    return new Map([...counts].sort(([, one], [, other]) => other - one));
  }

  async *#deniedOf(location_id: string): AsyncGenerator<TenantAccessDocument, void> {
    const documents = await this.views.collection(TENANT_ACCESS);
    // A document that is decided again meanwhile may come a second time.
    const seen = new Set<string>();
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page<TenantAccessDocument> = await documents.find('by_location_and_state', {
        equals: [location_id, 'tenant_denied'],
        limit: ROUND,
        cursor,
      });
      yield* page.documents.filter(({ _id }) => !seen.has(_id));
      for (const { _id } of page.documents) seen.add(_id);
      cursor = page.next_cursor;
    }
  }
}

function countInto(counts: Map<AccessReason, number>, units: readonly TenantUnit[]): void {
  for (const { decision } of rented(units)) {
    if (decision.state === 'tenant_denied')
      counts.set(decision.reason!, (counts.get(decision.reason!) ?? 0) + 1);
  }
}
