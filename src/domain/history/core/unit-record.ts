import type { DomainEvent, StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import type {
  LocationCurrencyChanged,
  LocationEvent,
  LocationOpened,
  LocationPolicyChanged,
  LocationRenamed,
} from '#domain/locations/core/location.events.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import type { UnitState } from '#domain/units/core/unit.state.js';

/** A decoded event of the log, with its instant and position. */
export type Logged<Event extends DomainEvent> = StoredDomainEvent<Event> & {
  /** `occurred_at`, in milliseconds. */
  readonly instant: number;
  /** Orders events of different streams that share an instant. */
  readonly position: bigint;
};

/** The events that change the name, the policy or the currency of a location. */
export type DetailsEvent = LocationOpened | LocationRenamed | LocationPolicyChanged | LocationCurrencyChanged;

const DETAILS: readonly LocationEvent['type'][] = [
  'LocationOpened',
  'LocationRenamed',
  'LocationPolicyChanged',
  'LocationCurrencyChanged',
] satisfies DetailsEvent['type'][];

/** All events that matter for one unit's access. Each stream is in the order of its revisions. */
export interface UnitRecord {
  readonly own: readonly Logged<UnitEvent>[];
  /** The state after each of the unit's own events. If given, these events are not evolved again. */
  readonly states?: readonly UnitState[];
  /** The streams of all other units that ever belonged to one of the unit's tenants. */
  readonly siblings: readonly (readonly Logged<UnitEvent>[])[];
  readonly location: readonly Logged<DetailsEvent>[];
}

export function isDetailsEvent(event: Logged<LocationEvent>): event is Logged<DetailsEvent> {
  return DETAILS.includes(event.type);
}
