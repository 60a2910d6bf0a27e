import fc from 'fast-check';
import type { Decision } from '#domain/access/core/decision.js';
import { evaluate } from '#domain/access/core/policy.js';
import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { UnitCommand } from '#domain/units/core/unit.commands.js';
import { decide } from '#domain/units/core/unit.decide.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import { evolve, type UnitState } from '#domain/units/core/unit.state.js';
import { at, calendar, POLICY, RecordedLog } from './recorded.js';

export const START = at('2025-03-01T12:00:00.000Z');
export const HOUR = 3_600_000;
const UNITS = ['a', 'b', 'c'];

/** What is done to a unit, or to the location, and how long the clock then stands before it. */
export interface Move {
  readonly unit: string;
  readonly make: (now: number) => UnitCommand | Partial<LocationPolicy>;
  readonly pause: number;
}

function dayAround(now: number, days: number): CalendarDate {
  return new Date(now + days * 24 * HOUR).toISOString().slice(0, 10);
}

function registration(unit: string) {
  return {
    company_id: 'company',
    crm_unit_id: unit,
    unit_id: unit,
    unit_name: undefined,
    location: { kind: 'known' as const, location_id: 'location', given: false },
    present_location_code: undefined,
    on_other_location: 'refuse' as const,
  };
}

const flag = fc.boolean();
const tenant = fc.constantFrom('ada', 'bob');
const days = fc.integer({ min: -8, max: 4 });

function moveIn(unit: string, tenant_id: string, daysFromNow: number): Move['make'] {
  return (now) => ({
    type: 'MoveTenantIn',
    source: 'push',
    registration: registration(unit),
    arrival: {
      tenant_id,
      location_id: 'location',
      pms_tenant_id: `pms ${tenant_id}`,
      move_in_date: dayAround(now, daysFromNow),
      ledger_id: undefined,
      tenancy_id: `${tenant_id} since ${now}`,
    },
  });
}

function commandsOf(unit: string): fc.Arbitrary<Move['make']> {
  const source = 'push' as const;
  const moveIns = fc.record({ tenant, days }).map((given) => moveIn(unit, given.tenant, given.days));
  const change = fc
    .record(
      {
        balance_due: fc.constantFrom(0, 40, 5_000),
        days: fc.option(days),
        pms_lockout: flag,
        pms_lock_exempt: flag,
        pms_auction: flag,
      },
      { requiredKeys: [] },
    )
    .map(({ days: paid, ...rest }) => (now: number): UnitCommand => {
      const paid_through_date = paid === null || paid === undefined ? null : dayAround(now, paid);
      return { type: 'ChangeFacts', source, facts: { ...rest, paid_through_date } };
    });
  const override = fc
    .record({
      override: fc.constantFrom('lockout' as const, 'exempt' as const),
      hours: fc.option(fc.integer({ min: 1, max: 100 })),
    })
    .map(({ override: word, hours }) => (now: number): UnitCommand => {
      const expires_at = hours === null ? null : now + hours * HOUR;
      return { type: 'OverrideAccess', override: { override: word, reason: 'why', expires_at } };
    });
  const others = fc
    .constantFrom<UnitCommand[]>(
      { type: 'MoveTenantOut', source },
      { type: 'ClearOverride' },
      { type: 'RenameUnit', unit_name: 'another' },
      { type: 'EndShare', tenant_id: 'bob' },
    )
    .map((command) => () => command);
  const shares = fc.constantFrom(null, 1, 3, 30).map((hours) => (now: number): UnitCommand => {
    const until = hours === null ? null : now + hours * HOUR;
    return { type: 'ShareUnit', tenant_id: 'bob', until };
  });
  const policy = fc
    .record(
      {
        grace_period_days: fc.constantFrom(0, 5),
        blanket_delinquency: flag,
        balance_threshold: fc.constantFrom(0, 50),
      },
      { requiredKeys: [] },
    )
    .map((change_) => () => change_);
  return fc.oneof(
    { weight: 4, arbitrary: moveIns },
    { weight: 6, arbitrary: change },
    { weight: 2, arbitrary: override },
    { weight: 3, arbitrary: others },
    { weight: 2, arbitrary: shares },
    { weight: 1, arbitrary: policy },
  );
}

const move: fc.Arbitrary<Move> = fc.constantFrom(...UNITS).chain((unit) =>
  fc.record({
    unit: fc.constant(unit),
    make: commandsOf(unit),
    pause: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 * 24 * HOUR })),
  }),
);

/** A story of units and their tenants. */
export const moves: fc.Arbitrary<Move[]> = fc.array(move, { minLength: 1, maxLength: 40 });

/** One in which a tenant rents all units from the beginning on, so that what happens to one bears on the others. */
export const movesOfOneTenant: fc.Arbitrary<Move[]> = fc
  .array(move, { minLength: 20, maxLength: 60, size: 'max' })
  .map((then) => [...UNITS.map((unit) => ({ unit, make: moveIn(unit, 'ada', -8), pause: 0 })), ...then]);

/** The service as it lives: units as they are now, and each decision as it was given at the time. */
class LiveWorld {
  readonly log = new RecordedLog();
  readonly seen: {
    readonly unit: string;
    readonly instant: number;
    readonly decision: Decision | undefined;
  }[] = [];
  now = START;
  readonly #units = new Map<string, UnitState>();
  #policy = POLICY;

  apply({ unit, make, pause }: Move): void {
    const made = make(this.now);
    if ('type' in made) this.#command(unit, made);
    else {
      this.#policy = { ...this.#policy, ...made };
      this.log.changePolicy(this.now, this.#policy);
    }
    if (pause === 0) return;
    for (const share of [0, 0.5, 1]) this.#look(this.now + Math.floor((pause - 1) * share));
    this.now += pause;
  }

  decisionOf(unit: string, now: number) {
    const state = this.#units.get(unit);
    if (state === undefined) return undefined;
    const siblings = [...this.#units.values()].filter(
      ({ tenancy }) => tenancy !== null && tenancy.tenant_id === state.tenancy?.tenant_id,
    );
    return evaluate({ unit: state, siblings, policy: this.#policy, now }, calendar);
  }

  get units(): string[] {
    return [...this.#units.keys()];
  }

  #command(unit: string, command: UnitCommand): void {
    const decided = decide(this.#units.get(unit), command, this.now);
    if ('rejected' in decided || decided.events.length === 0) return;
    for (const event of decided.events) {
      const before = this.#units.get(unit);
      this.#units.set(unit, evolve(before, event, (before?.revision ?? -1) + 1));
    }
    this.log.write(unit, this.now, ...decided.events);
  }

  #look(instant: number): void {
    for (const unit of UNITS) this.seen.push({ unit, instant, decision: this.decisionOf(unit, instant) });
  }
}

export function live(given: readonly Move[]): LiveWorld {
  const world = new LiveWorld();
  for (const move of given) world.apply(move);
  return world;
}
