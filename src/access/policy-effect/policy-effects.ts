import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../../companies/index.js';
import { Yielder, type Deadline } from '../../config/yielder.js';
import { CALENDAR, VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import { fromCents } from '../../http/validation/rules.js';
import type { LocationPolicy } from '../../locations/index.js';
import { UnitDirectory } from '../../units/index.js';
import type { Calendar } from '../core/decision.js';
import { isOpen } from '../core/policy.js';
import { type AccessFlip, flippedBy } from '../core/policy-effect.js';
import { rented } from '../core/tenant-units.js';
import { SCAN_PAGE_SIZE, tenantDocuments } from '../tenant-access/tenant-documents.js';

/** An effect counts all units, and names at most these. */
const MOST_NAMED = 500;

interface LocationWithPolicy {
  readonly _id: string;
  readonly company_id: string;
  readonly policy: LocationPolicy;
}

type TenantFlip = AccessFlip & { readonly tenant_id: string };

export type PolicyEffect = Awaited<ReturnType<PolicyEffects['of']>>;

/** Previews what another policy would do now to the units of a location (decisions §6). Writes nothing. */
@Injectable()
export class PolicyEffects {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly units: UnitDirectory,
  ) {}

  /**
   * Counts the units that would be locked or opened, and names those with the highest balances.
   * @param deadline the caller's; the work stops there
   * @throws GivenUpError, StoreUnavailableError
   */
  async of(location: LocationWithPolicy, after: LocationPolicy, deadline?: Deadline) {
    const isSame = isDeepStrictEqual({ ...location.policy }, { ...after });
    const flips = isSame ? [] : await this.#flips(location, after, deadline);
    const opened = flips.filter(({ to }) => isOpen(to)).length;
    const named = flips.sort((one, other) => balanceOf(other) - balanceOf(one)).slice(0, MOST_NAMED);
    return {
      locked: flips.length - opened,
      opened,
      tenants: new Set(flips.map(({ tenant_id }) => tenant_id)).size,
      changes: await this.#present(named),
    };
  }

  async #flips(
    location: LocationWithPolicy,
    after: LocationPolicy,
    deadline?: Deadline,
  ): Promise<TenantFlip[]> {
    const { _id, company_id, policy: before } = location;
    const now = await this.clocks.now(company_id);
    const yielder = new Yielder(deadline);
    const flips: TenantFlip[] = [];
    const all = tenantDocuments(this.views, 'by_location', { equals: [_id] }, SCAN_PAGE_SIZE);
    for await (const { tenant_id, units } of all) {
      const found = flippedBy(rented(units), { before, after }, now, this.calendar);
      flips.push(...found.map((flip) => ({ ...flip, tenant_id })));
      await yielder.after(units.length);
    }
    return flips;
  }

  async #present(flips: readonly TenantFlip[]) {
    const found = await this.units.byStreams(flips.map(({ unit }) => unit.stream));
    return flips.map((flip, index) => {
      const { unit_id, subject } = flip.unit;
      return {
        unit_id,
        crm_unit_id: subject.crm_unit_id,
        unit_name: found[index]?.unit_name ?? subject.crm_unit_id,
        tenant_id: flip.tenant_id,
        balance_due: fromCents(balanceOf(flip)),
        from: flip.from,
        to: flip.to,
      };
    });
  }
}

function balanceOf({ unit }: AccessFlip): number {
  return unit.subject.facts.balance_due;
}
