import { Injectable } from '@nestjs/common';
import { type ApiError, errorOf, invalidField } from '../../http/api-error.js';
import {
  LocationCommands,
  LocationDirectory,
  type SetupChange,
  type SetupFault,
  type SetupOutcome,
  type SetupWarning,
} from '../../locations/index.js';
import { UnitDirectory } from '../../units/index.js';
import type { WriteContext } from '../../writing/write-context.js';
import { doneOf } from '../facility.refusals.js';
import type { ReadSetup } from './setup-rows.js';
import { type FoundRow, type RefusedRow, SetupUnits, withoutMissing } from './setup-units.js';

type DecidedRow = (FoundRow & { readonly outcome: Done }) | RefusedRow;

export type SetupResult = Awaited<ReturnType<SiteSetup['setUp']>>;

/** Puts many units of a location into zones and locks on them (decisions §6). */
@Injectable()
export class SiteSetup {
  constructor(
    private readonly units: UnitDirectory,
    private readonly commands: LocationCommands,
    private readonly locations: LocationDirectory,
    private readonly named: SetupUnits,
  ) {}

  /**
   * A fault of one row does not stop the others.
   * @param dryRun true: answers what would happen, and writes nothing
   * @throws StoreUnavailableError, GivenUpError
   */
  async setUp(location_id: string, { rows, add_units }: ReadSetup, context: WriteContext, dryRun: boolean) {
    const found = await this.named.find(location_id, rows, context);
    const judged = add_units
      ? await this.#withNewUnits(location_id, found, context, dryRun)
      : withoutMissing(found);
    const result = summary(rows, await this.#decide(location_id, judged, context, dryRun), dryRun);
    const named = result.rows.flatMap(({ zone }) => zone ?? []);
    return { ...result, zones_without_entry_point: await this.#withoutEntryPoint(location_id, named) };
  }

  /** A unit is made only if a row of it can be carried out. */
  async #withNewUnits(
    location_id: string,
    found: Awaited<ReturnType<SetupUnits['find']>>,
    context: WriteContext,
    dryRun: boolean,
  ) {
    const planned = await this.named.register(location_id, found, context, true);
    if (dryRun) return planned;
    const decided = await this.#decide(location_id, planned, context, true);
    const sound = found.map((row, index) => {
      const tried = decided[index]!;
      return 'missing' in row && 'fault' in tried ? tried : row;
    });
    return this.named.register(location_id, sound, context, false);
  }

  async #decide(
    location_id: string,
    judged: readonly (FoundRow | RefusedRow)[],
    context: WriteContext,
    dryRun: boolean,
  ): Promise<DecidedRow[]> {
    const wanted = judged.map((row) =>
      'fault' in row ? undefined : { ...row.wanted, unit_id: row.unit.unit_id },
    );
    const outcomes = doneOf(await this.commands.setUpUnits(location_id, wanted, context, dryRun)).result;
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
    const outcomes = doneOf(await this.commands.setUpUnits(location_id, rows, context, false)).result;
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

type FaultyRow = Extract<SetupOutcome, { fault: unknown }>;

const FAULTS: Readonly<Record<SetupFault, (row: FaultyRow) => ApiError>> = {
  unit_not_of_location: () => errorOf('unit_not_found'),
  zone_not_unique: () =>
    invalidField('zone', 'ambiguous', 'The zone field fits several zones of the location.'),
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

type DoneRow = ReturnType<typeof doneRow>;
type WarnedRow = ReturnType<typeof warnedRow>;
type FailedRow = ReturnType<typeof failedRow>;

function summary(
  rows: readonly { readonly unit: string }[],
  decided: readonly DecidedRow[],
  dryRun: boolean,
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
    done.push(doneRow(head, row, makesUnit, dryRun));
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
    ...(dryRun && { dry_run: true }),
  };
}

interface RowHead {
  /** From 1. */
  readonly row: number;
  readonly unit: string;
}

type Done = Extract<SetupOutcome, { changes: unknown }>;

/** A dry run makes nothing, so it shows no ids of new things. */
function doneRow(
  head: RowHead,
  { unit: { unit_id, unit_name, isNew = false }, wanted, outcome }: Extract<DecidedRow, FoundRow>,
  makesUnit: boolean,
  dryRun: boolean,
) {
  const { zone, lock, serial } = wanted;
  const { changes, zone_id, lock_id } = outcome;
  const all: readonly (SetupChange | 'unit_created')[] = makesUnit ? ['unit_created', ...changes] : changes;
  return {
    ...head,
    unit_id: dryRun && isNew ? null : unit_id,
    unit_name,
    zone: zone ?? null,
    zone_id: dryRun ? null : zone_id,
    lock: lock ?? serial ?? null,
    lock_id: dryRun ? null : lock_id,
    changes: all,
  };
}

function warnedRow(head: RowHead, { code, names }: SetupWarning) {
  return { ...head, code, message: WARNINGS[code](names.join(', ')) };
}

function failedRow(head: RowHead, { message, code, errors, details }: ApiError) {
  const error = details === undefined ? message : details.map((fault) => fault.message).join(' ');
  return { ...head, error, code, ...(details !== undefined && { errors, details }) };
}
