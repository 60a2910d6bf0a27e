import type { JsonObject, RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { LocationEvent } from '../../locations/core/location.events.js';
import { evolveLocation, type LocationDetails } from '../../locations/core/location.state.js';

/**
 * Events that each say a setting of a location as a whole, so it holds until the next event of the type. Before the first one
 * the location had what it got when it was opened.
 */
const FIRST_VALUES: Readonly<
  Partial<Record<LocationEvent['type'], (details: LocationDetails) => Readonly<Record<string, unknown>>>>
> = {
  LocationRenamed: ({ name }) => ({ name }),
  LocationPolicyChanged: ({ policy }) => ({ policy }),
  LocationContactChanged: ({ contact: { payment_url: _, ...reached } }) => reached,
  LocationPaymentUrlChanged: ({ contact: { payment_url } }) => ({ payment_url }),
  LocationCurrencyChanged: ({ currency }) => ({ currency }),
  LocationNoticesChanged: ({ notices }) => ({ notices }),
  LocationTenantSharingChanged: ({ tenant_sharing }) => ({ tenant_sharing }),
};

type Found = Pick<RecordedEvent, 'type' | 'revision' | 'data'>;

export function isOfSettings({ type }: Pick<Found, 'type'>): boolean {
  return Object.hasOwn(FIRST_VALUES, type);
}

/**
 * What the fields of an event's data were before it. Undefined: what was read does not reach back so far.
 * @param older events of its stream, newest first
 */
export function settingBefore(event: Found, older: readonly Found[]): JsonObject | undefined {
  const previous = older.find(({ type, revision }) => type === event.type && revision < event.revision);
  if (previous !== undefined) return previous.data;
  const opened = older.find(({ type }) => type === 'LocationOpened');
  return opened && firstValue(event.type as LocationEvent['type'], opened);
}

function firstValue(type: LocationEvent['type'], opened: Found): JsonObject | undefined {
  const { details } = evolveLocation(undefined, opened as unknown as LocationEvent, opened.revision);
  return FIRST_VALUES[type]?.(details) as JsonObject | undefined;
}
