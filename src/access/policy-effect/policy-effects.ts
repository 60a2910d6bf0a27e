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
import { type AccessFlip, flippedBy, isOpen } from '../core/policy-effect.js';
import { rented } from '../core/tenant-units.js';
import { tenantDocuments } from '../tenant-access/tenant-documents.js';

/** Units that an effect names; it counts all. */
const NAMED = 500;

interface PlacedPolicy {
  readonly _id: string;
  readonly company_id: string;
  readonly policy: LocationPolicy;
}

type TenantFlip = AccessFlip & { readonly tenant_id: string };

export type PolicyEffect = Awaited<ReturnType<PolicyEffects['of']>>;

/** Tells the effect of another policy on the units of a location now (decisions §6). Writes nothing. */
@Injectable()
export class PolicyEffects {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly units: UnitDirectory,
  ) {}

  /**
   * Counts the units that become locked or open, and names those whose tenants owe the most.
   * @param deadline of who asks: nothing goes on behind it
   * @throws GivenUpError, StoreUnavailableError
   */
  async of(location: PlacedPolicy, after: LocationPolicy, deadline?: Deadline) {
    const isSame = isDeepStrictEqual({ ...location.policy }, { ...after });
    const flips = isSame ? [] : await this.#flips(location, after, deadline);
    const opened = flips.filter(({ to }) => isOpen(to)).length;
    const named = flips.sort((one, other) => balanceOf(other) - balanceOf(one)).slice(0, NAMED);
    return {
      locked: flips.length - opened,
      opened,
      tenants: new Set(flips.map(({ tenant_id }) => tenant_id)).size,
      changes: await this.#present(named),
    };
  }

  async #flips(location: PlacedPolicy, after: LocationPolicy, deadline?: Deadline): Promise<TenantFlip[]> {
    const { _id, company_id, policy: before } = location;
    const now = await this.clocks.now(company_id);
    const yielder = new Yielder(deadline);
    const flips: TenantFlip[] = [];
    for await (const { tenant_id, units } of tenantDocuments(this.views, 'by_location', { equals: [_id] })) {
      const found = flippedBy(rented(units), { before, after }, now, this.calendar);
      flips.push(...found.map((flip) => ({ ...flip, tenant_id })));
      await yielder.after(units.length);
    }
    return flips;
  }

  async #present(flips: readonly TenantFlip[]) {
    const found = await this.units.byStreams(flips.map(({ unit }) => unit.stream));
    return flips.map((flip, place) => {
      const { unit_id, subject } = flip.unit;
      return {
        unit_id,
        crm_unit_id: subject.crm_unit_id,
        unit_name: found[place]?.unit_name ?? subject.crm_unit_id,
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
