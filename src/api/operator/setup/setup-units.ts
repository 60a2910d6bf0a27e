import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Yielder } from '#kernel/yielder.js';
import { type ApiError, errorOf, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import { identifierRule } from '#web/validation/rules.js';
import { confusableFault } from '#api/push/index.js';
import { fieldFault } from '#web/validation/check.js';
import { UnitDirectory, type UnitRefusal, WriteUnits } from '#domain/units/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { ReadRow, SetupRowBody } from './setup-rows.js';

const UNITS_PER_READ = 500;

interface NamedUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  /** True: the set-up makes it. In a dry run its id is used nowhere else. */
  readonly isNew?: boolean;
}

/** `rehearse`: everything is decided and nothing is stored. */
export type SetupMode = 'carry_out' | 'rehearse';

/** One set-up of a location. */
export interface SetupRun {
  readonly location_id: string;
  readonly context: WriteContext;
  readonly mode: SetupMode;
}

/** A row whose unit is known. */
export interface FoundRow {
  readonly unit: NamedUnit;
  readonly wanted: SetupRowBody;
}

export interface RefusedRow {
  readonly fault: ApiError;
}

/** A row that names no unit of the location. */
interface MissingRow {
  readonly missing: SetupRowBody;
}

/** The units that the rows of a set-up name. */
@Injectable()
export class SetupUnits {
  constructor(
    private readonly units: UnitDirectory,
    private readonly commands: CommandBus,
  ) {}

  /** @throws StoreUnavailableError, GivenUpError */
  async find(
    rows: readonly ReadRow[],
    { location_id, context: { deadline } }: SetupRun,
  ): Promise<(FoundRow | MissingRow | RefusedRow)[]> {
    const wanted = new Set(rows.flatMap((row) => ('wanted' in row ? [row.unit] : [])));
    const byText = new Map<string, NamedUnit[]>();
    const yielder = new Yielder(deadline);
    for await (const page of this.units.allOfLocation(location_id, UNITS_PER_READ)) {
      for (const { unit_id, unit_name, crm_unit_id } of page.filter((unit) => !unit.retired)) {
        const texts = new Set([unit_name, crm_unit_id].filter((text) => wanted.has(text)));
        for (const text of texts) byText.set(text, [...(byText.get(text) ?? []), { unit_id, unit_name }]);
        await yielder.after(1);
      }
    }
    return rows.map((row) => {
      if ('fault' in row) return row;
      const [unit, another] = byText.get(row.unit) ?? [];
      if (unit === undefined) return { missing: row.wanted };
      if (another !== undefined) return { fault: invalidField('unit', 'ambiguous', SEVERAL_UNITS) };
      return { unit, wanted: row.wanted };
    });
  }

  /** Makes standalone units of missing ones. A unit that cannot be made is the fault of its rows. */
  async register(
    rows: readonly (FoundRow | MissingRow | RefusedRow)[],
    company_id: string,
    { location_id, context, mode }: SetupRun,
  ): Promise<(FoundRow | RefusedRow)[]> {
    const names = new Set(rows.flatMap((row) => ('missing' in row ? [row.missing.unit] : [])));
    const sound = [...names].filter((name) => identifierRule(name) === undefined);
    const command = { type: 'RegisterUnit', source: 'standalone', registration: { location_id } } as const;
    const writes = sound.map((crm_unit_id) => ({ crm_unit_id, command }));
    const outcomes = await this.commands.execute(
      new WriteUnits(company_id, writes, context, { dryRun: mode === 'rehearse' }),
    );
    const made = new Map(sound.map((name, index) => [name, outcomes[index]!]));
    return rows.map((row) => {
      if (!('missing' in row)) return row;
      const { missing: wanted } = row;
      const outcome = made.get(wanted.unit);
      if (outcome === undefined)
        return { fault: validationFailed([fieldFault('unit', identifierRule(wanted.unit)!)]) };
      if (outcome.kind === 'rejected') return { fault: refusalOfRow(outcome.refusal) };
      return { unit: { unit_id: outcome.after!.state.unit_id, unit_name: wanted.unit, isNew: true }, wanted };
    });
  }
}

function refusalOfRow(refusal: UnitRefusal): ApiError {
  return refusal.code === 'identifier_confusable'
    ? validationFailed([confusableFault('unit', refusal.confusable)])
    : invalidField('unit', 'taken', TAKEN);
}

export function withoutMissing(
  rows: readonly (FoundRow | MissingRow | RefusedRow)[],
): (FoundRow | RefusedRow)[] {
  return rows.map((row) => ('missing' in row ? { fault: errorOf('unit_not_found') } : row));
}

const SEVERAL_UNITS = 'The unit field fits several units of the location. Use the identifier of the PMS.';
const TAKEN = 'The unit field is the identifier of a unit at another location, or of one that was removed.';
