import { runParts } from '../../support/command-runner.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { StreamChange } from '#eventsourcing/writing/projector.js';
import type { LocationCommand } from '#domain/locations/core/location.commands.js';
import { LOCATION } from '#domain/locations/location.aggregate.js';
import { locationStream } from '#domain/locations/core/location.events.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import {
  DEFAULT_POLICY,
  LocationDirectory,
  LocationProjector,
  NEVER_NOTICED,
  NO_CONTACT,
  NO_NOTICES,
} from '#domain/locations/index.js';
import { LOCATION_VIEWS, UNIT_ZONES_AND_LOCKS } from '#domain/locations/location.documents.js';
import type { LocationState } from '#domain/locations/core/location.state.js';
import { removeDocuments } from '../../support/remove-documents.js';
import { openEmbeddedWorld } from '../../support/embedded-world.js';
import type { EmbeddedWorld } from '../../support/embedded-world.js';

const stream = locationStream('main');
const unit = { unit_id: 'unit', location_id: 'main' };
const context = {
  command_id: 'c',
  request_id: 'r',
  actor: { kind: 'operator', id: 'o' },
  recovering: false,
} as const;

const building: readonly LocationCommand[] = [
  {
    type: 'OpenLocation',
    location_id: 'main',
    company_id: 'company',
    pms_location_code: 'MAIN',
    name: 'Main St',
    policy: DEFAULT_POLICY,
  },
  { type: 'AddZone', zone_id: 'zone', name: 'Wing' },
  {
    type: 'AddEntryPoint',
    entry_point_id: 'gate',
    name: 'Gate',
    kind: 'gate',
    zone_ids: ['zone'],
  },
  { type: 'AddLock', lock_id: 'lock', name: 'Door', serial: 'S-1' },
  { type: 'ZoneUnit', zone_id: 'zone', unit },
  { type: 'AttachLock', lock_id: 'lock', unit },
];
const changing: readonly LocationCommand[] = [
  { type: 'ChangeLocation', name: 'Main Street', policy: { grace_period_days: 9 } },
  { type: 'ChangeEntryPoint', entry_point_id: 'gate', in_service: false },
  { type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' },
  { type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' },
];

const removing: readonly LocationCommand[] = [
  { type: 'RenameZone', zone_id: 'zone', name: 'East wing' },
  { type: 'RemoveEntryPoint', entry_point_id: 'gate' },
  { type: 'ChangeLock', lock_id: 'lock', name: 'Old door' },
  { type: 'RemoveLock', lock_id: 'lock' },
  { type: 'RemoveZone', zone_id: 'zone' },
];

let world: EmbeddedWorld;
beforeEach(async () => {
  world = await openEmbeddedWorld();
});
afterEach(() => world.close());

/** A kind that remembers what it was told to show. */
class RecordedStreams extends LocationProjector {
  readonly changes: StreamChange<LocationState, LocationEvent>[] = [];

  override project(changes: readonly StreamChange<LocationState, LocationEvent>[]): Promise<void> {
    this.changes.push(...changes);
    return super.project(changes);
  }
}

async function write(streams: LocationProjector, commands: readonly LocationCommand[]) {
  const outcomes = [];
  for (const command of commands) {
    const writing = { aggregate: LOCATION, states: streams.states, projector: streams };
    outcomes.push(...(await runParts(world.writer, writing, [{ stream, command }], context)));
  }
  return outcomes;
}

const IDS = ['main', 'lock', 'unit', 'zone', 'gate', stream];

async function loseViews(): Promise<void> {
  for (const declaration of LOCATION_VIEWS) await removeDocuments(world.views, declaration, IDS);
}

/** Every document of every view of locations. */
async function dump(views: DocumentStore): Promise<object> {
  const shown: Record<string, unknown> = {};
  for (const declaration of LOCATION_VIEWS) {
    shown[declaration.name] = await (
      await views.collection(declaration as (typeof LOCATION_VIEWS)[0])
    ).getMany(IDS);
  }
  return shown;
}

describe('the views of locations', () => {
  it('show each thing with the revision at which it last changed', async () => {
    await write(new LocationProjector(world.events, world.views), [...building, ...changing]);
    const directory = new LocationDirectory(world.views);
    expect(await directory.locationByCode('company', 'MAIN')).toEqual({
      _id: 'main',
      company_id: 'company',
      location_id: 'main',
      access_hours: null,
      hours_set_at: [],
      contact: NO_CONTACT,
      currency: 'USD',
      notices: NO_NOTICES,
      notices_since: NEVER_NOTICED,
      tenant_sharing: false,
      pms_location_code: 'MAIN',
      name: 'Main Street',
      policy: { ...DEFAULT_POLICY, grace_period_days: 9 },
      policy_revision: 7,
      set_at: [0, 6, 7],
      zones: [{ zone_id: 'zone', location_id: 'main', name: 'Wing', revision: 1 }],
      entry_points: [expect.objectContaining({ entry_point_id: 'gate', in_service: false, revision: 8 })],
      part_ids: ['zone', 'gate'],
      entry_point_names: ['mainstreet', 'street', 'gate'],
      revision: 8,
    });
    expect(await directory.entryPoint('gate')).toMatchObject({ in_service: false, company_id: 'company' });
    expect(await directory.zone('zone')).toMatchObject({ name: 'Wing', company_id: 'company' });
    expect(await directory.zone('gate')).toBeUndefined();
    expect(await directory.lock('lock')).toMatchObject({
      ...{ unit_id: null, serial: 'S-1', revision: 9 },
      search_names: expect.arrayContaining(['s1']),
    });
    expect(await (await world.views.collection(UNIT_ZONES_AND_LOCKS)).get('unit')).toMatchObject({
      zone_ids: [],
      locks: [],
      revision: 10,
    });
  });

  it('name the locks and zones of the units asked for', async () => {
    await write(new LocationProjector(world.events, world.views), building);
    const directory = new LocationDirectory(world.views);
    expect(await directory.zonesAndLocks(['unit', 'other'])).toEqual([
      expect.objectContaining({
        locks: [{ lock_id: 'lock', name: 'Door', serial: 'S-1', key_format: 1 }],
        zone_ids: ['zone'],
      }),
      undefined,
    ]);
    const names = await directory.equipmentNames(['zone', 'gate', 'lock', 'other']);
    expect(Object.fromEntries(names)).toEqual({ zone: 'Wing', gate: 'Gate', lock: 'Door' });
    expect((await directory.locationsOfCompany('company')).map(({ _id }) => _id)).toEqual(['main']);
  });

  it('keep what was removed for who asks by its id, and list it no more', async () => {
    await write(new LocationProjector(world.events, world.views), [...building, ...changing, ...removing]);
    const directory = new LocationDirectory(world.views);
    expect(await directory.location('main')).toMatchObject({ zones: [], entry_points: [], part_ids: [] });
    expect(await directory.zone('zone')).toMatchObject({ name: 'East wing', company_id: 'company' });
    expect(await directory.entryPoint('gate')).toMatchObject({
      name: 'Gate',
      removed_at: expect.any(Number),
    });
    expect(await directory.lock('lock')).toMatchObject({ name: 'Old door', removed_at: expect.any(Number) });
    const names = await directory.equipmentNames(['zone', 'gate', 'lock']);
    expect(Object.fromEntries(names)).toEqual({ zone: 'East wing', gate: 'Gate', lock: 'Old door' });
    expect(await directory.locksOfLocation('main')).toEqual([]);
    expect(await directory.freeLocks('main', 5)).toEqual({ locks: [], hasMore: false });
    for (const text of ['lock', 'Old door', 'S-1'])
      expect(await directory.locksMatching('main', text)).toEqual([]);
    expect(await directory.locksCalled('Old door', 'company', { limit: 5 })).toEqual([]);
  });

  it('offer a spare lock behind many of its name that were removed', async () => {
    const old = Array.from({ length: 50 }, (_, n): LocationCommand[] => [
      { type: 'AddLock', lock_id: `old-${n}`, name: 'Door', serial: null },
      { type: 'RemoveLock', lock_id: `old-${n}` },
    ]);
    const spare: LocationCommand = { type: 'AddLock', lock_id: 'spare', name: 'Door', serial: null };
    await write(new LocationProjector(world.events, world.views), [building[0]!, ...old.flat(), spare]);
    const directory = new LocationDirectory(world.views);
    expect(await directory.locksMatching('main', 'Door')).toMatchObject([{ lock_id: 'spare' }]);
    expect(await directory.freeLocks('main', 1)).toMatchObject({
      locks: [{ lock_id: 'spare' }],
      hasMore: false,
    });
  });

  it('are the same after every change is applied again, twice and in the wrong order', async () => {
    const streams = new RecordedStreams(world.events, world.views);
    await write(streams, [...building, ...changing, ...removing]);
    const shown = await dump(world.views);
    for (const change of [...streams.changes].reverse()) await streams.project([change, change]);
    expect(await dump(world.views)).toEqual(shown);
  });

  it('rebuilt from the log in one go equal those that grew with it', async () => {
    await write(new LocationProjector(world.events, world.views), [...building, ...changing, ...removing]);
    const shown = await dump(world.views);
    await loseViews();
    const fresh = new LocationProjector(world.events, world.views);
    const [after] = await fresh.states.load([stream]);
    const events = (await world.events.readStream(stream)) as unknown as StreamChange<
      LocationState,
      LocationEvent
    >['events'];
    await fresh.project([{ stream, events, after: after! }]);
    expect(await dump(world.views)).toEqual(shown);
  });

  it('know nothing of ids that cannot be any', async () => {
    const directory = new LocationDirectory(world.views);
    expect(await directory.location('x'.repeat(5_000))).toBeUndefined();
    expect(await directory.lock('no such lock')).toBeUndefined();
  });
});

describe('the states of locations', () => {
  it('hold what another process has written meanwhile', async () => {
    const here = new LocationProjector(world.events, world.views);
    const there = new LocationProjector(world.events, world.views);
    await write(here, building);
    await write(there, changing);
    const [snapshot] = await here.states.load([stream]);
    expect(snapshot?.revision).toBe(10);
    expect(snapshot?.state.locks.get('lock')?.unit_id).toBeNull();
    expect((await here.states.load([locationStream('nobody')]))[0]).toBeUndefined();
  });
});

/** The location streams of a process that meets the same stores. */
const anotherProcess = () => new LocationProjector(world.events, world.views);

/** Stores a change whose views cannot be reached. */
async function cutOff(streams: LocationProjector, command: LocationCommand) {
  const fails = jest.spyOn(world.views, 'write').mockRejectedValue(new Error('The views are gone.'));
  await expect(write(streams, [command])).rejects.toThrow('The views are gone.');
  fails.mockRestore();
}

describe('a change that the views do not show yet', () => {
  const renamed: LocationCommand = { type: 'ChangeLocation', name: 'Main Street' };
  const nameShown = async () => (await new LocationDirectory(world.views).location('main'))?.name;

  it('is shown before another process answers that nothing changes', async () => {
    const here = anotherProcess();
    await write(here, building);
    await cutOff(here, renamed);
    expect(await nameShown()).toBe('Main St');
    expect(await write(anotherProcess(), [renamed])).toMatchObject([{ kind: 'done', changed: false }]);
    expect(await nameShown()).toBe('Main Street');
  });

  it('keeps another process from answering while the views cannot be reached', async () => {
    const here = anotherProcess();
    await write(here, building);
    await cutOff(here, renamed);
    await cutOff(anotherProcess(), renamed);
    expect(await nameShown()).toBe('Main St');
  });

  it('is shown by whoever projects a later change alone', async () => {
    const recorded = new RecordedStreams(world.events, world.views);
    await write(recorded, [...building, ...changing]);
    await loseViews();
    await anotherProcess().project(recorded.changes.slice(-1));
    expect(await nameShown()).toBe('Main Street');
    expect(await new LocationDirectory(world.views).zone('zone')).toMatchObject({ name: 'Wing' });
  });
});

describe('a change of policy', () => {
  const change: LocationCommand = { type: 'ChangeLocation', policy: { grace_period_days: 7 } };

  /** Who cannot be told until `fails` is set to false. */
  function failingListener() {
    const told: string[] = [];
    return {
      told,
      fails: true,
      policyChanged(location_id: string): Promise<void> {
        if (this.fails) return Promise.reject(new Error('The views are gone.'));
        told.push(location_id);
        return Promise.resolve();
      },
    };
  }

  it('is told after its document shows it, a change of name is not', async () => {
    const directory = new LocationDirectory(world.views);
    const told: unknown[] = [];
    const listener = {
      async policyChanged(location_id: string) {
        told.push([location_id, (await directory.location(location_id))?.policy.timezone]);
      },
    };
    const streams = new LocationProjector(world.events, world.views, listener);
    await write(streams, building);
    await write(streams, [{ type: 'ChangeLocation', name: 'Other name' }]);
    expect(told).toEqual([]);
    await write(streams, [{ type: 'ChangeLocation', policy: { timezone: 'America/Chicago' } }]);
    expect(told).toEqual([['main', 'America/Chicago']]);
  });

  it('that could not be told is told before a retry is answered', async () => {
    const listener = failingListener();
    const streams = new LocationProjector(world.events, world.views, listener);
    await write(streams, building);
    await expect(write(streams, [change])).rejects.toThrow('The views are gone.');
    await expect(write(streams, [change])).rejects.toThrow('The views are gone.');
    listener.fails = false;
    expect(await write(streams, [change])).toMatchObject([{ kind: 'done', changed: false }]);
    expect(listener.told).toEqual(['main']);
    await write(streams, [change]);
    expect(listener.told).toEqual(['main']);
  });

  it('that one process could not tell is told by another before it answers', async () => {
    const listener = failingListener();
    await write(new LocationProjector(world.events, world.views, listener), building);
    await expect(write(new LocationProjector(world.events, world.views, listener), [change])).rejects.toThrow(
      'The views are gone.',
    );
    listener.fails = false;
    const there = new LocationProjector(world.events, world.views, listener);
    expect(await write(there, [change])).toMatchObject([{ kind: 'done', changed: false }]);
    expect(listener.told).toEqual(['main']);
  });
});
