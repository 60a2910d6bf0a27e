import { unitOfLockAt } from '../../src/locations/core/lock-placements.js';
import { zonesAt } from '../../src/locations/core/zone-stays.js';
import { DEFAULT_POLICY } from '../../src/locations/core/location-policy.js';
import type { OpenLocation } from '../../src/locations/core/location.commands.js';
import type { LocationEvent } from '../../src/locations/core/location.events.js';
import { foldLocation, gate, givenLocation, lock, opened, zone } from './location-samples.js';

const unit = { unit_id: 'unit', location_id: 'main' };
const attached: LocationEvent = { type: 'LockAttached', data: { lock_id: 'lock', unit_id: 'unit', at: 0 } };
const zoned: LocationEvent = { type: 'UnitZoned', data: { zone_id: 'zone', unit_id: 'unit', at: 0 } };

describe('a location', () => {
  const location = opened.data as Omit<OpenLocation, 'type'>;
  const open: OpenLocation = { type: 'OpenLocation', ...location };
  const details = () => foldLocation([opened])!.details;

  it('is opened with its policy', () => {
    givenLocation().when(open).then(opened).withResult(location);
  });

  it('is opened once', () => {
    givenLocation(opened)
      .when({ ...open, name: 'Side St' })
      .thenRejected({ code: 'pms_location_code_taken' });
  });

  it('must be open before anything of it', () => {
    for (const command of [
      { type: 'ChangeLocation', name: 'Main St' },
      { type: 'AddZone', zone_id: 'zone', name: 'zone' },
      { type: 'AddEntryPoint', entry_point_id: 'gate', name: 'gate', kind: 'gate', zone_ids: [] },
      { type: 'AddLock', lock_id: 'lock', name: 'lock', serial: null },
    ] as const) {
      givenLocation().when(command).thenRejected({ code: 'location_not_found' });
    }
  });

  it('tells only what a change changed, the policy as a whole', () => {
    givenLocation(opened)
      .when({
        type: 'ChangeLocation',
        name: 'Main Street',
        policy: { grace_period_days: 5, timezone: 'America/Chicago' },
      })
      .then(
        { type: 'LocationRenamed', data: { name: 'Main Street' } },
        {
          type: 'LocationPolicyChanged',
          data: { policy: { ...DEFAULT_POLICY, timezone: 'America/Chicago' } },
        },
      )
      .withResult({
        ...details(),
        name: 'Main Street',
        policy: { ...DEFAULT_POLICY, timezone: 'America/Chicago' },
      });
    givenLocation(opened)
      .when({ type: 'ChangeLocation', name: 'Main Street' })
      .then({ type: 'LocationRenamed', data: { name: 'Main Street' } });
  });

  it('changed to what it is does not change', () => {
    givenLocation(opened)
      .when({ type: 'ChangeLocation', name: 'Main St', policy: { grace_period_days: 5 } })
      .thenNothing()
      .withResult(details());
    givenLocation(opened).when({ type: 'ChangeLocation' }).thenNothing().withResult(details());
  });
});

describe('a zone', () => {
  const here = [opened, zone('zone')];

  it('belongs to a location', () => {
    givenLocation(opened)
      .when({ type: 'AddZone', zone_id: 'zone', name: 'zone' })
      .then(zone('zone'))
      .withResult({ zone_id: 'zone', location_id: 'main', name: 'zone' });
  });

  it('is added once, whatever it is called then', () => {
    givenLocation(...here)
      .when({ type: 'AddZone', zone_id: 'zone', name: 'another' })
      .thenNothing()
      .withResult(foldLocation(here)!.zones.get('zone'));
  });

  it('takes a unit of its location once', () => {
    givenLocation(...here)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit })
      .then(zoned)
      .withResult({ unit_id: 'unit' });
    givenLocation(...here, zoned)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit })
      .thenNothing()
      .withResult({ unit_id: 'unit' });
  });

  it('takes no unit of another location', () => {
    givenLocation(...here)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit: { unit_id: 'unit', location_id: 'side' } })
      .thenRejected({ code: 'unit_not_of_location' });
  });

  it('lets a unit go once', () => {
    const data = { zone_id: 'zone', unit_id: 'unit', at: 0 };
    const unzoned: LocationEvent = { type: 'UnitUnzoned', data };
    givenLocation(...here, zoned)
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' })
      .then(unzoned)
      .withResult({ unit_id: 'unit' });
    givenLocation(...here, zoned, unzoned)
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' })
      .thenNothing()
      .withResult({ unit_id: 'unit' });
    givenLocation(...here)
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'never-there' })
      .thenNothing();
  });

  it('is known to have held a unit at any instant', () => {
    const [enters, leaves] = [zoned.type, 'UnitUnzoned'] as const;
    const moved = (type: typeof enters | typeof leaves, at: number, zone_id = 'zone') =>
      ({ type, data: { zone_id, unit_id: 'unit', at } }) as LocationEvent;
    givenLocation(...here)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit }, 10)
      .then(moved(enters, 10));
    givenLocation(...here, moved(enters, 10))
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' }, 20)
      .then(moved(leaves, 20));
    const past = [moved(enters, 10), moved(enters, 15, 'other'), moved(leaves, 20), moved(enters, 30)];
    const { units } = foldLocation([...here, zone('other'), ...past])!;
    const zones = [9, 10, 15, 20, 30].map((at) => zonesAt(units.get('unit')!, at));
    expect(zones).toEqual([[], ['zone'], ['zone', 'other'], ['other'], ['other', 'zone']]);
  });

  it('that is unknown is refused', () => {
    givenLocation(opened)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit })
      .thenRejected({ code: 'zone_not_found' });
    givenLocation(opened)
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' })
      .thenRejected({ code: 'zone_not_found' });
  });
});

describe('an entry point', () => {
  const here = [opened, zone('a'), zone('b')];
  const gateData = { entry_point_id: 'gate', name: 'gate', kind: 'gate' } as const;
  const add = { type: 'AddEntryPoint', ...gateData } as const;

  it('serves zones of its location, each once, and is in service', () => {
    givenLocation(...here)
      .when({ ...add, zone_ids: ['a', 'b', 'a'] })
      .then(gate('gate', 'a', 'b'))
      .withResult({ ...gateData, zone_ids: ['a', 'b'], in_service: true, location_id: 'main' });
  });

  it('is added once, whatever it serves then', () => {
    givenLocation(...here, gate('gate', 'a'))
      .when({ ...add, zone_ids: ['nowhere'] })
      .thenNothing()
      .withResult(foldLocation([...here, gate('gate', 'a')])!.entry_points.get('gate'));
  });

  it('names every zone that is not of its location', () => {
    givenLocation(...here)
      .when({ ...add, zone_ids: ['c', 'a', 'nowhere'] })
      .thenRejected({ code: 'zones_not_of_location', indexes: [0, 2] });
    givenLocation(...here, gate('gate', 'a'))
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', zone_ids: ['a', 'c'] })
      .thenRejected({ code: 'zones_not_of_location', indexes: [1] });
  });

  it('tells only what a change changed', () => {
    givenLocation(...here, gate('gate', 'a'))
      .when({
        type: 'ChangeEntryPoint',
        entry_point_id: 'gate',
        name: 'gate',
        zone_ids: ['b'],
        in_service: false,
      })
      .then({
        type: 'EntryPointChanged',
        data: { entry_point_id: 'gate', zone_ids: ['b'], in_service: false, at: 0 },
      })
      .withResult({
        ...foldLocation([...here, gate('gate', 'a')])!.entry_points.get('gate')!,
        zone_ids: ['b'],
        in_service: false,
      });
  });

  it('knows which zones it served at any instant', () => {
    const change = { type: 'ChangeEntryPoint', entry_point_id: 'gate' } as const;
    const changed = (at: number, ...zone_ids: string[]): LocationEvent => {
      return { type: 'EntryPointChanged', data: { entry_point_id: 'gate', zone_ids, at } };
    };
    givenLocation(...here, gate('gate', 'a'))
      .when({ ...change, zone_ids: ['b'] }, 20)
      .then(changed(20, 'b'));
    const renamed: LocationEvent = {
      type: 'EntryPointChanged',
      data: { entry_point_id: 'gate', name: 'North gate', at: 25 },
    };
    const events = [...here, gate('gate', 'a'), changed(10, 'a', 'b'), changed(20, 'b'), renamed];
    const { entry_points } = foldLocation([...events, changed(30), changed(40, 'a')])!;
    const zones = [-1, 0, 10, 19, 20, 29, 30, 40].map((at) => zonesAt(entry_points.get('gate')!, at));
    expect(zones).toEqual([[], ['a'], ['a', 'b'], ['a', 'b'], ['b'], ['b'], [], ['a']]);
  });

  it('with the same zones in another order does not change', () => {
    givenLocation(...here, gate('gate', 'a', 'b'))
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', zone_ids: ['b', 'a', 'b'] })
      .thenNothing()
      .withResult(foldLocation([...here, gate('gate', 'a', 'b')])!.entry_points.get('gate'));
  });

  it('keeps its zones where it is only called otherwise', () => {
    givenLocation(...here, gate('gate', 'a'))
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', name: 'North gate' })
      .then({
        type: 'EntryPointChanged',
        data: { entry_point_id: 'gate', name: 'North gate', at: 0 },
      });
  });

  it('serves other zones, as many as before or more, each once', () => {
    const served = (...zone_ids: string[]): LocationEvent => {
      return { type: 'EntryPointChanged', data: { entry_point_id: 'gate', zone_ids, at: 0 } };
    };
    const serve = (...zone_ids: string[]) =>
      givenLocation(...here, zone('c'), gate('gate', 'a', 'b')).when({
        type: 'ChangeEntryPoint',
        entry_point_id: 'gate',
        zone_ids,
      });
    serve('a', 'c', 'a').then(served('a', 'c'));
    serve('a', 'b', 'c').then(served('a', 'b', 'c'));
    serve('a').then(served('a'));
  });

  it('tells that what it is set up with was handed out, each time', () => {
    const provision = { type: 'ProvisionEntryPoint', entry_point_id: 'gate' } as const;
    const provisioned: LocationEvent = {
      type: 'EntryPointProvisioned',
      data: { entry_point_id: 'gate' },
    };
    const there = [...here, gate('gate', 'a')];
    givenLocation(...there)
      .when(provision)
      .then(provisioned)
      .withResult(undefined);
    givenLocation(...there, provisioned)
      .when(provision)
      .then(provisioned);
    givenLocation(...here)
      .when(provision)
      .thenRejected({ code: 'entry_point_not_found' });
  });

  it('that is unknown is refused', () => {
    givenLocation(...here)
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', name: 'North gate' })
      .thenRejected({ code: 'entry_point_not_found' });
  });
});

describe('a lock', () => {
  const here = [opened, lock('lock')];
  const added = () => foldLocation(here)!.locks.get('lock')!;

  it('belongs to a location', () => {
    givenLocation(opened)
      .when({ type: 'AddLock', lock_id: 'lock', name: 'lock', serial: null })
      .then(lock('lock'))
      .withResult({ lock_id: 'lock', name: 'lock', serial: null, location_id: 'main', unit_id: null });
  });

  it('is added once, whatever it is called then', () => {
    givenLocation(...here)
      .when({ type: 'AddLock', lock_id: 'lock', name: 'another', serial: '7' })
      .thenNothing()
      .withResult(added());
  });

  it('has a serial number that no other lock of the location has', () => {
    const first = { type: 'LockAdded', data: { lock_id: 'lock', name: 'Door', serial: '7' } } as const;
    const second = { type: 'AddLock', lock_id: 'other', name: 'lock' } as const;
    givenLocation(opened, first)
      .when({ ...second, serial: '7' })
      .thenRejected({ code: 'serial_taken', lock: 'Door' });
    for (const serial of ['8', null])
      givenLocation(opened, first, lock('third'))
        .when({ ...second, serial })
        .then({ type: 'LockAdded', data: { lock_id: 'other', name: 'lock', serial } });
  });

  it('is put on a unit of its location once', () => {
    givenLocation(...here)
      .when({ type: 'AttachLock', lock_id: 'lock', unit })
      .then(attached)
      .withResult({ ...added(), unit_id: 'unit' });
    givenLocation(...here, attached)
      .when({ type: 'AttachLock', lock_id: 'lock', unit })
      .thenNothing()
      .withResult(foldLocation([...here, attached])!.locks.get('lock'));
  });

  it('tells that what it is set up with was handed out, each time', () => {
    const provision = { type: 'ProvisionLock', lock_id: 'lock' } as const;
    const provisioned: LocationEvent = { type: 'LockProvisioned', data: { lock_id: 'lock' } };
    givenLocation(...here)
      .when(provision)
      .then(provisioned)
      .withResult(undefined);
    givenLocation(...here, provisioned)
      .when(provision)
      .then(provisioned);
    givenLocation(opened).when(provision).thenRejected({ code: 'lock_not_found' });
  });

  it('is on one unit at a time', () => {
    givenLocation(...here, attached)
      .when({ type: 'AttachLock', lock_id: 'lock', unit: { unit_id: 'other', location_id: 'main' } })
      .thenRejected({ code: 'lock_on_another_unit' });
  });

  it('stays at its location', () => {
    givenLocation(...here)
      .when({ type: 'AttachLock', lock_id: 'lock', unit: { unit_id: 'unit', location_id: 'side' } })
      .thenRejected({ code: 'unit_not_of_location' });
  });

  it('knows which unit it was on at any instant', () => {
    const on = (unit_id: string, at: number): LocationEvent => {
      return { type: 'LockAttached', data: { lock_id: 'lock', unit_id, at } };
    };
    const off = (unit_id: string, at: number): LocationEvent => {
      return { type: 'LockDetached', data: { lock_id: 'lock', unit_id, at } };
    };
    givenLocation(...here)
      .when({ type: 'AttachLock', lock_id: 'lock', unit }, 10)
      .then(on('unit', 10));
    givenLocation(...here, on('unit', 10))
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' }, 20)
      .then(off('unit', 20));
    const events = [...here, on('unit', 10), off('unit', 20), on('other', 30)];
    const lock = foldLocation(events)!.locks.get('lock')!;
    const units = [9, 10, 19, 20, 29, 30, 99].map((instant) => unitOfLockAt(lock, instant));
    expect(units).toEqual([null, 'unit', 'unit', null, null, 'other', 'other']);
  });

  it('is taken off the unit it is on, and can be put on another then', () => {
    const detached: LocationEvent = {
      type: 'LockDetached',
      data: { lock_id: 'lock', unit_id: 'unit', at: 0 },
    };
    givenLocation(...here, attached)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' })
      .then(detached)
      .withResult({ ...foldLocation([...here, attached])!.locks.get('lock')!, unit_id: null });
    givenLocation(...here, attached)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'other' })
      .thenRejected({ code: 'lock_on_another_unit' });
    givenLocation(...here, attached, detached)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' })
      .thenNothing()
      .withResult(foldLocation([...here, attached, detached])!.locks.get('lock'));
    givenLocation(...here, attached, detached)
      .when({ type: 'AttachLock', lock_id: 'lock', unit: { unit_id: 'other', location_id: 'main' } })
      .then({ type: 'LockAttached', data: { lock_id: 'lock', unit_id: 'other', at: 0 } });
  });

  it('that is unknown is refused', () => {
    givenLocation(opened)
      .when({ type: 'AttachLock', lock_id: 'lock', unit })
      .thenRejected({ code: 'lock_not_found' });
    givenLocation(opened)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' })
      .thenRejected({ code: 'lock_not_found' });
  });
});
