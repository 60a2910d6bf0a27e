import { DEFAULT_POLICY } from '../../src/sites/core/location-policy.js';
import type { SiteEvent } from '../../src/sites/core/site.events.js';
import { givenSite } from './given-site.js';
import { gate, location, lock, registered, zone } from './site-samples.js';

const unit = { unit_id: 'unit', location_id: 'main' };
const attached: SiteEvent = { type: 'LockAttached', data: { lock_id: 'lock', unit_id: 'unit' } };
const zoned: SiteEvent = { type: 'UnitZoned', data: { zone_id: 'zone', unit_id: 'unit' } };

describe('a company', () => {
  it('is registered at the instant of the decision', () => {
    givenSite()
      .when({ type: 'RegisterCompany', company_id: 'company', name: 'Ada Storage' })
      .then(registered);
  });

  it('is registered once', () => {
    givenSite(registered)
      .when({ type: 'RegisterCompany', company_id: 'company', name: 'Ada Storage' })
      .thenNothing();
  });

  it('must exist before anything of it', () => {
    givenSite()
      .when({ type: 'IssueApiToken', token_id: 'token', name: 'production' })
      .thenRejected({ code: 'company_not_found' });
  });
});

describe('an API token', () => {
  const issued: SiteEvent = { type: 'ApiTokenIssued', data: { token_id: 'token', name: 'production' } };

  it('is issued under a name', () => {
    givenSite(registered).when({ type: 'IssueApiToken', token_id: 'token', name: 'production' }).then(issued);
  });

  it('is revoked once', () => {
    const revoked: SiteEvent = { type: 'ApiTokenRevoked', data: { token_id: 'token' } };
    givenSite(registered, issued).when({ type: 'RevokeApiToken', token_id: 'token' }).then(revoked);
    givenSite(registered, issued, revoked).when({ type: 'RevokeApiToken', token_id: 'token' }).thenNothing();
  });

  it('that was never issued cannot be revoked', () => {
    givenSite(registered)
      .when({ type: 'RevokeApiToken', token_id: 'token' })
      .thenRejected({ code: 'api_token_not_found' });
  });
});

describe('a location', () => {
  const added = location('main', 'MAIN');
  const command = {
    type: 'AddLocation',
    location_id: 'side',
    pms_location_code: 'SIDE',
    name: 'Side St',
    policy: { ...DEFAULT_POLICY, balance_threshold: 40 },
  } as const;

  it('is added with its policy', () => {
    const { location_id, pms_location_code, name, policy } = command;
    givenSite(registered, added)
      .when(command)
      .then({ type: 'LocationAdded', data: { location_id, pms_location_code, name, policy } });
  });

  it('has a code of its own within the company', () => {
    givenSite(registered, added)
      .when({ ...command, pms_location_code: 'MAIN' })
      .thenRejected({ code: 'pms_location_code_taken' });
  });

  it('tells only what a change changed, the policy as a whole', () => {
    givenSite(registered, added)
      .when({
        type: 'ChangeLocation',
        location_id: 'main',
        name: 'Main St',
        policy: { grace_period_days: 5, timezone: 'America/Chicago' },
      })
      .then(
        { type: 'LocationRenamed', data: { location_id: 'main', name: 'Main St' } },
        {
          type: 'LocationPolicyChanged',
          data: { location_id: 'main', policy: { ...DEFAULT_POLICY, timezone: 'America/Chicago' } },
        },
      );
  });

  it('changed to what it is does not change', () => {
    givenSite(registered, added)
      .when({ type: 'ChangeLocation', location_id: 'main', name: 'main', policy: { grace_period_days: 5 } })
      .thenNothing();
  });

  it('that is unknown cannot be changed', () => {
    givenSite(registered)
      .when({ type: 'ChangeLocation', location_id: 'main', name: 'Main St' })
      .thenRejected({ code: 'location_not_found' });
  });
});

describe('a zone', () => {
  const here = [registered, location('main'), zone('zone', 'main')];

  it('belongs to a location', () => {
    givenSite(registered, location('main'))
      .when({ type: 'AddZone', zone_id: 'zone', location_id: 'main', name: 'zone' })
      .then(zone('zone', 'main'));
    givenSite(registered)
      .when({ type: 'AddZone', zone_id: 'zone', location_id: 'main', name: 'zone' })
      .thenRejected({ code: 'location_not_found' });
  });

  it('takes a unit of its location once', () => {
    givenSite(...here)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit })
      .then(zoned);
    givenSite(...here, zoned)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit })
      .thenNothing();
  });

  it('takes no unit of another location', () => {
    givenSite(...here)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit: { unit_id: 'unit', location_id: 'side' } })
      .thenRejected({ code: 'unit_not_of_location' });
  });

  it('lets a unit go once', () => {
    const unzoned: SiteEvent = { type: 'UnitUnzoned', data: { zone_id: 'zone', unit_id: 'unit' } };
    givenSite(...here, zoned)
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' })
      .then(unzoned);
    givenSite(...here, zoned, unzoned)
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' })
      .thenNothing();
  });

  it('that is unknown is refused', () => {
    givenSite(registered)
      .when({ type: 'ZoneUnit', zone_id: 'zone', unit })
      .thenRejected({ code: 'zone_not_found' });
    givenSite(registered)
      .when({ type: 'UnzoneUnit', zone_id: 'zone', unit_id: 'unit' })
      .thenRejected({ code: 'zone_not_found' });
  });
});

describe('an entry point', () => {
  const here = [
    registered,
    location('main'),
    location('side'),
    zone('a', 'main'),
    zone('b', 'main'),
    zone('c', 'side'),
  ];
  const add = {
    type: 'AddEntryPoint',
    entry_point_id: 'gate',
    location_id: 'main',
    name: 'gate',
    kind: 'gate',
  } as const;

  it('serves zones of its location, each once, and is in service', () => {
    givenSite(...here)
      .when({ ...add, zone_ids: ['a', 'b', 'a'] })
      .then(gate('gate', 'main', 'a', 'b'));
  });

  it('names every zone that is not of its location', () => {
    givenSite(...here)
      .when({ ...add, zone_ids: ['c', 'a', 'nowhere'] })
      .thenRejected({ code: 'zones_not_of_location', indexes: [0, 2] });
    givenSite(...here, gate('gate', 'main', 'a'))
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', zone_ids: ['a', 'c'] })
      .thenRejected({ code: 'zones_not_of_location', indexes: [1] });
  });

  it('belongs to a location', () => {
    givenSite(registered)
      .when({ ...add, zone_ids: [] })
      .thenRejected({ code: 'location_not_found' });
  });

  it('tells only what a change changed', () => {
    givenSite(...here, gate('gate', 'main', 'a'))
      .when({
        type: 'ChangeEntryPoint',
        entry_point_id: 'gate',
        name: 'gate',
        zone_ids: ['b'],
        in_service: false,
      })
      .then({
        type: 'EntryPointChanged',
        data: { entry_point_id: 'gate', zone_ids: ['b'], in_service: false },
      });
  });

  it('with the same zones in another order does not change', () => {
    givenSite(...here, gate('gate', 'main', 'a', 'b'))
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', zone_ids: ['b', 'a', 'b'] })
      .thenNothing();
  });

  it('that is unknown is refused', () => {
    givenSite(...here)
      .when({ type: 'ChangeEntryPoint', entry_point_id: 'gate', name: 'North gate' })
      .thenRejected({ code: 'entry_point_not_found' });
  });
});

describe('a lock', () => {
  const here = [registered, location('main'), location('side'), lock('lock', 'main')];

  it('belongs to a location', () => {
    givenSite(registered, location('main'))
      .when({ type: 'AddLock', lock_id: 'lock', location_id: 'main', name: 'lock', serial: null })
      .then(lock('lock', 'main'));
    givenSite(registered)
      .when({ type: 'AddLock', lock_id: 'lock', location_id: 'main', name: 'lock', serial: null })
      .thenRejected({ code: 'location_not_found' });
  });

  it('is put on a unit of its location once', () => {
    givenSite(...here)
      .when({ type: 'AttachLock', lock_id: 'lock', unit })
      .then(attached);
    givenSite(...here, attached)
      .when({ type: 'AttachLock', lock_id: 'lock', unit })
      .thenNothing();
  });

  it('is on one unit at a time', () => {
    givenSite(...here, attached)
      .when({ type: 'AttachLock', lock_id: 'lock', unit: { unit_id: 'other', location_id: 'main' } })
      .thenRejected({ code: 'lock_on_another_unit' });
  });

  it('stays at its location', () => {
    givenSite(...here)
      .when({ type: 'AttachLock', lock_id: 'lock', unit: { unit_id: 'unit', location_id: 'side' } })
      .thenRejected({ code: 'unit_not_of_location' });
  });

  it('is taken off the unit it is on, and can be put on another then', () => {
    const detached: SiteEvent = { type: 'LockDetached', data: { lock_id: 'lock', unit_id: 'unit' } };
    givenSite(...here, attached)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' })
      .then(detached);
    givenSite(...here, attached)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'other' })
      .thenRejected({ code: 'lock_on_another_unit' });
    givenSite(...here, attached, detached)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' })
      .thenNothing();
    givenSite(...here, attached, detached)
      .when({ type: 'AttachLock', lock_id: 'lock', unit: { unit_id: 'other', location_id: 'main' } })
      .then({ type: 'LockAttached', data: { lock_id: 'lock', unit_id: 'other' } });
  });

  it('that is unknown is refused', () => {
    givenSite(registered)
      .when({ type: 'AttachLock', lock_id: 'lock', unit })
      .thenRejected({ code: 'lock_not_found' });
    givenSite(registered)
      .when({ type: 'DetachLock', lock_id: 'lock', unit_id: 'unit' })
      .thenRejected({ code: 'lock_not_found' });
  });

  it('answers as it stands afterwards', () => {
    const decided = givenSite(...here);
    expect(decided.when({ type: 'AttachLock', lock_id: 'lock', unit }).result()).toMatchObject({
      unit_id: 'unit',
    });
  });
});
