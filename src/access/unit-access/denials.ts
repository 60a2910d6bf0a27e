import { Inject, Injectable } from '@nestjs/common';
import { Yielder, type Deadline } from '../../config/yielder.js';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { AccessReason } from '../core/decision.js';
import { type RentedUnit, rented } from '../core/tenant-units.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';
import { tenantDocuments } from '../tenant-access/tenant-documents.js';

export interface DeniedUnit {
  readonly tenant_id: string;
  readonly location_id: string;
  readonly unit: RentedUnit;
}

export interface Denied {
  /** The number of units by reason, the most frequent reason first. */
  readonly byReason: ReadonlyMap<AccessReason, number>;
  readonly tenants: number;
  readonly units: number;
  /** Cents. */
  readonly owed: number;
  /** The units with the highest balances, at most `most`. */
  readonly first: readonly DeniedUnit[];
}

/** Reads denied units by an index, so that no other tenants are read. Throws StoreUnavailableError. */
@Injectable()
export class Denials {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly decisions: TenantAccessViews,
  ) {}

  /**
   * Summarises the denied units at locations of one company, at this instant.
   * @param most how many units the answer names
   * @param deadline the caller's; the work stops there
   * @throws GivenUpError
   */
  async of(
    company_id: string,
    location_ids: readonly string[],
    most: number,
    deadline?: Deadline,
  ): Promise<Denied> {
    await this.decisions.sweep([company_id]);
    const yielder = new Yielder(deadline);
    const denied: DeniedUnit[] = [];
    for (const location_id of location_ids) {
      await yielder.after(1);
      const documents = tenantDocuments(this.views, 'by_location_and_state', {
        equals: [location_id, 'tenant_denied'],
      });
      for await (const { tenant_id, units } of documents) {
        const own = rented(units).filter(({ decision }) => decision.state === 'tenant_denied');
        denied.push(...own.map((unit) => ({ tenant_id, location_id, unit })));
        await yielder.after(units.length);
      }
    }
    return summary(denied, most);
  }
}

function summary(denied: readonly DeniedUnit[], most: number): Denied {
  const counts = new Map<AccessReason, number>();
  for (const { unit } of denied) {
    const reason = unit.decision.reason!;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return {
    byReason: new Map([...counts].sort(([, one], [, other]) => other - one)),
    tenants: new Set(denied.map(({ tenant_id }) => tenant_id)).size,
    units: denied.length,
    owed: denied.reduce((sum, one) => sum + balanceOf(one), 0),
    first: [...denied].sort((one, other) => balanceOf(other) - balanceOf(one)).slice(0, most),
  };
}

function balanceOf({ unit }: DeniedUnit): number {
  return unit.subject.facts.balance_due;
}
