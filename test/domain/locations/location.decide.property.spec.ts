import fc from 'fast-check';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import type { LocationCommand, SetupOutcome } from '#domain/locations/core/location.commands.js';
import { decideLocation } from '#domain/locations/core/location.decide.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { evolveLocationList, type LocationState } from '#domain/locations/core/location.state.js';
import { foldLocation } from './location-samples.js';
import { runs } from '../../support/campaign.js';
import { OFFICE_HOURS } from './hours/support/office-hours.js';

const oneOf = (...values: string[]) => fc.constantFrom(...values);
const name = oneOf('Ada', 'Ben');
const zone_id = oneOf('zone-1', 'zone-2', 'zone-3');
const lock_id = oneOf('lock-1', 'lock-2');
const entry_point_id = oneOf('gate-1', 'gate-2');
const unit_id = oneOf('unit-main-1', 'unit-main-2', 'unit-side-1');
const unit = unit_id.map((id) => ({
  unit_id: id,
  location_id: id.startsWith('unit-main') ? 'main' : 'side',
}));
const zone_ids = fc.array(zone_id, { maxLength: 4 });
const policy = fc.record(
  { grace_period_days: fc.nat(3), balance_threshold: fc.nat(2), blanket_delinquency: fc.boolean() },
  { requiredKeys: [] },
);
const hours = fc.constantFrom('location' as const, 'always' as const);
const key_format = fc.constantFrom(1 as const, 3 as const);
const optional = { requiredKeys: [] };

const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });

/** A generator for each command: a new one does not compile until it is here. */
const COMMANDS: {
  readonly [Type in LocationCommand['type']]: fc.Arbitrary<
    Omit<Extract<LocationCommand, { type: Type }>, 'type'>
  >;
} = {
  OpenLocation: fc.record({
    location_id: fc.constant('main'),
    company_id: fc.constant('company'),
    pms_location_code: fc.constant('MAIN'),
    name,
    policy: policy.map((fields) => ({ ...DEFAULT_POLICY, ...fields })),
  }),
  ChangeLocation: fc.record(
    {
      name,
      policy,
      access_hours: fc.constantFrom(null, OFFICE_HOURS),
      contact: fc.record(
        {
          phone: fc.constantFrom(null, '+13125550100'),
          email: fc.constantFrom(null, 'office@example.com'),
          payment_url: fc.constantFrom(null, 'https://pay.example.com'),
        },
        optional,
      ),
      currency: oneOf('USD', 'EUR'),
      tenant_sharing: fc.boolean(),
      notices: fc.record({ closed: fc.boolean(), closes_in_days: fc.constantFrom(null, 1, 14) }, optional),
    },
    optional,
  ),
  AddZone: fc.record({ zone_id, name }),
  RenameZone: fc.record({ zone_id, name }),
  RemoveZone: fc.record({ zone_id }),
  ZoneUnit: fc.record({ zone_id, unit }),
  UnzoneUnit: fc.record({ zone_id, unit_id }),
  AddEntryPoint: fc.record({
    entry_point_id,
    name,
    kind: fc.constant('gate' as const),
    zone_ids,
    hours,
    key_format,
  }),
  ChangeEntryPoint: fc
    .tuple(
      entry_point_id,
      fc.record({ name, zone_ids, in_service: fc.boolean(), hours, key_format }, optional),
    )
    .map(([id, wanted]) => ({ entry_point_id: id, ...wanted })),
  ZoneEntryPoint: fc.record({ zone_id, entry_point_id }),
  UnzoneEntryPoint: fc.record({ zone_id, entry_point_id }),
  RemoveEntryPoint: fc.record({ entry_point_id }),
  AddLock: fc.record({ lock_id, name, serial: fc.constantFrom(null, 'S-1'), key_format }),
  ChangeLock: fc
    .tuple(lock_id, fc.record({ name, key_format }, optional))
    .map(([id, wanted]) => ({ lock_id: id, ...wanted })),
  RemoveLock: fc.record({ lock_id }),
  AttachLock: fc.record({ lock_id, unit }),
  DetachLock: fc.record({ lock_id, unit_id }),
  ReplaceLock: fc.record({
    lock_id,
    unit,
    by: fc.oneof(
      fc.record({ kind: fc.constant('known' as const), lock_id }),
      fc.record({ kind: fc.constant('new' as const), lock_id, name: maybe(name), serial: fc.constant(null) }),
    ),
  }),
  SetUpUnits: fc.record({
    rows: fc
      .array(fc.record({ unit, zone: maybe(name), lock: maybe(name), serial: maybe(oneOf('S-1', 'S-2')) }))
      .map((rows) =>
        rows.map(({ zone, lock, serial, ...row }, place) => ({
          ...row,
          zone: zone === undefined ? undefined : { name: zone, new_id: `new-zone-${place}` },
          lock: lock || serial ? { name: lock, serial, new_id: `new-lock-${place}` } : undefined,
        })),
      ),
  }),
  ProvisionLock: fc.record({ lock_id }),
  ProvisionEntryPoint: fc.record({ entry_point_id }),
};

const command = fc.oneof(
  ...Object.entries(COMMANDS).map(([type, fields]) =>
    (fields as fc.Arbitrary<object>).map((values) => ({ type, ...values }) as LocationCommand),
  ),
);
// Half of each run builds, so that the other half finds something to work on.
const commands = fc
  .tuple(fc.array(command, { maxLength: 25 }), fc.array(command, { maxLength: 25 }))
  .map(([first, then]): LocationCommand[] => [
    {
      type: 'OpenLocation',
      location_id: 'main',
      company_id: 'company',
      pms_location_code: 'MAIN',
      name: 'Ada',
      policy: DEFAULT_POLICY,
    },
    ...first.filter(({ type }) => type.startsWith('Add')),
    ...then,
  ]);

/** Plays commands and answers the state and the events they left. */
function play(played: readonly LocationCommand[]): {
  state: LocationState | undefined;
  events: LocationEvent[];
} {
  let state: LocationState | undefined;
  const events: LocationEvent[] = [];
  for (const one of played) {
    const decided = decideLocation(state, one, 0);
    if ('rejected' in decided) continue;
    state = foldLocation(decided.events, state);
    if (decided.state !== undefined) expect(decided.state).toEqual(state);
    events.push(...decided.events);
  }
  return { state, events };
}

const provisions = ({ type }: LocationCommand) => type.startsWith('Provision');

describe('every command on a location', () => {
  it('repeated on its own outcome changes nothing and answers the same', () => {
    fc.assert(
      fc.property(commands, command, (played, repeated) => {
        const { state } = play(played);
        const first = decideLocation(state, repeated, 0);
        // What hands out a secret is told each time.
        if ('rejected' in first || provisions(repeated)) return;
        const second = decideLocation(foldLocation(first.events, state), repeated, 0);
        if (repeated.type === 'SetUpUnits') {
          const outcomes = first.result as readonly SetupOutcome[];
          // A row that was refused may find its lock or its zone the second time.
          if (outcomes.some((one) => 'fault' in one)) return;
          const done = outcomes.map((one) => ({ ...one, changes: [], warnings: undefined }));
          expect(second).toEqual({ events: [], result: done });
          return;
        }
        expect(second).toMatchObject({ events: [], result: withoutPast(first.result) });
      }),
      runs(250),
    );
  });

  it('lets nothing in that is not of the location: units of another, zones that were never added', () => {
    fc.assert(
      fc.property(commands, (played) => {
        const { state } = play(played);
        for (const one of state!.locks.values()) expect(one.unit_id ?? 'unit-main').toMatch('unit-main');
        for (const one of state!.units.values()) {
          expect(one.unit_id).toMatch('unit-main');
          expect(new Set(one.zone_ids).size).toBe(one.zone_ids.length);
          for (const id of one.zone_ids) expect(state!.zones.get(id)).toBeDefined();
        }
        for (const one of state!.entry_points.values()) {
          for (const id of one.zone_ids) expect(state!.zones.get(id)).toBeDefined();
        }
      }),
      runs(100),
    );
  });

  it('leaves events that fold to the state it was decided on, one by one and as a list', () => {
    fc.assert(
      fc.property(commands, fc.double({ min: 0, max: 1, noNaN: true }), (played, share) => {
        const { state, events } = play(played);
        expect(foldLocation(events)).toEqual(state);
        const first = events.slice(0, Math.floor(events.length * share));
        const before = foldLocation(first);
        expect(foldLocation(events.slice(first.length), before, evolveLocationList())).toEqual(state);
        expect(before).toEqual(foldLocation(first));
        expect(JSON.parse(JSON.stringify(events))).toEqual(events);
      }),
    );
  });
});

function withoutPast(result: object): object {
  const past = ['set_at', 'hours_set_at', 'notices_since', 'placements', 'zone_stays'];
  return Object.fromEntries(
    Object.entries(result).filter(([field]) => !field.endsWith('revision') && !past.includes(field)),
  );
}
