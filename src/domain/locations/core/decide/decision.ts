import type { Decided } from '#eventsourcing/writing/aggregate.js';
import type { BareRefusal, LocationRefusal } from '../location.commands.js';
import type { LocationEvent } from '../location.events.js';

export type LocationDecision<Result, State = never> = Decided<LocationEvent, Result, LocationRefusal, State>;

export function accept<Result>(result: Result, ...events: LocationEvent[]): LocationDecision<Result> {
  return { events, result };
}

export function refuse(code: BareRefusal): {
  rejected: LocationRefusal;
} {
  return { rejected: { code } };
}

/** The fields of `wanted` that are given and differ from `current`; undefined if there are none. */
export function differences<Thing extends object>(
  current: Thing,
  wanted: Partial<Thing>,
): Partial<Thing> | undefined {
  const changed = (Object.keys(wanted) as (keyof Thing)[]).filter(
    (name) => wanted[name] !== undefined && wanted[name] !== current[name],
  );
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, wanted[name]])) as Partial<Thing>;
}
