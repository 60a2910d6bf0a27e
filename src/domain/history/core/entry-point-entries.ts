import type { AccessHours } from '../../locations/core/hours/access-hours.js';
import type { LocationEvent } from '../../locations/core/location.events.js';
import { evolveLocationList, type LocationState } from '../../locations/core/location.state.js';
import type { ChangedValue, FieldChanges } from './changes.js';
import type { Logged } from './unit-record.js';
import type { HistoryPoint } from './window.js';

/** An event of a location that changed one of its entry points, or the hours that this keeps. */
export interface EntryPointEntry extends HistoryPoint {
  readonly kind: 'entry_point';
  readonly event: Logged<LocationEvent>;
  readonly changes: FieldChanges;
}

/**
 * What happened to an entry point, oldest first.
 * @param events of its location, from the first on
 */
export function entryPointEntries(
  events: readonly Logged<LocationEvent>[],
  entry_point_id: string,
): EntryPointEntry[] {
  const evolve = evolveLocationList();
  let location: LocationState | undefined;
  let before = ABSENT;
  return events.flatMap((event): EntryPointEntry[] => {
    location = evolve(location, event, event.revision);
    const after = termsOf(location, entry_point_id);
    const changes = changesBetween(before, after);
    before = after;
    if (Object.keys(changes).length === 0 && !isAbout(event, entry_point_id)) return [];
    const { instant, position } = event;
    return [{ kind: 'entry_point', instant, position, event, changes }];
  });
}

function isAbout({ data }: LocationEvent, entry_point_id: string): boolean {
  return 'entry_point_id' in data && data.entry_point_id === entry_point_id;
}

/** What a history tells of an entry point. All null: the location does not have it. */
interface Terms {
  readonly name: string | null;
  readonly kind: string | null;
  readonly zone_ids: readonly string[] | null;
  readonly in_service: boolean | null;
  readonly hours: string | null;
  readonly key_format: number | null;
  /** The hours of the location, while the entry point keeps them. */
  readonly access_hours: AccessHours | null;
  readonly timezone: string | null;
}

const ABSENT: Terms = {
  name: null,
  kind: null,
  zone_ids: null,
  in_service: null,
  hours: null,
  key_format: null,
  access_hours: null,
  timezone: null,
};

function termsOf({ details, entry_points }: LocationState, entry_point_id: string): Terms {
  const entry_point = entry_points.get(entry_point_id);
  if (entry_point === undefined) return ABSENT;
  const { name, kind, zone_ids, in_service, hours, key_format } = entry_point;
  const access_hours = hours === 'location' ? details.access_hours : null;
  const timezone = access_hours === null ? null : details.policy.timezone;
  return { name, kind, zone_ids, in_service, hours, key_format, access_hours, timezone };
}

function changesBetween(before: Terms, after: Terms): FieldChanges {
  const names = Object.keys(after) as (keyof Terms)[];
  return Object.fromEntries(
    names
      .map((name) => [name, { from: told(before[name]), to: told(after[name]) }] as const)
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  );
}

/** Hours are told as JSON, like those of a pass. */
function told(value: Terms[keyof Terms]): ChangedValue {
  const isHours = typeof value === 'object' && value !== null && 'week' in value;
  return isHours ? JSON.stringify(value) : value;
}
