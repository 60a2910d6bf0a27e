import { entryPointEntries } from '#domain/history/core/entry-point-entries.js';
import type { Logged } from '#domain/history/core/unit-record.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';

const OPENED: LocationEvent = {
  type: 'LocationOpened',
  data: {
    location_id: 'l',
    company_id: 'c',
    pms_location_code: 'MAIN',
    name: 'Main',
    policy: DEFAULT_POLICY,
  },
};
const ADDED: LocationEvent = {
  type: 'EntryPointAdded',
  data: { entry_point_id: 'gate', name: 'North', kind: 'gate', zone_ids: ['a'], in_service: true, at: 1 },
};
const HOURS: LocationEvent = {
  type: 'LocationHoursChanged',
  data: { access_hours: { week: { mon: 'always' } as never, exceptions: [], exit_grace_minutes: 10 } },
};

/** Events as they are stored: one at each instant. */
function stored(...events: readonly LocationEvent[]): Logged<LocationEvent>[] {
  return events.map(
    (event, revision) =>
      ({ ...event, revision, instant: revision, position: BigInt(revision) }) as Logged<LocationEvent>,
  );
}
const changes = (...events: readonly LocationEvent[]) =>
  entryPointEntries(stored(OPENED, ...events), 'gate').map((entry) => entry.changes);

describe('what happened to an entry point', () => {
  it('begins with what it is', () => {
    expect(changes(ADDED)).toEqual([
      {
        name: { from: null, to: 'North' },
        kind: { from: null, to: 'gate' },
        zone_ids: { from: null, to: ['a'] },
        in_service: { from: null, to: true },
        hours: { from: null, to: 'location' },
        key_format: { from: null, to: 1 },
      },
    ]);
  });

  it('is what an event changed of it', () => {
    const off: LocationEvent = {
      type: 'EntryPointChanged',
      data: { entry_point_id: 'gate', in_service: false, at: 2 },
    };
    expect(changes(ADDED, off)[1]).toEqual({ in_service: { from: true, to: false } });
  });

  it('is not what an event changed of another one', () => {
    const other: LocationEvent = { ...ADDED, data: { ...ADDED.data, entry_point_id: 'door' } };
    expect(changes(ADDED, other)).toHaveLength(1);
  });

  it('is a change of the hours that it keeps', () => {
    expect(changes(ADDED, HOURS)[1]).toMatchObject({
      access_hours: { from: null, to: expect.stringContaining('"mon":"always"') },
      timezone: { from: null, to: 'UTC' },
    });
  });

  it('is no change of hours that it does not keep', () => {
    const always: LocationEvent = {
      type: 'EntryPointHoursChanged',
      data: { entry_point_id: 'gate', hours: 'always' },
    };
    expect(changes(ADDED, always, HOURS)).toHaveLength(2);
  });

  it('is told where it changed nothing, such as the issue of its secret', () => {
    expect(changes(ADDED, { type: 'EntryPointProvisioned', data: { entry_point_id: 'gate' } })[1]).toEqual(
      {},
    );
  });

  it('ends with its removal', () => {
    const removed: LocationEvent = { type: 'EntryPointRemoved', data: { entry_point_id: 'gate', at: 2 } };
    expect(changes(ADDED, removed, HOURS)).toMatchObject([{}, { name: { from: 'North', to: null } }]);
    expect(changes(ADDED, removed, HOURS)).toHaveLength(2);
  });
});
