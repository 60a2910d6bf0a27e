import { Injectable } from '@nestjs/common';
import { presentValue } from '../../access/index.js';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { LocationDirectory } from '../../locations/index.js';
import {
  type FactName,
  isRetired,
  type StatedWrite,
  UnitDirectory,
  type UnitDocument,
  type UnitFacts,
  unitStream,
  type Writer,
} from '../../units/index.js';
import type { WriteContext } from '../../writing/write-context.js';
import type { WriteWarning } from '../unit-write-warnings.js';
import { type WarnedOutcome, WarnedWrites } from '../warned-writes.js';
import { LARGEST_BULK, readBulk, type ReadEntry, writesOf } from './bulk-entries.js';
import { type EntryError, partedOutcomes } from './bulk-sync.js';

/** Of what the service and the request say different things: a fact, or what a bulk leaves to whoever created the unit. */
export interface FieldDifference {
  readonly field: FactName | 'tenant' | 'unit_name' | 'pms_location_code';
  /** null of a tenant's person, which is not repeated. */
  readonly here: unknown;
  readonly given: unknown;
}

export interface UnitDifference {
  readonly crm_unit_id: string;
  readonly unit_id: string;
  readonly fields: readonly FieldDifference[];
}

/** What a bulk would find, without being applied (decisions §3): `total` = `same` + `different` + `missing_here` + `errors`. */
export interface Comparison {
  readonly compared_at: string;
  readonly total: number;
  readonly same: number;
  readonly different: readonly UnitDifference[];
  /** Units that the request names and the service does not have. */
  readonly missing_here: readonly string[];
  /** Units of the same source, at the locations of the request's units, that the request does not name. */
  readonly missing_given: readonly string[];
  /** There are others of these than are listed. */
  readonly more_missing_given: boolean;
  readonly errors: readonly EntryError[];
}

/** Most units that are listed as not named. */
const MOST_NOT_NAMED = LARGEST_BULK;
const READ_AT_ONCE = 500;

/** Tells how a full state differs from what is known, by deciding the bulk without storing it. Throws StoreUnavailableError. */
@Injectable()
export class BulkCompare {
  constructor(
    private readonly writes: WarnedWrites,
    private readonly units: UnitDirectory,
    private readonly clocks: CompanyClocks,
    private readonly locations: LocationDirectory,
  ) {}

  /**
   * @param withPersons whether who asks may be told that a tenant is another person than was said: whoever may not write
   *   persons could find out by guesses who they are
   * @throws ApiError 422 where the request as a whole is malformed
   */
  async compare(
    writer: Writer,
    body: Readonly<Record<string, unknown>>,
    context: WriteContext,
    withPersons: boolean,
  ): Promise<Comparison> {
    const entries = readBulk(body, LARGEST_BULK);
    const stated = writesOf(entries);
    const writes = withPersons ? stated : stated.map(withoutPerson);
    const outcomes = await this.writes.write(writer, writes, context, true);
    const { done, errors } = partedOutcomes(entries, outcomes, writer);
    const ignored = await this.#ignored(stated, done);
    const different: UnitDifference[] = [];
    const missing_here: string[] = [];
    let same = 0;
    for (const { crm_unit_id, outcome } of done) {
      const { before } = outcome;
      if (before === undefined || isRetired(before)) {
        missing_here.push(crm_unit_id);
        continue;
      }
      const fields = [...differences(before.facts, outcome), ...(ignored.get(crm_unit_id) ?? [])];
      if (fields.length === 0) same += 1;
      else different.push({ crm_unit_id, unit_id: before.unit_id, fields });
    }
    const { listed, more } = await this.#notNamed(writer, entries, outcomes);
    return {
      compared_at: toTimestamp(await this.clocks.now(writer.company_id)),
      total: entries.length,
      same,
      different,
      missing_here,
      missing_given: listed,
      more_missing_given: more,
      errors,
    };
  }

  /** By unit: what is said otherwise of its name and its location, which a bulk leaves as they are. */
  async #ignored(
    stated: readonly StatedWrite[],
    done: ReturnType<typeof partedOutcomes>['done'],
  ): Promise<ReadonlyMap<string, FieldDifference[]>> {
    const writes = new Map(stated.map((write) => [write.crm_unit_id, write]));
    const elsewhere = done.filter(({ outcome }) => warns(outcome, 'location_ignored'));
    const ids = [...new Set(elsewhere.map(({ outcome }) => outcome.unit.location_id))];
    const found = ids.length === 0 ? [] : await this.locations.locations(ids);
    const codes = new Map(ids.map((id, place) => [id, found[place]?.pms_location_code ?? null]));
    return new Map(
      done.map(({ crm_unit_id, outcome }) => {
        const { unit_name, location_id } = outcome.unit;
        const { unit_name: name, pms_location_code: code } = writes.get(crm_unit_id)!;
        const fields: FieldDifference[] = [];
        if (warns(outcome, 'unit_name_ignored'))
          fields.push({ field: 'unit_name', here: unit_name, given: name });
        if (warns(outcome, 'location_ignored'))
          fields.push({ field: 'pms_location_code', here: codes.get(location_id), given: code });
        return [crm_unit_id, fields];
      }),
    );
  }

  /** One more than are listed is looked for, at all locations, to know whether there are others. */
  async #notNamed(
    { company_id, source }: Writer,
    entries: readonly ReadEntry[],
    outcomes: readonly WarnedOutcome[],
  ): Promise<{ listed: string[]; more: boolean }> {
    const named = new Set(entries.map(({ crm_unit_id }) => unitStream(company_id, crm_unit_id)));
    const locations = await this.#locationsOf(company_id, entries, outcomes);
    const listed: string[] = [];
    for (const location_id of locations) {
      for await (const unit of this.#unitsAt(location_id)) {
        if (unit.source_type !== source || isRetired(unit) || named.has(unit._id)) continue;
        if (listed.length === MOST_NOT_NAMED) return { listed, more: true };
        listed.push(unit.crm_unit_id);
      }
    }
    return { listed, more: false };
  }

  /** Where the request's units are: what could not be written is where it was. */
  async #locationsOf(
    company_id: string,
    entries: readonly ReadEntry[],
    outcomes: readonly WarnedOutcome[],
  ): Promise<string[]> {
    const done = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.unit] : []));
    const told = new Set(done.map(({ crm_unit_id }) => crm_unit_id));
    const rest = entries.filter((entry) => 'write' in entry && !told.has(entry.crm_unit_id));
    const streams = rest.map(({ crm_unit_id }) => unitStream(company_id, crm_unit_id));
    const known = streams.length === 0 ? [] : await this.units.byStreams(streams);
    const units = [...done, ...known.filter((unit) => unit !== undefined)];
    return [...new Set(units.map(({ location_id }) => location_id))].sort();
  }

  async *#unitsAt(location_id: string): AsyncGenerator<UnitDocument, void> {
    for (let last: string | undefined; ;) {
      const page = await this.units.ofLocation({ location_id, from: last, limit: READ_AT_ONCE });
      // A page begins with the unit that the one before ended with.
      yield* page.filter(({ unit_id }) => unit_id !== last);
      if (page.length < READ_AT_ONCE) return;
      last = page.at(-1)!.unit_id;
    }
  }
}

function warns({ warnings }: WarnedOutcome & { kind: 'done' }, wanted: WriteWarning['code']): boolean {
  return warnings.some(({ code }) => code === wanted);
}

function withoutPerson(write: StatedWrite): StatedWrite {
  return write.arrival === undefined ? write : { ...write, arrival: { ...write.arrival, person: undefined } };
}

/** A person who is another is named, and not told. */
function differences(
  here: UnitFacts,
  { unit, person_changed }: WarnedOutcome & { kind: 'done' },
): FieldDifference[] {
  const fields: FieldDifference[] = (Object.keys(unit.facts) as FactName[])
    .filter((field) => here[field] !== unit.facts[field])
    .map((field) => ({
      field,
      here: presentValue(field, here[field]),
      given: presentValue(field, unit.facts[field]),
    }));
  return person_changed ? [...fields, { field: 'tenant', here: null, given: null }] : fields;
}
