import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Yielder } from '../../config/yielder.js';
import { type ApiError, errorOf, invalidField, validationFailed } from '../../http/api-error.js';
import { identifierRule } from '../../http/validation/rules.js';
import { fieldFault } from '../../http/validation/valid.js';
import { LocationDirectory } from '../../locations/index.js';
import { RegisterUnits, UnitDirectory } from '../../units/index.js';
import type { WriteContext } from '../../writing/write-context.js';
import { found } from '../facility.refusals.js';
import type { ReadRow, SetupRowBody } from './setup-rows.js';

const UNITS_PER_READ = 500;

interface NamedUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  /** True: the set-up makes it. In a dry run its id is used nowhere else. */
  readonly isNew?: boolean;
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
    private readonly locations: LocationDirectory,
    private readonly commands: CommandBus,
  ) {}

  /** @throws StoreUnavailableError, GivenUpError */
  async find(
    location_id: string,
    rows: readonly ReadRow[],
    { deadline }: WriteContext,
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
    location_id: string,
    rows: readonly (FoundRow | MissingRow | RefusedRow)[],
    context: WriteContext,
    dryRun: boolean,
  ): Promise<(FoundRow | RefusedRow)[]> {
    const { company_id } = found(await this.locations.location(location_id), 'location_not_found');
    const names = new Set(rows.flatMap((row) => ('missing' in row ? [row.missing.unit] : [])));
    const sound = [...names].filter((name) => identifierRule(name) === undefined);
    const outcomes = await this.commands.execute(
      new RegisterUnits(
        { company_id, source: 'standalone' },
        sound.map((crm_unit_id) => ({ crm_unit_id, location_id })),
        { context, dryRun },
      ),
    );
    const made = new Map(sound.map((name, index) => [name, outcomes[index]!]));
    return rows.map((row) => {
      if (!('missing' in row)) return row;
      const { missing: wanted } = row;
      const outcome = made.get(wanted.unit);
      if (outcome === undefined)
        return { fault: validationFailed([fieldFault('unit', identifierRule(wanted.unit)!)]) };
      if (outcome.kind === 'rejected') return { fault: invalidField('unit', 'taken', TAKEN) };
      return { unit: { unit_id: outcome.after!.state.unit_id, unit_name: wanted.unit, isNew: true }, wanted };
    });
  }
}

export function withoutMissing(
  rows: readonly (FoundRow | MissingRow | RefusedRow)[],
): (FoundRow | RefusedRow)[] {
  return rows.map((row) => ('missing' in row ? { fault: errorOf('unit_not_found') } : row));
}

const SEVERAL_UNITS = 'The unit field fits several units of the location. Use the identifier of the PMS.';
const TAKEN = 'The unit field is the identifier of a unit at another location, or of one that was removed.';
