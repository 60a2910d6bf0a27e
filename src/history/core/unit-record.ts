import type { DomainEvent, StoredDomainEvent } from '../../log/domain-event.js';
import type {
  LocationAdded,
  LocationPolicyChanged,
  LocationRenamed,
  SiteEvent,
} from '../../sites/core/site.events.js';
import type { UnitEvent } from '../../units/core/unit.events.js';

/** An event of the log with its place in time. */
export type Logged<Event extends DomainEvent> = StoredDomainEvent<Event> & {
  /** `occurred_at`, in milliseconds. */
  readonly instant: number;
  /** Orders events of different streams that share an instant. */
  readonly position: bigint;
};

/** What changes a location as its units know it. */
export type LocationEvent = LocationAdded | LocationRenamed | LocationPolicyChanged;

/** All that the log holds about one unit's access. Each stream is in revision order. */
export interface UnitRecord {
  readonly own: readonly Logged<UnitEvent>[];
  /** The streams of all other units that ever belonged to one of the unit's tenants. */
  readonly siblings: readonly (readonly Logged<UnitEvent>[])[];
  /** Of the unit's own location only. */
  readonly location: readonly Logged<LocationEvent>[];
}

export function isLocationEvent(
  event: Logged<SiteEvent>,
  location_id: string,
): event is Logged<LocationEvent> {
  switch (event.type) {
    case 'LocationAdded':
    case 'LocationRenamed':
    case 'LocationPolicyChanged':
      return event.data.location_id === location_id;
    default:
      return false;
  }
}
