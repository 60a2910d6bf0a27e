import type { DomainEvent, StoredDomainEvent } from '../../log/domain-event.js';
import type {
  LocationEvent,
  LocationOpened,
  LocationPolicyChanged,
  LocationRenamed,
} from '../../locations/core/location.events.js';
import type { UnitEvent } from '../../units/core/unit.events.js';
import type { UnitState } from '../../units/core/unit.state.js';

/** An event of the log with its place in time. */
export type Logged<Event extends DomainEvent> = StoredDomainEvent<Event> & {
  /** `occurred_at`, in milliseconds. */
  readonly instant: number;
  /** Orders events of different streams that share an instant. */
  readonly position: bigint;
};

/** The events that change a location as its units know it. */
export type DetailsEvent = LocationOpened | LocationRenamed | LocationPolicyChanged;

/** All that the log holds about one unit's access. Each stream is in revision order. */
export interface UnitRecord {
  readonly own: readonly Logged<UnitEvent>[];
  /** The unit after each of its own events, if it is known: these are not folded again. */
  readonly states?: readonly UnitState[];
  /** The streams of all other units that ever belonged to one of the unit's tenants. */
  readonly siblings: readonly (readonly Logged<UnitEvent>[])[];
  readonly location: readonly Logged<DetailsEvent>[];
}

export function isDetailsEvent(event: Logged<LocationEvent>): event is Logged<DetailsEvent> {
  const { type } = event;
  return type === 'LocationOpened' || type === 'LocationRenamed' || type === 'LocationPolicyChanged';
}
