import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type ApiError, errorOf, invalidField } from '#kernel/errors/api-error.js';
import {
  LocationDirectory,
  type LocationDocument,
  type SetupChange,
  type SetupFault,
  type SetupOutcome,
  type SetupWarning,
} from '#domain/locations/index.js';
import { UnitDirectory, type UnitDocument, WriteUnits } from '#domain/units/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { found, ZONES_FULL } from '../facility.refusals.js';
import { LocationCommands } from '../location-commands.js';
import { readSetup } from './setup-rows.js';
import {
  type FoundRow,
  type RefusedRow,
  type SetupMode,
  type SetupRun,
  SetupUnits,
  withoutMissing,
} from './setup-units.js';

type RoundTheClockChange = 'round_the_clock_granted' | 'round_the_clock_ended';

type DoneFoundRow = FoundRow & { readonly outcome: Done; readonly roundTheClock?: RoundTheClockChange };
type DecidedRow = DoneFoundRow | RefusedRow;

function isFound<Row extends FoundRow>(row: Row | RefusedRow): row is Row {
  return !('fault' in row);
}

export type SetupResult = Awaited<ReturnType<SiteSetup['setUp']>>;

/** Puts many units of a location into zones and locks on them (decisions §6). */
@Injectable()
export class SiteSetup {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly named: SetupUnits,
    private readonly commands: CommandBus,
    private readonly locationCommands: LocationCommands,
  ) {}

  /**
   * A fault of one row does not stop the others.
   * @throws ApiError 404 for an unknown location, 422 for a malformed request; StoreUnavailableError, GivenUpError
   */
  async setUp(request: Readonly<Record<string, unknown>>, run: SetupRun) {
    const location = found(await this.locations.location(run.location_id), 'location_not_found');
    const { rows, add_units } = readSetup(request);
    const { named, isFed } = await this.named.find(rows, run);
    const judged = add_units ? await this.#withNewUnits(named, run, location) : withoutMissing(named);
    const occupied = await this.#withoutVacant(judged);
    const decided = await this.#decide(occupied, run);
    const done = await this.#setRoundTheClock(decided, run);
    const result = summary(rows, done, { mode: run.mode, isFed });
    const zones = result.rows.flatMap(({ zone }) => zone ?? []);
    return { ...result, zones_without_entry_point: await this.#withoutEntryPoint(run.location_id, zones) };
  }

  /** Refuses rows that ask for round-the-clock access to a unit that nobody rents. */
  async #withoutVacant(rows: readonly (FoundRow | RefusedRow)[]): Promise<(FoundRow | RefusedRow)[]> {
    const wanting = rows.filter(isFound).filter(({ wanted }) => wanted.round_the_clock === true);
    const units = await this.#unitsOf(wanting);
    return rows.map((row) => {
      if (!isFound(row) || row.wanted.round_the_clock !== true) return row;
      const isOccupied = (units.get(row.unit.unit_id)?.tenancy ?? null) !== null;
      return isOccupied ? row : { fault: invalidField('round_the_clock', 'conflict', VACANT) };
    });
  }

  async #setRoundTheClock(rows: readonly DecidedRow[], run: SetupRun): Promise<DecidedRow[]> {
    const naming = rows.filter(isFound).filter(({ wanted }) => wanted.round_the_clock !== undefined);
    const units = await this.#unitsOf(naming);
    const done: DecidedRow[] = [];
    for (const row of rows) {
      const change = isFound(row) ? await this.#changeRoundTheClock(row, units, run) : undefined;
      done.push(change === undefined ? row : { ...(row as DoneFoundRow), roundTheClock: change });
    }
    return done;
  }

  /** @returns undefined if the row names nothing, or what is so already */
  async #changeRoundTheClock(
    { unit: { unit_id }, wanted: { round_the_clock: wanted } }: FoundRow,
    units: ReadonlyMap<string, UnitDocument>,
    { context, mode }: SetupRun,
  ): Promise<RoundTheClockChange | undefined> {
    const unit = units.get(unit_id);
    if (unit === undefined || wanted === undefined || wanted === unit.round_the_clock) return undefined;
    if (mode === 'carry_out') {
      const { company_id, crm_unit_id } = unit;
      const command = { type: wanted ? 'GrantRoundTheClock' : 'EndRoundTheClock' } as const;
      await this.commands.execute(new WriteUnits(company_id, [{ crm_unit_id, command }], context));
    }
    return wanted ? 'round_the_clock_granted' : 'round_the_clock_ended';
  }

  async #unitsOf(rows: readonly FoundRow[]): Promise<ReadonlyMap<string, UnitDocument>> {
    const ids = new Set(rows.map(({ unit }) => unit.unit_id));
    const units = await this.units.byUnitIds([...ids]);
    return new Map(units.map((unit) => [unit.unit_id, unit]));
  }

  /** A unit is made only if a row of it can be carried out. */
  async #withNewUnits(
    named: Awaited<ReturnType<SetupUnits['find']>>['named'],
    run: SetupRun,
    { company_id }: LocationDocument,
  ): Promise<(FoundRow | RefusedRow)[]> {
    const rehearsal: SetupRun = { ...run, mode: 'rehearse' };
    const planned = await this.named.register(named, company_id, rehearsal);
    if (run.mode === 'rehearse') return planned;
    const decided = await this.#decide(planned, rehearsal);
    const sound = named.map((row, index) => {
      const tried = decided[index]!;
      return 'missing' in row && 'fault' in tried ? tried : row;
    });
    return this.named.register(sound, company_id, run);
  }

  async #decide(
    judged: readonly (FoundRow | RefusedRow)[],
    { location_id, context, mode }: SetupRun,
  ): Promise<DecidedRow[]> {
    const wanted = judged.map((row) =>
      'fault' in row ? undefined : { ...row.wanted, unit_id: row.unit.unit_id },
    );
    const command = { type: 'SetUpUnits', location_id, rows: wanted } as const;
    const outcomes = await this.locationCommands.write(command, context, { dryRun: mode === 'rehearse' });
    let next = 0;
    return judged.map((row) => {
      if ('fault' in row) return row;
      const outcome = outcomes[next++]!;
      return 'fault' in outcome ? { fault: FAULTS[outcome.fault](outcome) } : { ...row, outcome };
    });
  }

  /**
   * Puts units into a zone. If no zone has that name, a new one is made. Units of other locations are left out.
   * @throws ApiError 422 if several zones have that name, or no unit is left
   * @throws StoreUnavailableError
   */
  async zoneUnits(
    location_id: string,
    unit_ids: readonly string[],
    zone: string,
    context: WriteContext,
  ): Promise<{ readonly added: number; readonly hasEntryPoint: boolean }> {
    const units = await this.units.byUnitIds([...new Set(unit_ids)]);
    const rows = units
      .filter((unit) => unit.location_id === location_id && !unit.retired)
      .map(({ unit_id }) => ({ unit_id, zone }));
    if (rows.length === 0)
      throw invalidField('unit_ids', 'unknown_value', 'None of these units is at this location.');
    const command = { type: 'SetUpUnits', location_id, rows } as const;
    const outcomes = await this.locationCommands.write(command, context);
    for (const outcome of outcomes) if ('fault' in outcome) throw FAULTS[outcome.fault](outcome);
    const added = outcomes.filter((one) => 'changes' in one && one.changes.includes('unit_zoned')).length;
    const closed = await this.#withoutEntryPoint(location_id, [zone]);
    return { added, hasEntryPoint: closed.length === 0 };
  }

  /** The zones of these names that no entry point leads to, among them those not made yet. */
  async #withoutEntryPoint(location_id: string, names: readonly string[]): Promise<string[]> {
    const { zones = [], entry_points = [] } = (await this.locations.location(location_id)) ?? {};
    const led = new Set(entry_points.flatMap(({ zone_ids }) => zone_ids));
    const open = new Set(zones.filter(({ zone_id }) => led.has(zone_id)).map(({ name }) => name));
    return [...new Set(names)].filter((name) => !open.has(name));
  }
}

const VACANT = 'The round the clock field must not be true while the unit is not occupied.';

type FaultyRow = Extract<SetupOutcome, { fault: unknown }>;

const FAULTS: Readonly<Record<SetupFault, (row: FaultyRow) => ApiError>> = {
  unit_not_of_location: () => errorOf('unit_not_found'),
  zone_not_unique: () =>
    invalidField('zone', 'ambiguous', 'The zone field fits several zones of the location.'),
  zones_full: () => invalidField('zone', 'not_allowed', ZONES_FULL),
  lock_not_unique: () =>
    invalidField('lock', 'ambiguous', 'The lock field fits several locks of the location.'),
  serial_not_unique: ({ locks = [] }) =>
    invalidField(
      'serial',
      'ambiguous',
      `The serial field fits several locks of the location: ${locks.join(', ')}. Leave it out, and name the lock.`,
    ),
  lock_named_otherwise: ({ locks = [] }) =>
    invalidField(
      'lock',
      'conflict',
      `The lock with that serial number is called ${locks.join(', ')} already. Name it so, or correct the serial number.`,
    ),
  lock_named_like_serial: ({ locks = [] }) =>
    invalidField(
      'lock',
      'conflict',
      `The lock field is the serial number of the lock ${locks.join(', ')}. Name that lock, or use the serial field.`,
    ),
  lock_without_serial: () =>
    invalidField(
      'serial',
      'unknown_value',
      'The serial field is unknown, and the lock of that name has none. Leave it out.',
    ),
  lock_on_another_unit: () => errorOf('lock_on_another_unit'),
};

const WARNINGS: Readonly<Record<SetupWarning['code'], (names: string) => string>> = {
  zone_name_similar: (names) => `The zone is new, but ${names} exists. Name it so if you mean that zone.`,
  unit_in_other_zone: (names) => `The unit stays in ${names}, too. Take it out on its page if it has moved.`,
  unit_has_other_lock: (names) =>
    `The unit keeps ${names}, too. Take that lock off on the unit’s page if this one replaces it.`,
};

const BESIDE_PMS =
  'A PMS sends the units of this location. This one will be kept by hand, and what the PMS sends of it is refused. If the PMS has it, correct the name, or let the PMS send it first.';

type DoneRow = ReturnType<typeof doneRow>;
type WarnedRow = RowHead & {
  readonly code: SetupWarning['code'] | 'unit_beside_pms';
  readonly message: string;
};
type FailedRow = ReturnType<typeof failedRow>;

function summary(
  rows: readonly { readonly unit: string }[],
  decided: readonly DecidedRow[],
  { mode, isFed }: { readonly mode: SetupMode; readonly isFed: boolean },
) {
  const done: DoneRow[] = [];
  const warnings: WarnedRow[] = [];
  const errors: FailedRow[] = [];
  const made = new Set<string>();
  for (const [index, row] of decided.entries()) {
    const head = { row: index + 1, unit: rows[index]!.unit };
    if ('fault' in row) {
      errors.push(failedRow(head, row.fault));
      continue;
    }
    const makesUnit = row.unit.isNew === true && !made.has(head.unit);
    if (makesUnit) made.add(head.unit);
    done.push(doneRow(head, { row, makesUnit, mode }));
    if (makesUnit && isFed) warnings.push({ ...head, code: 'unit_beside_pms', message: BESIDE_PMS });
    warnings.push(...(row.outcome.warnings ?? []).map((warning) => warnedRow(head, warning)));
  }
  const having = (change: DoneRow['changes'][number]) =>
    done.filter(({ changes }) => changes.includes(change)).length;
  const changed = done.filter(({ changes }) => changes.length > 0).length;
  return {
    total: rows.length,
    changed,
    unchanged: done.length - changed,
    units_created: having('unit_created'),
    zones_created: having('zone_created'),
    locks_created: having('lock_created'),
    rows: done,
    warnings,
    errors,
    ...(mode === 'rehearse' && { dry_run: true }),
  };
}

interface RowHead {
  /** From 1. */
  readonly row: number;
  readonly unit: string;
}

type Done = Extract<SetupOutcome, { changes: unknown }>;

interface Doing {
  readonly row: DoneFoundRow;
  /** True for the first row of a unit that the set-up makes. */
  readonly makesUnit: boolean;
  readonly mode: SetupMode;
}

function doneRow(head: RowHead, { row, makesUnit, mode }: Doing) {
  // A rehearsal makes nothing, so it shows no ids of new things.
  const hasIds = mode === 'carry_out';
  const { unit_id, unit_name, isNew = false } = row.unit;
  const { zone, lock, serial } = row.wanted;
  const { zone_id, lock_id } = row.outcome;
  return {
    ...head,
    unit_id: isNew && !hasIds ? null : unit_id,
    unit_name,
    zone: zone ?? null,
    zone_id: hasIds ? zone_id : null,
    lock: lock ?? serial ?? null,
    lock_id: hasIds ? lock_id : null,
    changes: [...(makesUnit ? (['unit_created'] as const) : []), ...changesOf(row)],
  };
}

function changesOf({ outcome, roundTheClock }: DoneFoundRow): readonly (SetupChange | RoundTheClockChange)[] {
  return roundTheClock === undefined ? outcome.changes : [...outcome.changes, roundTheClock];
}

function warnedRow(head: RowHead, { code, names }: SetupWarning): WarnedRow {
  return { ...head, code, message: WARNINGS[code](names.join(', ')) };
}

function failedRow(head: RowHead, { message, code, errors, details }: ApiError) {
  const error = details === undefined ? message : details.map((fault) => fault.message).join(' ');
  return { ...head, error, code, ...(details !== undefined && { errors, details }) };
}
