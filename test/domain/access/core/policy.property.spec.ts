import fc from 'fast-check';
import type { Decision } from '#domain/access/core/decision.js';
import { evaluate, explain } from '#domain/access/core/policy.js';
import type { DecisionInput, SubjectUnit } from '#domain/access/core/subject.js';
import type { AccessOverride } from '#domain/units/core/override-catalogue.js';
import type { SourceType } from '#domain/units/core/unit.facts.js';
import type { UnitFacts } from '#domain/units/core/fact-catalogue.js';
import { VACANT_FACTS } from '#domain/units/core/fact-catalogue.js';
import { idleState } from '#domain/units/core/unit.state.js';
import { naiveAddDays, naiveCures, naiveDecision, permitsAfter } from '../support/naive-policy.js';
import type { NaiveDecision } from '../support/naive-policy.js';
import { calendar } from '../support/subjects.js';
import { runs, upTo } from '../../../support/campaign.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Between two looks at what must not change: what begins and ends in between goes unseen. */
const LOOK = upTo(6 * HOUR, HOUR);

/** Zones with a day of theirs that is unlike others: 23, 25, 23.5 hours, no midnight, no such day at all. */
const PLACES = [
  { timezone: 'America/Chicago', day: '2025-03-09' },
  { timezone: 'America/Chicago', day: '2025-11-02' },
  { timezone: 'America/Santiago', day: '2025-09-07' },
  { timezone: 'Asia/Beirut', day: '2025-03-30' },
  { timezone: 'Africa/Cairo', day: '2025-04-25' },
  { timezone: 'Australia/Lord_Howe', day: '2025-10-05' },
  { timezone: 'Pacific/Apia', day: '2011-12-30' },
  { timezone: 'Pacific/Kiritimati', day: '2025-06-06' },
  { timezone: 'UTC', day: '2024-02-29' },
];

const flag = (weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

const dateAround = (day: string, from: number, to: number) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 5, arbitrary: fc.integer({ min: from, max: to }).map((days) => naiveAddDays(day, days)) },
  );

function factsAround(day: string, flagWeight: number): fc.Arbitrary<UnitFacts> {
  return fc
    .record({
      occupied: flag(6).map((vacant) => !vacant),
      move_in_date: dateAround(day, -4, 4),
      balance_due: fc.constantFrom(-100, 0, 39, 40, 41, 5_000),
      paid_through_date: dateAround(day, -6, 3),
      pms_lockout: flag(flagWeight),
      pms_lock_exempt: flag(flagWeight),
      pms_auction: flag(flagWeight + 3),
      pms_unrentable: flag(flagWeight + 3),
    })
    .map((facts) => ({ ...VACANT_FACTS, ...facts }));
}

function overrideAround(instant: number): fc.Arbitrary<AccessOverride | null> {
  const expires_at = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -2 * DAY, max: 4 * DAY }).map((after) => instant + after),
  );
  const override = fc.record({
    override: fc.constantFrom<AccessOverride['override'][]>('lockout', 'exempt'),
    reason: fc.constant('on the phone'),
    expires_at,
  });
  return fc.option(override, { freq: 1 });
}

function unitAround(day: string, unit_id: string): fc.Arbitrary<SubjectUnit> {
  const instant = Date.parse(`${day}T00:00:00Z`);
  return fc.record({
    unit_id: fc.constant(unit_id),
    crm_unit_id: fc.constant(unit_id),
    source_type: fc.constantFrom<SourceType[]>('push', 'standalone'),
    facts: factsAround(day, 2),
    override: overrideAround(instant),
    set_at: fc.constant({ balance_due: 3 }),
  });
}

const inputs: fc.Arbitrary<DecisionInput> = fc.constantFrom(...PLACES).chain(({ timezone, day }) =>
  fc.record({
    unit: unitAround(day, 'unit-a'),
    siblings: fc
      .tuple(unitAround(day, 'unit-b'), unitAround(day, 'unit-c'))
      .chain((units) => fc.subarray(units)),
    policy: fc.record({
      grace_period_days: fc.integer({ min: 0, max: 3 }),
      balance_threshold: fc.constantFrom(0, 40),
      blanket_delinquency: flag(3).map((off) => !off),
      delinquency_mode: flag(5).map((manual) =>
        manual ? ('pms_flag_only' as const) : ('automatic' as const),
      ),
      timezone: fc.constant(timezone),
    }),
    now: fc.integer({ min: -3 * DAY, max: 3 * DAY }).map((after) => Date.parse(`${day}T00:00:00Z`) + after),
  }),
);

const naiveForm = ({ state, reason, also }: Decision): NaiveDecision => ({ state, reason, also });

/** All that may change by itself: a decision, and how much there is to cure. */
const naiveWhole = (input: DecisionInput) => ({ ...naiveDecision(input), cures: naiveCures(input) });

describe('evaluate', () => {
  it('says what the naive formulation says', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        expect(naiveForm(evaluate(input, calendar))).toEqual(naiveDecision(input));
      }),
      runs(400),
    );
  });

  it('resolves with the cures of every cause: all of them permit, with any one missing access is denied', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { resolution } = evaluate(input, calendar);
        expect(resolution?.length ?? null).toBe(naiveCures(input));
        if (resolution === null) return;
        expect(permitsAfter(input, resolution)).toBe(true);
        for (const missing of resolution) {
          expect(
            permitsAfter(
              input,
              resolution.filter((cure) => cure !== missing),
            ),
          ).toBe(false);
        }
      }),
      runs(400),
    );
  });

  it('stays the same until valid_until, and differs then', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { valid_until } = evaluate(input, calendar);
        const at = (now: number) => naiveWhole({ ...input, now });
        const standing = at(input.now);
        // Whatever is going to happen by itself happens within eleven days of the instants generated.
        const end = valid_until ?? input.now + 11 * DAY;
        for (let now = input.now; now < end; now += LOOK) expect(at(now)).toEqual(standing);
        expect(at(end - 1)).toEqual(standing);
        if (valid_until !== null) {
          expect(valid_until).toBeGreaterThan(input.now);
          expect(at(valid_until)).not.toEqual(standing);
        }
      }),
      runs(100),
    );
  });

  it('turns at every boundary on a walk from one valid_until to the next, until nothing more happens', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        let now = input.now;
        let turns = 0;
        for (let next = evaluate(input, calendar).valid_until; next !== null; turns++) {
          expect(next).toBeGreaterThan(now);
          now = next;
          const there = evaluate({ ...input, now }, calendar);
          expect(naiveForm(there)).toEqual(naiveDecision({ ...input, now }));
          next = there.valid_until;
        }
        expect(turns).toBeLessThanOrEqual(5);
      }),
      runs(400),
    );
  });

  it('says of a unit that nobody rents what its facts alone say, for as long as nothing is written', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const facts = { ...input.unit.facts, occupied: false };
        const { state, valid_until } = evaluate({ ...input, unit: { ...input.unit, facts } }, calendar);
        expect([state, valid_until]).toEqual([idleState(facts), null]);
      }),
      runs(250),
    );
  });

  it('does not mind finding the unit among its siblings', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const siblings = [...input.siblings, input.unit];
        expect(explain({ ...input, siblings }, calendar)).toEqual(explain(input, calendar));
      }),
      runs(250),
    );
  });
});

describe('explain', () => {
  it('decides as evaluate does, by the first of its checks that matched', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { checks, ...decision } = explain(input, calendar);
        expect(decision).toEqual(evaluate(input, calendar));
        const first = checks.find((check) => check.matched);
        expect([first?.state, first?.reason]).toEqual([decision.state, decision.reason]);
      }),
      runs(400),
    );
  });

  it('looks at the facts that it decides by: with those alone the naive formulation agrees', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const seen = explain(input, calendar).checks.flatMap((check) => check.looked_at);
        const own = seen.filter(({ unit_id, name }) => unit_id === undefined && name in input.unit.facts);
        const facts = { ...VACANT_FACTS, ...Object.fromEntries(own.map(({ name, value }) => [name, value])) };
        const guilty = new Set(seen.map(({ unit_id }) => unit_id));
        const siblings = input.siblings.filter(({ unit_id }) => guilty.has(unit_id));
        expect(naiveDecision({ ...input, siblings, unit: { ...input.unit, facts } })).toEqual(
          naiveDecision(input),
        );
      }),
      runs(400),
    );
  });
});
