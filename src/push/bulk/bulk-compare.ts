import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { presentValue } from '../../access/index.js';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { LocationDirectory } from '../../locations/index.js';
import {
  type FactName,
  SyncUnits,
  type UnitFacts,
  type UnitOutcome,
  type UnitSync,
  type UnitWarning,
  type Writer,
} from '../../units/index.js';
import type { WriteContext } from '../../writing/write-context.js';
import { readBulk, writesOf } from './bulk-entries.js';
import { type EntryError, outcomesByKind, type SkippedEntry } from './bulk-sync.js';
import { EntryPhones } from './entry-phones.js';
import { MissingUnits } from './missing-units.js';
import { CompareOptions } from '../unit.dto.js';

export interface FieldDifference {
  readonly field: FactName | `tenant.${string}` | 'unit_name' | 'pms_location_code';
  /** Null for personal details, which are not answered. */
  readonly here: unknown;
  readonly given: unknown;
}

export interface UnitDifference {
  readonly crm_unit_id: string;
  readonly unit_id: string;
  readonly fields: readonly FieldDifference[];
}

/** The result of a comparison: `total` = `same` + `different` + `missing_here` + `skipped` + `errors`. */
export interface Comparison {
  readonly compared_at: string;
  readonly total: number;
  readonly same: number;
  readonly different: readonly UnitDifference[];
  /** Differences that a write would ignore. These units also count in `same` or `different`. */
  readonly ignored: readonly UnitDifference[];
  /** Units that the request names and the service does not have. */
  readonly missing_here: readonly string[];
  readonly skipped: readonly SkippedEntry[];
  readonly errors: readonly EntryError[];
  /** One page of units that the request does not name, at the locations that it covers completely. */
  readonly missing_given: readonly string[];
  readonly next_cursor: string | null;
}

interface CompareRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** The cursor of the page of `missing_given`. */
  readonly cursor: string | undefined;
  readonly limit: number;
  /**
   * Whether personal details are compared. Only for callers who may write them: others could guess details until they
   * match.
   */
  readonly withPersons: boolean;
}

type Done = ReturnType<typeof outcomesByKind>['done'];

/** Compares a full state with the stored state, by deciding the bulk without storing it. Throws StoreUnavailableError. */
@Injectable()
export class BulkCompare {
  constructor(
    private readonly commands: CommandBus,
    private readonly phones: EntryPhones,
    private readonly clocks: CompanyClocks,
    private readonly locations: LocationDirectory,
    private readonly missing: MissingUnits,
  ) {}

  /** @throws ApiError 422 if the whole request is malformed. @throws InvalidCursorError, GivenUpError */
  async compare(
    writer: Writer,
    { body, cursor, limit, withPersons }: CompareRequest,
    context: WriteContext,
  ): Promise<Comparison> {
    const { company_id } = writer;
    const now = await this.clocks.now(company_id);
    const entries = await this.phones.withoutForeignNumbers(company_id, readBulk(body, CompareOptions, now));
    const { complete_locations: codes = [], known = [] } = body as CompareOptions;
    const named = new Set([...entries.map(({ crm_unit_id }) => crm_unit_id), ...known]);
    const { crm_unit_ids, next_cursor } = await this.missing.page(
      writer,
      { codes, named, cursor, limit },
      context.deadline,
    );
    const stated = writesOf(entries);
    const writes = withPersons ? stated : stated.map(withoutPerson);
    const outcomes = await this.commands.execute(new SyncUnits(writer, writes, { context, dryRun: true }));
    const { done, errors, skipped } = outcomesByKind(entries, outcomes, writer);
    const here = done.flatMap((one) => {
      const before = one.outcome.before?.state;
      return before === undefined || before.retired ? [] : [{ ...one, before }];
    });
    const isHere = new Set(here.map(({ crm_unit_id }) => crm_unit_id));
    const different = here.flatMap(({ crm_unit_id, before, outcome }) =>
      differing(crm_unit_id, before.unit_id, differences(before.facts, outcome)),
    );
    return {
      compared_at: toTimestamp(now),
      total: entries.length,
      same: here.length - different.length,
      different,
      ignored: await this.#ignored(stated, here),
      missing_here: done.map(({ crm_unit_id }) => crm_unit_id).filter((id) => !isHere.has(id)),
      skipped,
      errors,
      missing_given: crm_unit_ids,
      next_cursor,
    };
  }

  /** Differences of names and locations, which a bulk ignores. */
  async #ignored(stated: readonly UnitSync[], here: Done): Promise<UnitDifference[]> {
    const writes = new Map(stated.map((write) => [write.crm_unit_id, write]));
    const elsewhere = here.filter(({ outcome }) => warns(outcome, 'location_ignored'));
    const ids = [...new Set(elsewhere.map(({ outcome }) => outcome.after!.state.location_id))];
    const found = ids.length === 0 ? [] : await this.locations.locations(ids);
    const codes = new Map(ids.map((id, index) => [id, found[index]?.pms_location_code ?? null]));
    return here.flatMap(({ crm_unit_id, outcome }) => {
      const { unit_id, unit_name, location_id } = outcome.after!.state;
      const { unit_name: name, pms_location_code: code } = writes.get(crm_unit_id)!;
      const fields: FieldDifference[] = [];
      if (warns(outcome, 'unit_name_ignored'))
        fields.push({ field: 'unit_name', here: unit_name, given: name });
      if (warns(outcome, 'location_ignored'))
        fields.push({ field: 'pms_location_code', here: codes.get(location_id), given: code });
      return differing(crm_unit_id, unit_id, fields);
    });
  }
}

function differing(
  crm_unit_id: string,
  unit_id: string,
  fields: readonly FieldDifference[],
): UnitDifference[] {
  return fields.length === 0 ? [] : [{ crm_unit_id, unit_id, fields }];
}

function warns({ result }: UnitOutcome & { kind: 'done' }, wanted: UnitWarning): boolean {
  return result.warnings.includes(wanted);
}

function withoutPerson(write: UnitSync): UnitSync {
  return write.arrival === undefined ? write : { ...write, arrival: { ...write.arrival, person: undefined } };
}

/** Personal details are named without their values. */
function differences(here: UnitFacts, { after, result }: UnitOutcome & { kind: 'done' }): FieldDifference[] {
  const { facts } = after!.state;
  const ofFacts = (Object.keys(facts) as FactName[])
    .filter((field) => here[field] !== facts[field])
    .map((field) => ({
      field,
      here: presentValue(field, here[field]),
      given: presentValue(field, facts[field]),
    }));
  const ofPerson = (result.person_changed ?? []).map((field) => ({
    field: `tenant.${field}` as const,
    here: null,
    given: null,
  }));
  return [...ofFacts, ...ofPerson];
}
