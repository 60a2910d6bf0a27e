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
import { evolveLocation, type LocationState, type LockState } from '../location.state.js';
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

/** Decides the rows one after the other. A refused row changes nothing and does not affect the others. */
export function setUpUnits(
  state: LocationState,
  { rows, at_cap = 'refuse' }: SetUpUnits,
  now: number,
): LocationDecision<LocationResults['SetUpUnits'], LocationState> {
  let current = state;
  const names = new SetupNames(state);
  const events: LocationEvent[] = [];
  const result = rows.map((row): SetupOutcome => {
    const done = setUpRow(current, names, { ...row, at_cap }, now);
    if ('fault' in done) return done;
    const warnings = warningsOf(current, names, row.unit.unit_id, done.events);
    current = done.state;
    events.push(...done.events);
    names.note(done.events);
    const changes = done.events.map(({ type }) => CHANGES[type as keyof typeof CHANGES]);
    const { zone_id, lock_id } = done;
    return { zone_id, lock_id, changes, ...(warnings.length > 0 && { warnings }) };
  });
  return { events, result, ...(events.length > 0 && { state: current }) };
}

type Fault = Extract<SetupOutcome, { fault: SetupFault }>;

type CappedRow = SetupRow & { readonly at_cap: AtCap };

function setUpRow(state: LocationState, names: SetupNames, row: CappedRow, now: number) {
  if (row.unit.location_id !== state.details.location_id) return { fault: 'unit_not_of_location' } as const;
  const zone_id = row.zone === undefined ? null : findZone(names, row.zone);
  const lock_id = row.lock === undefined ? null : findLock({ state, names }, row.lock, row.unit.unit_id);
  for (const found of [zone_id, lock_id]) if (found !== null && typeof found !== 'string') return found;
  const ids = { zone_id, lock_id } as { zone_id: string | null; lock_id: string | null };
  const events: LocationEvent[] = [];
  let current = state;
  for (const command of commandsOf(row, ids)) {
    const decided = decide(current, command, now);
    if ('rejected' in decided) return { fault: faultOf(decided.rejected) };
    current = decided.events.reduce((one, event) => evolveLocation(one, event, one.revision + 1), current);
    events.push(...decided.events);
  }
  return { ...ids, events, state: current };
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

/** @param state before the events of the row, as `names` */
function warningsOf(
  state: LocationState,
  names: SetupNames,
  unit_id: string,
  events: readonly LocationEvent[],
): SetupWarning[] {
  const { zone_ids = [], lock_ids = [] } = state.units.get(unit_id) ?? {};
  const warnings = events.flatMap(({ type, data }): SetupWarning[] => {
    if (type === 'ZoneAdded') return [{ code: 'zone_name_similar', names: names.zonesLike(data.name) }];
    if (type === 'UnitZoned')
      return [{ code: 'unit_in_other_zone', names: zone_ids.map((id) => state.zones.get(id)!.name) }];
    if (type !== 'LockAttached') return [];
    const locks = lock_ids
      .flatMap((id) => state.locks.get(id) ?? [])
      .filter((lock) => lock.unit_id === unit_id);
    return [{ code: 'unit_has_other_lock', names: locks.map(lockText) }];
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
