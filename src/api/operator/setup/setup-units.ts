import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Yielder } from '#kernel/yielder.js';
import { type ApiError, errorOf, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import { identifierRule } from '#web/validation/rules.js';
import { confusableFault } from '#api/push/index.js';
import { fieldFault } from '#web/validation/check.js';
import { LocationDirectory } from '#domain/locations/index.js';
import {
  UnitDirectory,
  type UnitDocument,
  type UnitRefusal,
  UnitsByText,
  unitStream,
  WriteUnits,
} from '#domain/units/index.js';
import { seesSite } from '#kernel/principals.js';
import type { OperatorContext } from '#web/request-context.js';
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
  readonly context: OperatorContext;
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
    private readonly locations: LocationDirectory,
    private readonly commands: CommandBus,
  ) {}

  /** Also says whether a PMS sends units of the location. @throws StoreUnavailableError, GivenUpError */
  async find(
    rows: readonly ReadRow[],
    { location_id, context: { deadline } }: SetupRun,
  ): Promise<{ readonly named: (FoundRow | MissingRow | RefusedRow)[]; readonly isFed: boolean }> {
    let isFed = false;
    const byText = new UnitsByText(rows.flatMap((row) => ('wanted' in row ? [row.unit] : [])));
    const yielder = new Yielder(deadline);
    for await (const page of this.units.allOfLocation(location_id, UNITS_PER_READ, { yielder })) {
      byText.add(page);
      isFed ||= page.some(({ retired, source_type }) => !retired && source_type !== 'standalone');
    }
    const named = rows.map((row) => {
      if ('fault' in row) return row;
      const [unit, another] = byText.unitsCalled(row.unit);
      if (unit === undefined) return { missing: row.wanted };
      if (another !== undefined) return { fault: invalidField('unit', 'ambiguous', SEVERAL_UNITS) };
      return { unit, wanted: row.wanted };
    });
    return { named, isFed };
  }

  /**
   * Makes standalone units of missing ones. A unit that cannot be made is the fault of its rows. One that another request has
   * made since is found: a double click sends the same rows twice.
   */
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
    const existing = sound.filter((_name, index) => {
      const outcome = outcomes[index]!;
      return outcome.kind === 'rejected' && outcome.refusal.code === 'unit_exists';
    });
    const present = await this.#present(existing, company_id);
    const taken = await this.#takenTexts(present, { location_id, context });
    const madeMeanwhile = new Map(
      present
        .filter((unit) => unit.location_id === location_id && !unit.retired)
        .map((unit) => [unit.crm_unit_id, unit]),
    );
    return rows.map((row) => {
      if (!('missing' in row)) return row;
      const { missing: wanted } = row;
      const unit = madeMeanwhile.get(wanted.unit);
      if (unit !== undefined) return { unit, wanted };
      const outcome = made.get(wanted.unit);
      if (outcome === undefined)
        return { fault: validationFailed([fieldFault('unit', identifierRule(wanted.unit)!)]) };
      if (outcome.kind === 'rejected')
        return { fault: refusalOfRow(outcome.refusal, taken.get(wanted.unit) ?? TAKEN) };
      return { unit: { unit_id: outcome.after!.state.unit_id, unit_name: wanted.unit, isNew: true }, wanted };
    });
  }

  async #present(identifiers: readonly string[], company_id: string): Promise<UnitDocument[]> {
    if (identifiers.length === 0) return [];
    const found = await this.units.byStreams(identifiers.map((one) => unitStream(company_id, one)));
    return found.filter((unit) => unit !== undefined);
  }

  /** Which unit has each identifier, for those who may see it, and how the new one may be called. */
  async #takenTexts(
    units: readonly UnitDocument[],
    { location_id, context }: Pick<SetupRun, 'location_id' | 'context'>,
  ): Promise<ReadonlyMap<string, string>> {
    if (units.length === 0) return new Map();
    const places = [...new Set([location_id, ...units.map((unit) => unit.location_id)])];
    const locations = (await this.locations.locations(places)).filter((one) => one !== undefined);
    const seen = locations.filter((one) => seesSite(context.principal, one));
    const nameOf = new Map(seen.map((one) => [one.location_id, one.name]));
    const code = locations.find((one) => one.location_id === location_id)?.pms_location_code;
    return new Map(
      units.map((unit) => [unit.crm_unit_id, takenText(unit, { at: nameOf.get(unit.location_id), code })]),
    );
  }
}

/** @param at the name of the unit's location, if it may be told @param code of the location of the new one */
function takenText(
  { crm_unit_id, retired }: Pick<UnitDocument, 'crm_unit_id' | 'retired'>,
  { at = 'Another location', code }: { readonly at: string | undefined; readonly code: string | undefined },
): string {
  const other = code === undefined ? '' : `, like ${code} ${crm_unit_id}`;
  const has = retired ? `had a unit ${crm_unit_id}, which is retired` : `has a unit ${crm_unit_id}`;
  return `${at} ${has}. Name this one otherwise${other}.`;
}

function refusalOfRow(refusal: UnitRefusal, taken: string): ApiError {
  return refusal.code === 'identifier_confusable'
    ? validationFailed([confusableFault('unit', refusal.confusable)])
    : invalidField('unit', 'taken', taken);
}

export function withoutMissing(
  rows: readonly (FoundRow | MissingRow | RefusedRow)[],
): (FoundRow | RefusedRow)[] {
  return rows.map((row) => ('missing' in row ? { fault: errorOf('unit_not_found') } : row));
}

const SEVERAL_UNITS = 'The unit field fits several units of the location. Use the identifier of the PMS.';
const TAKEN = 'The unit field is the identifier of a unit at another location, or of one that was removed.';
