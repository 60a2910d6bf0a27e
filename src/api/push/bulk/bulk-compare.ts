import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { presentValue } from '#domain/access/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import {
  type CommandOnUnit,
  type FactName,
  type UnitFacts,
  type UnitOutcome,
  type UnitWarning,
  type Writer,
  WriteUnits,
} from '#domain/units/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { readBulk, type SyncUnit, syncsOf } from './bulk-entries.js';
import { outcomesByKind } from './bulk-sync.js';
import { EntryPhones } from './entry-phones.js';
import { MissingUnits } from './missing-units.js';
import { CompareOptions } from '../unit.dto.js';
import type { Comparison, FieldDifference, UnitDifference } from '../unit-write.schemas.js';

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
    const entries = await this.phones.withoutForeignNumbers(
      company_id,
      await readBulk(body, CompareOptions, now),
    );
    const { complete_locations: codes = [], known = [] } = body as CompareOptions;
    const named = new Set([...entries.map(({ crm_unit_id }) => crm_unit_id), ...known]);
    const { crm_unit_ids, next_cursor } = await this.missing.page(
      writer,
      { codes, named, cursor, limit },
      context.deadline,
    );
    const stated = syncsOf(entries, writer.source).map(withoutRefusalElsewhere);
    const writes = withPersons ? stated : stated.map(withoutPerson);
    const command = new WriteUnits(company_id, writes, context, { dryRun: true });
    const outcomes = await this.commands.execute(command);
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

  /** Differences of names, which a bulk ignores, and of locations, for which it refuses the entry. */
  async #ignored(stated: readonly CommandOnUnit<SyncUnit>[], here: Done): Promise<UnitDifference[]> {
    const registrations = new Map(
      stated.map(({ crm_unit_id, command }) => [crm_unit_id, command.registration]),
    );
    const elsewhere = here.filter(({ outcome }) => warns(outcome, 'location_ignored'));
    const ids = [...new Set(elsewhere.map(({ outcome }) => outcome.after!.state.location_id))];
    const found = ids.length === 0 ? [] : await this.locations.locations(ids);
    const codes = new Map(ids.map((id, index) => [id, found[index]?.pms_location_code ?? null]));
    return here.flatMap(({ crm_unit_id, outcome }) => {
      const { unit_id, unit_name, location_id } = outcome.after!.state;
      const { unit_name: name, pms_location_code: code } = registrations.get(crm_unit_id)!;
      const fields: FieldDifference[] = [];
      if (warns(outcome, 'unit_name_ignored'))
        fields.push({ field: 'unit_name', here: unit_name, given: name ?? null });
      if (warns(outcome, 'location_ignored'))
        fields.push({
          field: 'pms_location_code',
          here: codes.get(location_id) ?? null,
          given: code ?? null,
        });
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

/** A comparison tells of a unit at another location, for which a bulk refuses the entry. */
function withoutRefusalElsewhere({ crm_unit_id, command }: CommandOnUnit<SyncUnit>): CommandOnUnit<SyncUnit> {
  const registration = { ...command.registration, on_other_location: 'warn' } as const;
  return { crm_unit_id, command: { ...command, registration } };
}

function withoutPerson({ crm_unit_id, command }: CommandOnUnit<SyncUnit>): CommandOnUnit<SyncUnit> {
  const arrival = command.arrival && { ...command.arrival, person: undefined };
  return { crm_unit_id, command: { ...command, arrival } };
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
