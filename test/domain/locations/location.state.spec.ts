import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { NO_CONTACT } from '#domain/locations/core/contact.js';
import { NEVER_NOTICED, NO_NOTICES } from '#domain/locations/core/notices.js';
import { evolveLocation, evolveLocationList } from '#domain/locations/core/location.state.js';
import { foldLocation, gate, lock, opened, zone } from './location-samples.js';

const MAIN = { location_id: 'main', company_id: 'company', pms_location_code: 'MAIN', name: 'Main St' };

describe('the fold of a location', () => {
  it('knows of its details what holds, and every revision that set one of them', () => {
    const policy = { ...DEFAULT_POLICY, grace_period_days: 9 };
    const events: LocationEvent[] = [
      opened,
      zone('zone'),
      { type: 'LocationPolicyChanged', data: { policy } },
      { type: 'LocationRenamed', data: { name: 'Side St' } },
      { type: 'LockProvisioned', data: { lock_id: 'lock' } },
    ];
    const details = events.map((_, place) => foldLocation(events.slice(0, place + 1))!.details);
    const first = {
      ...MAIN,
      policy: DEFAULT_POLICY,
      access_hours: null,
      hours_set_at: [],
      contact: NO_CONTACT,
      currency: 'USD',
      notices: NO_NOTICES,
      notices_since: NEVER_NOTICED,
      tenant_sharing: false,
      policy_revision: 0,
      set_at: [0],
      revision: 0,
    };
    const changed = { ...first, policy, policy_revision: 2, set_at: [0, 2], revision: 2 };
    const renamed = { ...changed, name: 'Side St', set_at: [0, 2, 3], revision: 3 };
    expect(details).toEqual([first, first, changed, renamed, renamed]);
    expect(foldLocation(events)!.revision).toBe(4);
  });

  it('begins with nothing in it', () => {
    const { zones, entry_points, locks, units } = foldLocation([opened])!;
    expect([zones.size, entry_points.size, locks.size, units.size]).toEqual([0, 0, 0, 0]);
  });

  it('knows each zone and unit with the revision that last changed it', () => {
    const { zones, units } = foldLocation([
      opened,
      zone('a'),
      zone('b'),
      { type: 'UnitZoned', data: { zone_id: 'a', unit_id: 'one', at: 10 } },
      { type: 'UnitZoned', data: { zone_id: 'b', unit_id: 'one', at: 20 } },
      { type: 'UnitUnzoned', data: { zone_id: 'a', unit_id: 'one', at: 30 } },
      { type: 'UnitZoned', data: { zone_id: 'a', unit_id: 'two', at: 40 } },
    ])!;
    expect([...zones.values()]).toEqual([
      { zone_id: 'a', location_id: 'main', name: 'a', revision: 1 },
      { zone_id: 'b', location_id: 'main', name: 'b', revision: 2 },
    ]);
    expect(units.get('one')).toEqual({
      unit_id: 'one',
      zone_ids: ['b'],
      zone_stays: [
        { zone_id: 'a', from: 10, until: 30 },
        { zone_id: 'b', from: 20, until: null },
      ],
      lock_ids: [],
      revision: 5,
    });
    expect(units.get('two')).toMatchObject({ zone_ids: ['a'], revision: 6 });
  });

  it('keeps a zone that a unit is put in again, once and last', () => {
    const { units } = foldLocation([
      opened,
      { type: 'UnitZoned', data: { zone_id: 'a', unit_id: 'one', at: 10 } },
      { type: 'UnitZoned', data: { zone_id: 'b', unit_id: 'one', at: 20 } },
      { type: 'UnitZoned', data: { zone_id: 'a', unit_id: 'one', at: 30 } },
    ])!;
    expect(units.get('one')).toMatchObject({
      zone_ids: ['b', 'a'],
      zone_stays: [
        { zone_id: 'a', from: 10, until: null },
        { zone_id: 'b', from: 20, until: null },
      ],
    });
  });

  it('knows each entry point as it was added and changed', () => {
    const settings = { hours: 'location', hours_set_at: [], key_format: 1 };
    const added = { ...gate('gate', 'a').data, ...settings, location_id: 'main' } as Record<string, unknown>;
    delete added['at'];
    const stays = [{ zone_id: 'a', from: 0, until: null }];
    const before = foldLocation([opened, gate('gate', 'a')])!;
    expect(before.entry_points.get('gate')).toEqual({ ...added, zone_stays: stays, revision: 1 });
    const data = { entry_point_id: 'gate', in_service: false, at: 9 };
    const after = foldLocation([{ type: 'EntryPointChanged', data }], before)!;
    expect(after.entry_points.get('gate')).toEqual({
      ...added,
      in_service: false,
      zone_stays: stays,
      revision: 2,
    });
  });

  it('knows the revisions that set the own hours of an entry point', () => {
    const keeps = (hours: 'location' | 'always'): LocationEvent => {
      return { type: 'EntryPointHoursChanged', data: { entry_point_id: 'gate', hours } };
    };
    const { entry_points } = foldLocation([opened, gate('gate', 'a'), keeps('always'), keeps('location')])!;
    expect(entry_points.get('gate')).toMatchObject({ hours: 'location', hours_set_at: [2, 3], revision: 3 });
  });

  it('knows each lock with the doors it was on, and each unit with the locks it had', () => {
    const on = (lock_id: string, unit_id: string, at: number): LocationEvent => {
      return { type: 'LockAttached', data: { lock_id, unit_id, at } };
    };
    const off: LocationEvent = { type: 'LockDetached', data: { lock_id: 'one', unit_id: 'unit', at: 20 } };
    const added = foldLocation([opened, lock('one'), lock('two')])!;
    const bare = { lock_id: 'one', location_id: 'main', name: 'one', serial: null, key_format: 1 };
    expect(added.locks.get('one')).toEqual({ ...bare, unit_id: null, placements: [], revision: 1 });
    const hung = foldLocation([on('one', 'unit', 10)], added)!;
    const placement = { unit_id: 'unit', from: 10, until: null };
    expect(hung.locks.get('one')).toEqual({ ...bare, unit_id: 'unit', placements: [placement], revision: 3 });
    const { locks, units } = foldLocation([off, on('two', 'unit', 30), on('one', 'unit', 40)], hung)!;
    expect(locks.get('one')).toEqual({
      ...bare,
      unit_id: 'unit',
      placements: [
        { unit_id: 'unit', from: 10, until: 20 },
        { unit_id: 'unit', from: 40, until: null },
      ],
      revision: 6,
    });
    const unit = { unit_id: 'unit', zone_ids: [], zone_stays: [], lock_ids: ['one', 'two'], revision: 6 };
    expect(units.get('unit')).toEqual(unit);
  });

  it('leaves what ended long ago as it ended', () => {
    const moved = (type: 'LockAttached' | 'LockDetached', at: number): LocationEvent => {
      return { type, data: { lock_id: 'one', unit_id: 'unit', at } };
    };
    const events = [moved('LockAttached', 1), moved('LockDetached', 2), moved('LockAttached', 3)];
    const { locks } = foldLocation([opened, lock('one'), ...events, moved('LockDetached', 4)])!;
    expect(locks.get('one')).toMatchObject({
      unit_id: null,
      placements: [
        { unit_id: 'unit', from: 1, until: 2 },
        { unit_id: 'unit', from: 3, until: 4 },
      ],
      revision: 5,
    });
  });

  it('of a list copies the map of units once, and leaves the state before as it was', () => {
    const before = foldLocation([opened, zone('a')])!;
    const evolve = evolveLocationList();
    let state = before;
    const copies = new Set<unknown>();
    for (let number = 0; number < 1_000; number += 1) {
      const data = { zone_id: 'a', unit_id: `unit-${number}`, at: 10 };
      state = evolve(state, { type: 'UnitZoned', data }, number + 2);
      copies.add(state.units);
    }
    expect([copies.size, state.units.size, before.units.size]).toEqual([1, 1_000, 0]);
  });

  it('takes no stream that does not begin with the opening, nor a change of what was never added', () => {
    expect(() => evolveLocation(undefined, zone('a'), 0)).toThrow('begins with ZoneAdded');
    const detached: LocationEvent = { type: 'LockDetached', data: { lock_id: 'x', unit_id: 'u', at: 1 } };
    expect(() => foldLocation([opened, detached])).toThrow('what was never added');
  });
});
