import { unitOfLockAt } from '#domain/locations/core/lock-placements.js';
import { asStored } from '#domain/locations/core/location.decide.js';
import { zonesAt } from '#domain/locations/core/zone-stays.js';
import { NO_CONTACT } from '#domain/locations/core/contact.js';
import { NO_NOTICES } from '#domain/locations/core/notices.js';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import type { OpenLocation } from '#domain/locations/core/location.commands.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { foldLocation, gate, givenLocation, lock, opened, zone } from './location-samples.js';
import { OFFICE_HOURS } from './hours/support/office-hours.js';

const unit = { unit_id: 'unit', location_id: 'main' };
const attached: LocationEvent = { type: 'LockAttached', data: { lock_id: 'lock', unit_id: 'unit', at: 0 } };
const zoned: LocationEvent = { type: 'UnitZoned', data: { zone_id: 'zone', unit_id: 'unit', at: 0 } };

describe('a location', () => {
  const location = opened.data as Omit<OpenLocation, 'type'>;
  const open: OpenLocation = { type: 'OpenLocation', ...location };
  const details = () => foldLocation([opened])!.details;

  it('is opened with its policy', () => {
    givenLocation()
      .when(open)
      .then(opened)
      .withResult({
        ...location,
        access_hours: null,
        contact: NO_CONTACT,
        currency: 'USD',
        notices: NO_NOTICES,
        tenant_sharing: false,
      });
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
      .withResult(foldLocation(here)!.zones.get('zone')!);
  });

  it('is renamed', () => {
    const rename = { type: 'RenameZone', zone_id: 'zone', name: 'Hall' } as const;
    const renamed: LocationEvent = { type: 'ZoneRenamed', data: { zone_id: 'zone', name: 'Hall' } };
    givenLocation(...here)
      .when(rename)
      .then(renamed)
      .withResult({ ...foldLocation(here)!.zones.get('zone')!, name: 'Hall' });
    givenLocation(...here, renamed)
      .when(rename)
      .thenNothing();
    expect(foldLocation([...here, renamed])!.zones.get('zone')).toMatchObject({ name: 'Hall', revision: 2 });
  });

  it('is refused where the location has 500, unless an earlier version accepted it', () => {
    const full = [opened, ...Array.from({ length: 500 }, (_, n) => zone(`z-${n}`))];
    const add = { type: 'AddZone', zone_id: 'zone', name: 'zone' } as const;
    givenLocation(...full.slice(0, -1))
      .when(add)
      .then(zone('zone'));
    givenLocation(...full)
      .when(add)
      .thenRejected({ code: 'zones_full' });
    givenLocation(...full)
      .when(asStored(add))
      .then(zone('zone'));
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

describe('the hours of a location', () => {
  const change = { type: 'ChangeLocation', access_hours: OFFICE_HOURS } as const;
  const changed: LocationEvent = { type: 'LocationHoursChanged', data: { access_hours: OFFICE_HOURS } };

  it('are always until they are set', () => {
    expect(foldLocation([opened])!.details.access_hours).toBeNull();
  });

  it('are set as a whole', () => {
    givenLocation(opened).when(change).then(changed);
    expect(foldLocation([opened, changed])!.details.access_hours).toEqual(OFFICE_HOURS);
  });

  it('of the same content change nothing', () => {
    givenLocation(opened, changed)
      .when({ ...change, access_hours: { ...OFFICE_HOURS } })
      .thenNothing();
  });

  it('stay if a change does not name them', () => {
    givenLocation(opened, changed).when({ type: 'ChangeLocation', name: 'Main St' }).thenNothing();
  });

  it('are always again if they are null', () => {
    givenLocation(opened, changed)
      .when({ ...change, access_hours: null })
      .then({ type: 'LocationHoursChanged', data: { access_hours: null } });
  });
});

describe('the contact of a location', () => {
  const reached = { phone: '+13125550100', email: null, address: null };
  const changed: LocationEvent = { type: 'LocationContactChanged', data: reached };
  const paid: LocationEvent = {
    type: 'LocationPaymentUrlChanged',
    data: { payment_url: 'https://pay.example.com' },
  };

  it('is empty until it is set', () => {
    expect(foldLocation([opened])!.details.contact).toEqual(NO_CONTACT);
  });

  it('is merged field by field', () => {
    givenLocation(opened, changed)
      .when({ type: 'ChangeLocation', contact: { email: 'office@example.com' } })
      .then({ type: 'LocationContactChanged', data: { ...reached, email: 'office@example.com' } });
  });

  it('loses a field that is null', () => {
    givenLocation(opened, changed)
      .when({ type: 'ChangeLocation', contact: { phone: null } })
      .then({ type: 'LocationContactChanged', data: { ...reached, phone: null } });
  });

  it('has the payment link in an event of its own', () => {
    givenLocation(opened, changed)
      .when({ type: 'ChangeLocation', contact: { payment_url: 'https://pay.example.com' } })
      .then(paid);
    const { contact } = foldLocation([opened, paid, changed])!.details;
    expect(contact).toEqual({ ...reached, payment_url: 'https://pay.example.com' });
  });

  it('of the same content changes nothing', () => {
    givenLocation(opened, changed, paid)
      .when({ type: 'ChangeLocation', contact: { ...reached, payment_url: 'https://pay.example.com' } })
      .thenNothing();
  });
});

describe('the currency of a location', () => {
  const changed: LocationEvent = { type: 'LocationCurrencyChanged', data: { currency: 'EUR' } };

  it('is USD until it is set', () => {
    expect(foldLocation([opened])!.details.currency).toBe('USD');
    givenLocation(opened).when({ type: 'ChangeLocation', currency: 'USD' }).thenNothing();
  });

  it('is set by an event, and named among those that the past is read from', () => {
    givenLocation(opened).when({ type: 'ChangeLocation', currency: 'EUR' }).then(changed);
    expect(foldLocation([opened, changed])!.details).toMatchObject({ currency: 'EUR', set_at: [0, 1] });
  });
});

describe('sharing by tenants', () => {
  const changed = (tenant_sharing: boolean): LocationEvent => ({
    type: 'LocationTenantSharingChanged',
    data: { tenant_sharing },
  });

  it('is off until it is switched on', () => {
    expect(foldLocation([opened])!.details.tenant_sharing).toBe(false);
    givenLocation(opened).when({ type: 'ChangeLocation', tenant_sharing: false }).thenNothing();
    givenLocation(opened).when({ type: 'ChangeLocation', tenant_sharing: true }).then(changed(true));
    expect(foldLocation([opened, changed(true)])!.details).toMatchObject({
      tenant_sharing: true,
      revision: 1,
    });
  });

  it('is switched off again', () => {
    givenLocation(opened, changed(true))
      .when({ type: 'ChangeLocation', tenant_sharing: false })
      .then(changed(false));
  });
});

describe('the notices of a location', () => {
  const at = 1_000;
  const turned = (notices: object, instant: number): LocationEvent => ({
    type: 'LocationNoticesChanged',
    data: { notices: { ...NO_NOTICES, ...notices }, at: instant },
  });
  const sinceAfter = (...events: LocationEvent[]) => foldLocation([opened, ...events])!.details.notices_since;

  it('are off until they are switched on', () => {
    expect(foldLocation([opened])!.details.notices).toEqual(NO_NOTICES);
    givenLocation(opened).when({ type: 'ChangeLocation', notices: NO_NOTICES }).thenNothing();
  });

  it('change in the fields that are named', () => {
    givenLocation(opened, turned({ closed: true }, at))
      .when({ type: 'ChangeLocation', notices: { closes_in_days: 3 } }, 2_000)
      .then(turned({ closed: true, closes_in_days: 3 }, 2_000));
  });

  it('that are on already change nothing', () => {
    givenLocation(opened, turned({ closed: true }, at))
      .when({ type: 'ChangeLocation', notices: { closed: true, opened: false } })
      .thenNothing();
  });

  it('know since when each is on, also after another number of days', () => {
    expect(
      sinceAfter(turned({ closes_in_days: 3 }, at), turned({ closes_in_days: 5, closed: true }, 2_000)),
    ).toEqual({ welcome: null, closes_in_days: at, closed: 2_000, opened: null });
  });

  it('that were off and on again are on since the second time', () => {
    expect(
      sinceAfter(turned({ closed: true }, at), turned({}, 2_000), turned({ closed: true }, 3_000)),
    ).toMatchObject({ closed: 3_000 });
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
      .withResult({
        ...gateData,
        zone_ids: ['a', 'b'],
        in_service: true,
        hours: 'location',
        key_format: 1,
        location_id: 'main',
      });
  });

  it('is refused where the location has 200, unless an earlier version accepted it', () => {
    const full = [...here, ...Array.from({ length: 200 }, (_, n) => gate(`gate-${n}`, 'a'))];
    const addOne = { ...add, zone_ids: ['a'] };
    givenLocation(...full.slice(0, -1))
      .when(addOne)
      .then(gate('gate', 'a'));
    givenLocation(...full)
      .when(addOne)
      .thenRejected({ code: 'entry_points_full' });
    givenLocation(...full)
      .when(asStored(addOne))
      .then(gate('gate', 'a'));
  });

  it('may be added with hours and a key format of its own', () => {
    givenLocation(...here)
      .when({ ...add, zone_ids: ['a'], hours: 'always', key_format: 3 })
      .then(
        gate('gate', 'a'),
        { type: 'EntryPointHoursChanged', data: { entry_point_id: 'gate', hours: 'always' } },
        { type: 'EntryPointKeyFormatChanged', data: { entry_point_id: 'gate', key_format: 3 } },
      );
  });

  it('changes its hours by an event of their own', () => {
    const change = { type: 'ChangeEntryPoint', entry_point_id: 'gate', hours: 'always' } as const;
    const changed: LocationEvent = {
      type: 'EntryPointHoursChanged',
      data: { entry_point_id: 'gate', hours: 'always' },
    };
    givenLocation(...here, gate('gate', 'a'))
      .when(change)
      .then(changed);
    givenLocation(...here, gate('gate', 'a'), changed)
      .when(change)
      .thenNothing();
    expect(foldLocation([...here, gate('gate', 'a'), changed])!.entry_points.get('gate')).toMatchObject({
      hours: 'always',
    });
  });

  it('is added once, whatever it serves then', () => {
    givenLocation(...here, gate('gate', 'a'))
      .when({ ...add, zone_ids: ['nowhere'] })
      .thenNothing()
      .withResult(foldLocation([...here, gate('gate', 'a')])!.entry_points.get('gate')!);
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

  it('leads to one zone more, or to one less, and keeps the others', () => {
    const led = (...zone_ids: string[]): LocationEvent => {
      return { type: 'EntryPointChanged', data: { entry_point_id: 'gate', zone_ids, at: 20 } };
    };
    const about = { zone_id: 'b', entry_point_id: 'gate' };
    givenLocation(...here, gate('gate', 'a'))
      .when({ type: 'ZoneEntryPoint', ...about }, 20)
      .then(led('a', 'b'))
      .withResult({
        ...foldLocation([...here, gate('gate', 'a')])!.entry_points.get('gate')!,
        zone_ids: ['a', 'b'],
      });
    givenLocation(...here, gate('gate', 'b', 'a'))
      .when({ type: 'UnzoneEntryPoint', ...about }, 20)
      .then(led('a'));
  });

  it('that leads to a zone already, or to it no more, does not change', () => {
    const about = { zone_id: 'b', entry_point_id: 'gate' };
    givenLocation(...here, gate('gate', 'b'))
      .when({ type: 'ZoneEntryPoint', ...about })
      .thenNothing();
    givenLocation(...here, gate('gate', 'a'))
      .when({ type: 'UnzoneEntryPoint', ...about })
      .thenNothing();
  });

  it('that leads no more to a zone that was removed since does not change', () => {
    givenLocation(...here, gate('gate', 'a'), { type: 'ZoneRemoved', data: { zone_id: 'b', at: 10 } })
      .when({ type: 'UnzoneEntryPoint', zone_id: 'b', entry_point_id: 'gate' }, 20)
      .thenNothing();
  });

  it.each(['ZoneEntryPoint', 'UnzoneEntryPoint'] as const)('%s refuses what is unknown', (type) => {
    givenLocation(...here, gate('gate', 'a'))
      .when({ type, zone_id: 'nowhere', entry_point_id: 'gate' })
      .thenRejected({ code: 'zone_not_found' });
    givenLocation(...here)
      .when({ type, zone_id: 'a', entry_point_id: 'gate' })
      .thenRejected({ code: 'entry_point_not_found' });
  });

  it('with the same zones in another order does not change', () => {
    givenLocation(...here, gate('gate', 'a', 'b'))
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', zone_ids: ['b', 'a', 'b'] })
      .thenNothing()
      .withResult(foldLocation([...here, gate('gate', 'a', 'b')])!.entry_points.get('gate')!);
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
      .withResult({ key_format: 1 });
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
      .withResult({
        lock_id: 'lock',
        name: 'lock',
        serial: null,
        key_format: 1,
        location_id: 'main',
        unit_id: null,
      });
  });

  it('changes its key format', () => {
    const change = { type: 'ChangeLock', lock_id: 'lock', key_format: 3 } as const;
    const changed: LocationEvent = { type: 'LockKeyFormatChanged', data: { lock_id: 'lock', key_format: 3 } };
    givenLocation(...here)
      .when(change)
      .then(changed);
    givenLocation(...here, changed)
      .when(change)
      .thenNothing();
    givenLocation(opened).when(change).thenRejected({ code: 'lock_not_found' });
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
    givenLocation(opened, first)
      .when({ type: 'AddLock', lock_id: 'lock', name: 'Door', serial: '7' })
      .thenNothing();
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
      .withResult(foldLocation([...here, attached])!.locks.get('lock')!);
  });

  it('tells that what it is set up with was handed out, each time', () => {
    const provision = { type: 'ProvisionLock', lock_id: 'lock' } as const;
    const provisioned: LocationEvent = { type: 'LockProvisioned', data: { lock_id: 'lock' } };
    givenLocation(...here)
      .when(provision)
      .then(provisioned)
      .withResult({ key_format: 1 });
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
      .withResult(foldLocation([...here, attached, detached])!.locks.get('lock')!);
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

describe('what is no longer there', () => {
  const zoneRemoved: LocationEvent = { type: 'ZoneRemoved', data: { zone_id: 'zone', at: 0 } };
  const lockRemoved: LocationEvent = { type: 'LockRemoved', data: { lock_id: 'lock', at: 0 } };
  const gateRemoved: LocationEvent = { type: 'EntryPointRemoved', data: { entry_point_id: 'gate', at: 0 } };
  const closed: LocationEvent = {
    type: 'EntryPointChanged',
    data: { entry_point_id: 'gate', in_service: false, at: 0 },
  };

  it('a zone is removed once it has no unit and no entry point leads to it', () => {
    const remove = { type: 'RemoveZone', zone_id: 'zone' } as const;
    givenLocation(opened, zone('zone')).when(remove).then(zoneRemoved);
    givenLocation(opened, zone('zone'), zoneRemoved).when(remove).thenNothing();
    givenLocation(opened, zone('zone'), zoned).when(remove).thenRejected({ code: 'zone_in_use' });
    givenLocation(opened, zone('zone'), gate('gate', 'zone'))
      .when(remove)
      .thenRejected({ code: 'zone_in_use' });
    givenLocation(opened, zone('zone'), zone('other'), gate('gate', 'other', 'zone'))
      .when(remove)
      .thenRejected({ code: 'zone_in_use' });
    givenLocation(opened, zone('zone'), zone('other'), gate('gate', 'other')).when(remove).then(zoneRemoved);
    givenLocation(opened).when(remove).thenRejected({ code: 'zone_not_found' });
  });

  it('an entry point is removed once it is out of service, or no unit is behind it', () => {
    const remove = { type: 'RemoveEntryPoint', entry_point_id: 'gate' } as const;
    const here = [opened, zone('zone'), gate('gate', 'zone')];
    givenLocation(...here)
      .when(remove)
      .then(gateRemoved);
    givenLocation(...here, zoned)
      .when(remove)
      .thenRejected({ code: 'entry_point_in_use' });
    givenLocation(...here, zoned, closed)
      .when(remove)
      .then(gateRemoved);
    givenLocation(...here, gateRemoved)
      .when(remove)
      .thenNothing();
    givenLocation(opened).when(remove).thenRejected({ code: 'entry_point_not_found' });
  });

  it('a lock is removed once it is on no unit', () => {
    const remove = { type: 'RemoveLock', lock_id: 'lock' } as const;
    givenLocation(opened, lock('lock')).when(remove).then(lockRemoved);
    givenLocation(opened, lock('lock'), attached).when(remove).thenRejected({ code: 'lock_in_use' });
    givenLocation(opened, lock('lock'), lockRemoved).when(remove).thenNothing();
    givenLocation(opened).when(remove).thenRejected({ code: 'lock_not_found' });
  });

  it('is known as it was last, and since when it is gone', () => {
    const removed = (events: readonly LocationEvent[]) => foldLocation([opened, ...events])!.removed;
    const at = 7;
    expect(
      removed([zone('zone'), { type: 'ZoneRemoved', data: { zone_id: 'zone', at } }]).zones.get('zone'),
    ).toMatchObject({ name: 'zone', removed_at: at, revision: 2 });
    expect(
      removed([lock('lock'), { type: 'LockRemoved', data: { lock_id: 'lock', at } }]).locks.get('lock'),
    ).toMatchObject({ name: 'lock', removed_at: at, revision: 2 });
    const gateIsGone: LocationEvent = { type: 'EntryPointRemoved', data: { entry_point_id: 'gate', at } };
    const gone = removed([zone('zone'), gate('gate', 'zone'), gateIsGone]).entry_points.get('gate')!;
    expect(gone).toMatchObject({ name: 'gate', removed_at: at, revision: 3 });
    expect([6, 7].map((instant) => zonesAt(gone, instant))).toEqual([['zone'], []]);
  });

  it('takes no command: no unit, no lock, no name', () => {
    const gone = [opened, zone('zone'), zoneRemoved, lock('lock'), lockRemoved];
    for (const [command, code] of [
      [{ type: 'ZoneUnit', zone_id: 'zone', unit }, 'zone_not_found'],
      [{ type: 'RenameZone', zone_id: 'zone', name: 'Again' }, 'zone_not_found'],
      [{ type: 'AttachLock', lock_id: 'lock', unit }, 'lock_not_found'],
      [{ type: 'ChangeLock', lock_id: 'lock', name: 'Again' }, 'lock_not_found'],
      [{ type: 'ProvisionLock', lock_id: 'lock' }, 'lock_not_found'],
    ] as const)
      givenLocation(...gone)
        .when(command)
        .thenRejected({ code });
  });

  it('makes room for another zone at a location that was full', () => {
    const full = Array.from({ length: 500 }, (_, n) => zone(`zone-${n}`));
    const add = { type: 'AddZone', zone_id: 'next', name: 'next' } as const;
    givenLocation(opened, ...full)
      .when(add)
      .thenRejected({ code: 'zones_full' });
    givenLocation(opened, ...full, { type: 'ZoneRemoved', data: { zone_id: 'zone-7', at: 0 } })
      .when(add)
      .then({ type: 'ZoneAdded', data: { zone_id: 'next', name: 'next' } });
  });
});

describe('a lock of a unit', () => {
  const here = [opened, lock('lock'), attached];
  const detached: LocationEvent = { type: 'LockDetached', data: { lock_id: 'lock', unit_id: 'unit', at: 0 } };
  const replace = { type: 'ReplaceLock', lock_id: 'lock', unit } as const;
  const nextAttached: LocationEvent = {
    type: 'LockAttached',
    data: { lock_id: 'next', unit_id: 'unit', at: 0 },
  };

  it('is replaced by a new one that has its name', () => {
    const by = { kind: 'new', lock_id: 'next', serial: '7' } as const;
    givenLocation(...here)
      .when({ ...replace, by })
      .then(
        detached,
        { type: 'LockAdded', data: { lock_id: 'next', name: 'lock', serial: '7' } },
        nextAttached,
      );
  });

  it('is replaced by a spare one, and by none that is on a unit', () => {
    const by = { kind: 'known', lock_id: 'next' } as const;
    givenLocation(...here, lock('next'))
      .when({ ...replace, by })
      .then(detached, nextAttached);
    const elsewhere: LocationEvent = {
      type: 'LockAttached',
      data: { lock_id: 'next', unit_id: 'other', at: 0 },
    };
    givenLocation(...here, lock('next'), elsewhere)
      .when({ ...replace, by })
      .thenRejected({ code: 'lock_on_another_unit' });
  });

  it('is replaced once, and its unit keeps the new one', () => {
    const by = { kind: 'new', lock_id: 'next', serial: '7' } as const;
    const done = [...here, detached, lock('next'), nextAttached];
    givenLocation(...done)
      .when({ ...replace, by })
      .thenNothing()
      .withResult(foldLocation(done)!.locks.get('next')!);
  });

  it('is replaced by a new one with the key format that it is given', () => {
    givenLocation(...here)
      .when({ ...replace, by: { kind: 'new', lock_id: 'next', serial: null, key_format: 3 } })
      .then(
        detached,
        { type: 'LockAdded', data: { lock_id: 'next', name: 'lock', serial: null } },
        { type: 'LockKeyFormatChanged', data: { lock_id: 'next', key_format: 3 } },
        nextAttached,
      )
      .withResult({
        lock_id: 'next',
        name: 'lock',
        serial: null,
        key_format: 3,
        location_id: 'main',
        unit_id: 'unit',
      });
  });

  it.each([
    ['it is unknown', [opened], replace, 'lock_not_found'],
    [
      'the unit is of another location',
      here,
      { ...replace, unit: { ...unit, location_id: 'side' } },
      'unit_not_of_location',
    ],
    ['it is on no unit', [opened, lock('lock'), lock('next')], replace, 'lock_on_another_unit'],
    [
      'it is on another unit',
      [...here, lock('next')],
      { ...replace, unit: { ...unit, unit_id: 'other' } },
      'lock_on_another_unit',
    ],
    ['the spare one is unknown', here, replace, 'lock_not_found'],
  ] as const)('is not replaced if %s', (_, events, command, code) => {
    givenLocation(...events)
      .when({ ...command, by: { kind: 'known', lock_id: 'next' } })
      .thenRejected({ code });
  });

  it('is not replaced by one that was removed, also if it is given as a new one', () => {
    const removed: LocationEvent = { type: 'LockRemoved', data: { lock_id: 'next', at: 0 } };
    givenLocation(...here, lock('next'), removed)
      .when({ ...replace, by: { kind: 'new', lock_id: 'next', serial: null } })
      .thenRejected({ code: 'lock_not_found' });
  });

  it('is renamed, and its unit changes with it', () => {
    const renamed: LocationEvent = { type: 'LockRenamed', data: { lock_id: 'lock', name: 'Door' } };
    const known = foldLocation(here)!.locks.get('lock')!;
    givenLocation(...here)
      .when({ type: 'ChangeLock', lock_id: 'lock', name: 'Door' })
      .then(renamed)
      .withResult({ ...known, name: 'Door' });
    const { locks, units } = foldLocation([...here, renamed])!;
    expect(locks.get('lock')).toEqual({ ...known, name: 'Door', revision: 3 });
    expect(units.get('unit')).toMatchObject({ lock_ids: ['lock'], revision: 3 });
  });
});

describe('a change of hours that names those from which it was made', () => {
  const hours = { type: 'LocationHoursChanged', data: { access_hours: OFFICE_HOURS } } as const;
  const change = { type: 'ChangeLocation', access_hours: null } as const;

  it('is accepted while they are the newest', () => {
    givenLocation(opened, hours)
      .when({ ...change, hours_from: 1 })
      .then({ type: 'LocationHoursChanged', data: { access_hours: null } });
    givenLocation(opened)
      .when({ ...change, access_hours: OFFICE_HOURS, hours_from: null })
      .then(hours);
  });

  it('is refused after others', () => {
    for (const hours_from of [null, 0])
      givenLocation(opened, hours)
        .when({ ...change, hours_from })
        .thenRejected({ code: 'hours_changed' });
    givenLocation(opened)
      .when({ ...change, hours_from: 1 })
      .thenRejected({ code: 'hours_changed' });
  });
});
