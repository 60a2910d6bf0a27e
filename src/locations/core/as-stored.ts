import type { LocationCommand, SetUpUnits } from './location.commands.js';
import type { LocationEvent } from './location.events.js';

/**
 * The command with the ids of its stored events. A repeated command makes new ids, but must answer those of the first
 * attempt.
 */
export function asStored(command: LocationCommand, stored: readonly LocationEvent[]): LocationCommand {
  switch (command.type) {
    case 'AddZone':
      return { ...command, ...idIn(stored, 'ZoneAdded', 'zone_id') };
    case 'AddEntryPoint':
      return { ...command, ...idIn(stored, 'EntryPointAdded', 'entry_point_id') };
    case 'AddLock':
      return { ...command, ...idIn(stored, 'LockAdded', 'lock_id') };
    case 'SetUpUnits':
      return { ...command, rows: command.rows.map((row) => rowAsStored(row, stored)) };
    default:
      return command;
  }
}

type EventOf<Type extends LocationEvent['type']> = Extract<LocationEvent, { type: Type }>;

function idIn<Type extends LocationEvent['type']>(
  stored: readonly LocationEvent[],
  type: Type,
  name: keyof EventOf<Type>['data'],
) {
  const [event] = ofType(stored, type);
  return event === undefined ? {} : { [name]: event.data[name as never] };
}

type Row = SetUpUnits['rows'][number];

/** Names are enough to find the events: one set-up never adds two zones, or two locks, with the same names. */
function rowAsStored({ unit, zone, lock }: Row, stored: readonly LocationEvent[]): Row {
  const zoneAdded = ofType(stored, 'ZoneAdded').find(({ data }) => data.name === zone?.name);
  const lockAdded = ofType(stored, 'LockAdded').find(
    ({ data }) => data.serial === (lock?.serial ?? null) && data.name === (lock?.name ?? lock?.serial),
  );
  return {
    unit,
    zone: zone && { ...zone, new_id: zoneAdded?.data.zone_id ?? zone.new_id },
    lock: lock && { ...lock, new_id: lockAdded?.data.lock_id ?? lock.new_id },
  };
}

function ofType<Type extends LocationEvent['type']>(
  events: readonly LocationEvent[],
  type: Type,
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}
