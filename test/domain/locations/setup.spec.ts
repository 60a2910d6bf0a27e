import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import type { LocationCommand, SetupOutcome, SetUpUnits } from '#domain/locations/core/location.commands.js';
import { asStored, decideLocation } from '#domain/locations/core/location.decide.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { foldLocation } from './location-samples.js';

const OPENED: LocationEvent = {
  type: 'LocationOpened',
  data: {
    ...{ location_id: 'main', company_id: 'company', pms_location_code: 'MAIN', name: 'Main St' },
    policy: DEFAULT_POLICY,
  },
};
const zone = (zone_id: string, name: string): LocationEvent => ({
  type: 'ZoneAdded',
  data: { zone_id, name },
});
const lock = (lock_id: string, name: string, serial: string | null = null): LocationEvent => ({
  type: 'LockAdded',
  data: { lock_id, name, serial },
});
const attached = (lock_id: string, unit_id: string): LocationEvent => ({
  type: 'LockAttached',
  data: { lock_id, unit_id, at: 0 },
});

interface Row {
  readonly unit: string;
  readonly zone?: string;
  readonly lock?: string;
  readonly serial?: string;
}

function setUp(rows: readonly Row[]): SetUpUnits {
  return {
    type: 'SetUpUnits',
    rows: rows
      .map(({ unit, zone: name, lock: called, serial }, place) => ({
        unit: { unit_id: unit, location_id: unit.startsWith('away') ? 'side' : 'main' },
        zone: name === undefined ? undefined : { name, new_id: `new-zone-${place}` },
        lock: { name: called, serial, new_id: `new-lock-${place}` },
      }))
      .map((row) => ((row.lock.name ?? row.lock.serial) ? row : { ...row, lock: undefined })),
  };
}

function carriedOut(history: readonly LocationEvent[], command: LocationCommand) {
  const decided = decideLocation(foldLocation([OPENED, ...history]), command, 7);
  if ('rejected' in decided) throw new Error(decided.rejected.code);
  return { events: decided.events, outcomes: decided.result as readonly SetupOutcome[] };
}

it('makes what is missing once, and puts each unit where its row says', () => {
  const rows = [
    { unit: 'a', zone: 'North', lock: 'Latch 1', serial: 'S-1' },
    { unit: 'b', zone: 'North', serial: 'S-2' },
    { unit: 'c', zone: 'South' },
  ];
  const { events, outcomes } = carriedOut([zone('z', 'South')], setUp(rows));
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    ['ZoneAdded', { zone_id: 'new-zone-0', name: 'North' }],
    ['UnitZoned', { zone_id: 'new-zone-0', unit_id: 'a', at: 7 }],
    ['LockAdded', { lock_id: 'new-lock-0', name: 'Latch 1', serial: 'S-1' }],
    ['LockAttached', { lock_id: 'new-lock-0', unit_id: 'a', at: 7 }],
    ['UnitZoned', { zone_id: 'new-zone-0', unit_id: 'b', at: 7 }],
    ['LockAdded', { lock_id: 'new-lock-1', name: 'S-2', serial: 'S-2' }],
    ['LockAttached', { lock_id: 'new-lock-1', unit_id: 'b', at: 7 }],
    ['UnitZoned', { zone_id: 'z', unit_id: 'c', at: 7 }],
  ]);
  expect(outcomes).toEqual([
    {
      ...{ zone_id: 'new-zone-0', lock_id: 'new-lock-0' },
      changes: ['zone_created', 'unit_zoned', 'lock_created', 'lock_attached'],
    },
    {
      ...{ zone_id: 'new-zone-0', lock_id: 'new-lock-1' },
      changes: ['unit_zoned', 'lock_created', 'lock_attached'],
    },
    { zone_id: 'z', lock_id: null, changes: ['unit_zoned'] },
  ]);
});

it.each([
  ['a unit of another location', [], { unit: 'away' }, 'unit_not_of_location'],
  ['two zones of one name', [zone('z1', 'N'), zone('z2', 'N')], { unit: 'a', zone: 'N' }, 'zone_not_unique'],
  [
    'two spare locks of one name',
    [lock('1', 'L'), lock('2', 'L')],
    { unit: 'a', lock: 'L' },
    'lock_not_unique',
  ],
  [
    'two locks of one serial number',
    [lock('1', 'L', 'S'), lock('2', 'M', 'S')],
    { unit: 'a', serial: 'S' },
    { fault: 'serial_not_unique', locks: ['L', 'M'] },
  ],
  [
    'a lock of another name',
    [lock('1', 'L', 'S')],
    { unit: 'a', lock: 'M', serial: 'S' },
    { fault: 'lock_named_otherwise', locks: ['L'] },
  ],
  [
    'a name that is the serial number of a lock',
    [lock('1', 'L', 'S')],
    { unit: 'a', lock: 'S' },
    { fault: 'lock_named_like_serial', locks: ['L'] },
  ],
  [
    'a serial number nobody noted',
    [lock('1', 'L')],
    { unit: 'a', lock: 'L', serial: 'S' },
    'lock_without_serial',
  ],
  [
    'a lock on another unit',
    [lock('1', 'L'), attached('1', 'b')],
    { unit: 'a', zone: 'New', lock: 'L' },
    'lock_on_another_unit',
  ],
] as const)('refuses %s, and does nothing of that row', (_, history, row, fault) => {
  const { events, outcomes } = carriedOut([...history], setUp([row, { unit: 'c', zone: 'Z' }]));
  expect(outcomes[0]).toEqual(typeof fault === 'string' ? { fault } : fault);
  expect(events.map(({ type }) => type)).toEqual(['ZoneAdded', 'UnitZoned']);
});

it.each([
  ['the one on the unit', [lock('1', 'L'), lock('2', 'L'), attached('2', 'a')], '2', []],
  ['the spare one', [lock('1', 'L'), lock('2', 'L'), attached('2', 'b')], '1', ['lock_attached']],
] as const)('takes of two locks of one name %s', (_, history, lock_id, changes) => {
  const { outcomes } = carriedOut([...history], setUp([{ unit: 'a', lock: 'L' }]));
  expect(outcomes).toEqual([{ zone_id: null, lock_id, changes }]);
});

it('warns of a new zone whose name is nearly one that exists', () => {
  const names = ['north-wing', 'North  Wing', 'North Wing', 'South', 'SOUTH'];
  const rows = names.map((name, index) => ({ unit: `u${index}`, zone: name }));
  const { outcomes } = carriedOut([zone('z', 'North Wing')], setUp(rows));
  expect(outcomes.map((one) => ('fault' in one ? one : one.warnings))).toEqual([
    [{ code: 'zone_name_similar', names: ['North Wing'] }],
    [{ code: 'zone_name_similar', names: ['North Wing', 'north-wing'] }],
    undefined,
    undefined,
    [{ code: 'zone_name_similar', names: ['South'] }],
  ]);
});

it('a warning names five of many', () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({
    unit: `u${index}`,
    zone: `N${'-'.repeat(index)}`,
  }));
  const [first, ...others] = carriedOut([], setUp(rows)).outcomes;
  const named = others.map((one) => ('fault' in one ? one : one.warnings?.[0]?.names.length));
  expect([first, named]).toEqual([expect.not.objectContaining({ warnings: [] }), [1, 2, 3, 4, 5, 5, 5, 5]]);
});

it('warns of a unit that gets a second zone or a second lock', () => {
  const history = [
    zone('z', 'North'),
    lock('1', 'L', 'S'),
    attached('1', 'a'),
    lock('2', 'M'),
    attached('2', 'a'),
  ];
  const detached: LocationEvent = { type: 'LockDetached', data: { lock_id: '2', unit_id: 'a', at: 1 } };
  const zoned: LocationEvent = { type: 'UnitZoned', data: { zone_id: 'z', unit_id: 'a', at: 0 } };
  const { outcomes } = carriedOut(
    [...history, detached, zoned],
    setUp([
      { unit: 'a', zone: 'North', lock: 'L' },
      { unit: 'a', zone: 'South', lock: 'L', serial: 'T' },
      { unit: 'b', zone: 'South', serial: 'U' },
      { unit: 'b', serial: 'V' },
    ]),
  );
  expect(outcomes.map((one) => ('fault' in one ? one : one.warnings))).toEqual([
    undefined,
    [
      { code: 'unit_in_other_zone', names: ['North'] },
      { code: 'unit_has_other_lock', names: ['L (S)'] },
    ],
    undefined,
    [{ code: 'unit_has_other_lock', names: ['U'] }],
  ]);
});

it('gives one lock to one unit, whatever several rows ask', () => {
  const { outcomes } = carriedOut(
    [],
    setUp([
      { unit: 'a', serial: 'S' },
      { unit: 'b', serial: 'S' },
    ]),
  );
  expect(outcomes[1]).toEqual({ fault: 'lock_on_another_unit' });
});

it('refuses the row of a 501st zone, and does the others', () => {
  const full = Array.from({ length: 500 }, (_, n) => zone(`z-${n}`, `Zone ${n}`));
  const command = setUp([
    { unit: 'a', zone: 'One more' },
    { unit: 'b', zone: 'Zone 7' },
  ]);
  const { outcomes } = carriedOut(full, command);
  expect(outcomes).toMatchObject([{ fault: 'zones_full' }, { zone_id: 'z-7' }]);
  const repeated = asStored(command) as SetUpUnits;
  expect(carriedOut(full, repeated).outcomes[0]).toMatchObject({ zone_id: 'new-zone-0' });
});

it('leaves the state that it was given as it was, for whoever reads it still', () => {
  const state = foldLocation([OPENED, zone('z', 'South'), lock('l', 'Latch'), attached('l', 'a')])!;
  const before = structuredClone(state);
  const rows = [
    { unit: 'a', zone: 'North', lock: 'Latch 2' },
    { unit: 'b', zone: 'South', lock: 'Latch' },
  ];
  decideLocation(state, setUp(rows), 7);
  expect(state).toEqual(before);
});
