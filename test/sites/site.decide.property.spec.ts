import fc from 'fast-check';
import { DEFAULT_POLICY } from '../../src/sites/core/location-policy.js';
import type { SiteCommand } from '../../src/sites/core/site.commands.js';
import { decideSite } from '../../src/sites/core/site.decide.js';
import type { SiteEvent } from '../../src/sites/core/site.events.js';
import type { SiteState } from '../../src/sites/core/site.state.js';
import { foldSite, NOW } from './given-site.js';

const oneOf = (...values: string[]) => fc.constantFrom(...values);
const name = oneOf('Ada', 'Ben');
const location_id = oneOf('main', 'side');
const zone_id = oneOf('zone-1', 'zone-2', 'zone-3');
const lock_id = oneOf('lock-1', 'lock-2');
const entry_point_id = oneOf('gate-1', 'gate-2');
const token_id = oneOf('token-1', 'token-2');
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
const optional = { requiredKeys: [] };

/** A generator for each command: a new one does not compile until it is here. */
const COMMANDS: {
  readonly [Type in SiteCommand['type']]: fc.Arbitrary<Omit<Extract<SiteCommand, { type: Type }>, 'type'>>;
} = {
  RegisterCompany: fc.record({ company_id: fc.constant('company'), name }),
  IssueApiToken: fc.record({ token_id, name }),
  RevokeApiToken: fc.record({ token_id }),
  AddLocation: fc.record({
    location_id,
    pms_location_code: oneOf('A', 'B'),
    name,
    policy: policy.map((fields) => ({ ...DEFAULT_POLICY, ...fields })),
  }),
  ChangeLocation: fc
    .tuple(location_id, fc.record({ name, policy }, optional))
    .map(([id, wanted]) => ({ location_id: id, ...wanted })),
  AddZone: fc.record({ zone_id, location_id, name }),
  ZoneUnit: fc.record({ zone_id, unit }),
  UnzoneUnit: fc.record({ zone_id, unit_id }),
  AddEntryPoint: fc.record({
    entry_point_id,
    location_id,
    name,
    kind: fc.constant('gate' as const),
    zone_ids,
  }),
  ChangeEntryPoint: fc
    .tuple(entry_point_id, fc.record({ name, zone_ids, in_service: fc.boolean() }, optional))
    .map(([id, wanted]) => ({ entry_point_id: id, ...wanted })),
  AddLock: fc.record({ lock_id, location_id, name, serial: fc.constantFrom(null, 'S-1') }),
  AttachLock: fc.record({ lock_id, unit }),
  DetachLock: fc.record({ lock_id, unit_id }),
};

const command = fc.oneof(
  ...Object.entries(COMMANDS).map(([type, fields]) =>
    (fields as fc.Arbitrary<object>).map((values) => ({ type, ...values }) as SiteCommand),
  ),
);
// Half of each run builds, so that the other half finds something to work on.
const commands = fc
  .tuple(fc.array(command, { maxLength: 25 }), fc.array(command, { maxLength: 25 }))
  .map(([first, then]): SiteCommand[] => [
    { type: 'RegisterCompany', company_id: 'company', name: 'Ada' },
    ...first.filter(({ type }) => type.startsWith('Add')),
    ...then,
  ]);

/** Plays commands and answers the state and the events they left. */
function play(played: readonly SiteCommand[]): { state: SiteState | undefined; events: SiteEvent[] } {
  let state: SiteState | undefined;
  const events: SiteEvent[] = [];
  for (const one of played) {
    const decided = decideSite(state, one, NOW);
    if ('rejected' in decided) continue;
    state = foldSite(decided.events, state);
    events.push(...decided.events);
  }
  return { state, events };
}

describe('every command on a site', () => {
  it('repeated on its own outcome changes nothing and answers the same', () => {
    fc.assert(
      fc.property(commands, command, (played, repeated) => {
        const { state } = play(played);
        const first = decideSite(state, repeated, NOW);
        if ('rejected' in first) return;
        const second = decideSite(foldSite(first.events, state), repeated, NOW + 1);
        expect(second).toMatchObject({ events: [], result: withoutRevisions(first.result) });
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves no unit in two minds: locks and units, zones and places agree', () => {
    fc.assert(
      fc.property(commands, (played) => {
        const { state } = play(played);
        const codes = [...state!.locations.values()].map((one) => one.pms_location_code);
        expect(new Set(codes).size).toBe(codes.length);
        for (const lock of state!.locks.values()) {
          const holders = [...state!.units.values()].filter((one) => one.lock_ids.includes(lock.lock_id));
          expect(holders.map((one) => one.unit_id)).toEqual(lock.unit_id === null ? [] : [lock.unit_id]);
          for (const holder of holders) expect(holder.location_id).toBe(lock.location_id);
        }
        for (const one of state!.units.values()) {
          expect(new Set(one.zone_ids).size).toBe(one.zone_ids.length);
          for (const id of one.zone_ids) expect(state!.zones.get(id)?.location_id).toBe(one.location_id);
        }
        for (const one of state!.entry_points.values()) {
          for (const id of one.zone_ids) expect(state!.zones.get(id)?.location_id).toBe(one.location_id);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves events that fold to the state it was decided on', () => {
    fc.assert(
      fc.property(commands, (played) => {
        const { state, events } = play(played);
        expect(foldSite(events)).toEqual(state);
        expect(JSON.parse(JSON.stringify(events))).toEqual(events);
      }),
    );
  });
});

function withoutRevisions(result: object): object {
  return Object.fromEntries(Object.entries(result).filter(([field]) => !field.endsWith('revision')));
}
