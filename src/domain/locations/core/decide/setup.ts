import type {
  AtCap,
  LocationCommand,
  LocationRefusal,
  LocationResults,
  SetupChange,
  SetupFault,
  SetupOutcome,
  SetupRow,
  SetupWarning,
  SetUpUnits,
} from '../location.commands.js';
import type { LocationEvent } from '../location.events.js';
import { evolveLocationList, type LocationState, type LockState } from '../location.state.js';
import type { LocationDecision } from './decision.js';
import { addLock, DECIDERS } from './deciders.js';

const CHANGES = {
  ZoneAdded: 'zone_created',
  UnitZoned: 'unit_zoned',
  LockAdded: 'lock_created',
  LockAttached: 'lock_attached',
} as const satisfies Partial<Record<LocationEvent['type'], SetupChange>>;

/** A warning names this many. */
const MOST_NAMES = 5;

/**
 * Decides the rows one after the other. A refused row changes nothing and does not affect the others. The events of a row
 * change one copy of the state: a location may have thousands of units, and a copy for each event would take long.
 */
export function setUpUnits(
  state: LocationState,
  { rows, at_cap = 'refuse' }: SetUpUnits,
  now: number,
): LocationDecision<LocationResults['SetUpUnits'], LocationState> {
  const evolve = evolveLocationList();
  let current = state;
  const names = new SetupNames(state);
  const events: LocationEvent[] = [];
  const result = rows.map((row): SetupOutcome => {
    const planned = planRow(current, names, { ...row, at_cap }, now);
    if ('fault' in planned) return planned;
    const { zone_id, lock_id, commands } = planned;
    const kept = namesOfKept(current, row.unit.unit_id);
    const rowEvents: LocationEvent[] = [];
    for (const command of commands) {
      const decided = eventsOf(decide(current, command, now));
      for (const event of decided) current = evolve(current, event, current.revision + 1);
      rowEvents.push(...decided);
    }
    const warnings = warningsOf(kept, names, rowEvents);
    events.push(...rowEvents);
    names.note(rowEvents);
    const changes = rowEvents.map(({ type }) => CHANGES[type as keyof typeof CHANGES]);
    return { zone_id, lock_id, changes, ...(warnings.length > 0 && { warnings }) };
  });
  return { events, result, ...(events.length > 0 && { state: current }) };
}

type Fault = Extract<SetupOutcome, { fault: SetupFault }>;

type CappedRow = SetupRow & { readonly at_cap: AtCap };

/** What a row will do. None of its commands is refused. */
interface PlannedRow {
  readonly zone_id: string | null;
  readonly lock_id: string | null;
  readonly commands: readonly SetupCommand[];
}

function planRow(state: LocationState, names: SetupNames, row: CappedRow, now: number): PlannedRow | Fault {
  if (row.unit.location_id !== state.details.location_id) return { fault: 'unit_not_of_location' };
  const zone_id = row.zone === undefined ? null : findZone(names, row.zone);
  const lock_id = row.lock === undefined ? null : findLock({ state, names }, row.lock, row.unit.unit_id);
  if (typeof zone_id === 'object' && zone_id !== null) return zone_id;
  if (typeof lock_id === 'object' && lock_id !== null) return lock_id;
  const commands = [...commandsOf(row, { zone_id, lock_id })];
  const refusal = refusalOf(state, commands, now);
  return refusal === undefined ? { zone_id, lock_id, commands } : { fault: faultOf(refusal) };
}

/** A new zone or lock, which an earlier command of the row makes, refuses nothing. */
function refusalOf(
  state: LocationState,
  commands: readonly SetupCommand[],
  now: number,
): LocationRefusal | undefined {
  for (const command of commands) {
    if (isAboutNew(state, command)) continue;
    const decided = decide(state, command, now);
    if ('rejected' in decided) return decided.rejected;
  }
  return undefined;
}

function isAboutNew({ zones, locks, removed }: LocationState, command: SetupCommand): boolean {
  switch (command.type) {
    case 'ZoneUnit':
      return !zones.has(command.zone_id) && !removed.zones.has(command.zone_id);
    case 'AttachLock':
      return !locks.has(command.lock_id) && !removed.locks.has(command.lock_id);
    default:
      return false;
  }
}

function eventsOf(decided: LocationDecision<object>): readonly LocationEvent[] {
  if ('rejected' in decided)
    throw new Error(`A planned row of a set-up was refused: ${decided.rejected.code}.`);
  return decided.events;
}

function faultOf({ code }: LocationRefusal): SetupFault {
  return code === 'zones_full' ? 'zones_full' : 'lock_on_another_unit';
}

/** Each of these commands changes nothing if its work is done already. */
function* commandsOf(
  { unit, zone, lock, at_cap }: CappedRow,
  { zone_id, lock_id }: { readonly zone_id: string | null; readonly lock_id: string | null },
): Generator<SetupCommand> {
  if (zone_id !== null) {
    yield { type: 'AddZone', zone_id, name: zone!.name, at_cap };
    yield { type: 'ZoneUnit', zone_id, unit };
  }
  if (lock_id !== null) {
    const { name, serial = null } = lock!;
    yield { type: 'AddLock', lock_id, name: name ?? serial!, serial };
    yield { type: 'AttachLock', lock_id, unit };
  }
}

type SetupCommand = Extract<LocationCommand, { type: 'AddZone' | 'ZoneUnit' | 'AddLock' | 'AttachLock' }>;

function decide(state: LocationState, command: SetupCommand, now: number): LocationDecision<object> {
  if (command.type === 'AddLock') return addLock(state, command);
  return DECIDERS[command.type](state, command as never, now);
}

/** What a unit had before its row. */
interface KeptNames {
  readonly zones: readonly string[];
  readonly locks: readonly string[];
}

function namesOfKept({ units, zones, locks }: LocationState, unit_id: string): KeptNames {
  const { zone_ids = [], lock_ids = [] } = units.get(unit_id) ?? {};
  const own = lock_ids.flatMap((id) => locks.get(id) ?? []).filter((lock) => lock.unit_id === unit_id);
  return { zones: zone_ids.map((id) => zones.get(id)!.name), locks: own.map(lockText) };
}

/** @param names before the events of the row */
function warningsOf(kept: KeptNames, names: SetupNames, events: readonly LocationEvent[]): SetupWarning[] {
  const warnings = events.flatMap(({ type, data }): SetupWarning[] => {
    switch (type) {
      case 'ZoneAdded':
        return [{ code: 'zone_name_similar', names: names.zonesLike(data.name) }];
      case 'UnitZoned':
        return [{ code: 'unit_in_other_zone', names: kept.zones }];
      case 'LockAttached':
        return [{ code: 'unit_has_other_lock', names: kept.locks }];
      default:
        return [];
    }
  });
  const named = warnings.map((one) => ({ ...one, names: one.names.slice(0, MOST_NAMES) }));
  return named.filter((warning) => warning.names.length > 0);
}

function lockText({ name, serial }: LockState): string {
  return serial === null || serial === name ? name : `${name} (${serial})`;
}

/** Names that differ in case, spaces and punctuation alone are alike. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[\s\p{P}]/gu, '');
}

/** Index of zones and locks by name, because searching thousands of locks for each row would be slow. */
class SetupNames {
  readonly #zones = new Map<string, string[]>();
  readonly #zonesByFolded = new Map<string, string[]>();
  readonly #locks = new Map<string, string[]>();
  readonly #serials = new Map<string, string[]>();

  constructor({ zones, locks }: LocationState) {
    for (const zone of zones.values()) this.#noteZone(zone);
    for (const lock of locks.values()) this.#noteLock(lock);
  }

  note(events: readonly LocationEvent[]): void {
    for (const { type, data } of events) {
      if (type === 'ZoneAdded') this.#noteZone(data);
      if (type === 'LockAdded') this.#noteLock(data);
    }
  }

  zones(name: string): readonly string[] {
    return this.#zones.get(name) ?? [];
  }

  /** Names of zones. */
  zonesLike(name: string): readonly string[] {
    return this.#zonesByFolded.get(folded(name)) ?? [];
  }

  locks(name: string | undefined): readonly string[] {
    return this.#locks.get(name ?? '') ?? [];
  }

  locksOfSerial(serial: string): readonly string[] {
    return this.#serials.get(serial) ?? [];
  }

  #noteZone({ zone_id, name }: { readonly zone_id: string; readonly name: string }): void {
    add(this.#zones, name, zone_id);
    add(this.#zonesByFolded, folded(name), name);
  }

  #noteLock({ lock_id, name, serial }: Pick<LockState, 'lock_id' | 'name' | 'serial'>): void {
    add(this.#locks, name, lock_id);
    if (serial !== null) add(this.#serials, serial, lock_id);
  }
}

function add(ids: Map<string, string[]>, name: string, id: string): void {
  const known = ids.get(name);
  if (known === undefined) ids.set(name, [id]);
  else known.push(id);
}

function findZone(names: SetupNames, { name, new_id }: NonNullable<SetupRow['zone']>): string | Fault {
  const [zone_id, another] = names.zones(name);
  return another === undefined ? (zone_id ?? new_id) : { fault: 'zone_not_unique' };
}

function findLock(
  { state: { locks }, names }: { readonly state: LocationState; readonly names: SetupNames },
  { name, serial, new_id }: NonNullable<SetupRow['lock']>,
  unit_id: string,
): string | Fault {
  const named = names.locks(name).map((lock_id) => locks.get(lock_id)!);
  if (serial === undefined) {
    const [holder] = named.length === 0 ? names.locksOfSerial(name!) : [];
    if (holder !== undefined) return { fault: 'lock_named_like_serial', locks: [locks.get(holder)!.name] };
    return findByName(named, new_id, unit_id);
  }
  const holders = names.locksOfSerial(serial);
  const [lock_id, another] = holders;
  if (another !== undefined)
    return { fault: 'serial_not_unique', locks: holders.map((one) => locks.get(one)!.name) };
  if (lock_id === undefined)
    return named.some((one) => one.serial === null) ? { fault: 'lock_without_serial' } : new_id;
  const holder = locks.get(lock_id)!.name;
  return name === undefined || holder === name ? lock_id : { fault: 'lock_named_otherwise', locks: [holder] };
}

/** If several locks have the name: the lock on the unit, otherwise the only lock that is on no unit. */
function findByName(named: readonly LockState[], new_id: string, unit_id: string): string | Fault {
  const own = named.find((one) => one.unit_id === unit_id);
  if (own !== undefined) return own.lock_id;
  const [free, another] = named.filter((one) => one.unit_id === null);
  if (another !== undefined) return { fault: 'lock_not_unique' };
  // If this lock is on another unit, the command AttachLock will refuse it.
  return (free ?? named[0])?.lock_id ?? new_id;
}
