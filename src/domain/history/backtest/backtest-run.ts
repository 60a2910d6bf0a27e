import type { Calendar, TenantUnit } from '#domain/access/index.js';
import { type Yielder, runYielding } from '#kernel/yielder.js';
import type { LocationPolicy } from '#domain/locations/index.js';
import { type UnitDocument } from '#domain/units/index.js';
import { type Backtested, backtestOf, type Circumstances } from '../core/backtest.js';
import { type Burden, burdensOf } from '../core/burden.js';
import { type UnitPeriods, type PolicyPeriods, policyPeriods, type Span } from '../core/periods.js';
import type { DetailsEvent, Logged } from '../core/unit-record.js';
import type { UnitRecordReader } from '../unit-record.reader.js';
import { PeriodsReader } from './periods.reader.js';
import { EventBudget, type NeededStream } from './event-budget.js';

/** The question about the units of a location. */
export interface Question<Answer> {
  readonly span: Span;
  /** Lists of policies to decide by: the real ones, the tried ones. */
  readonly worlds: readonly PolicyPeriods[];
  /** Bound on the events of the whole run, and on those of one unit. */
  readonly mostEvents: number;
  /** The answer for a unit, by its circumstances in each world. */
  readonly ask: (periods: UnitPeriods, worlds: readonly Circumstances[]) => Generator<number, Answer>;
  /** The answer for retired units. Absent: they are asked like others. */
  readonly ofRetired?: Answer;
}

/** A unit with its answer. Absent: too many events bear on the unit. */
export interface AskedUnit<Answer> {
  readonly unit: UnitDocument;
  readonly shown?: Answer;
}

export interface Proposal {
  readonly tried: Span;
  readonly policy: LocationPolicy;
  readonly details: readonly Logged<DetailsEvent>[];
  readonly mostEvents?: number;
}

export type TriedUnit = AskedUnit<Backtested>;

/** Some seconds of work, well within a request. Lengths of streams come from the views, before anything is read. */
export const MOST_EVENTS = 50_000;

const NOBODY = { actual: [], proposed: [] };
const NOTHING: Backtested = { spans: [], denied: NOBODY, lockedOut: NOBODY };

/** A unit and the streams to read for it. Undefined: more than a whole run may read. */
interface PlannedUnit {
  readonly unit: UnitDocument;
  readonly need: readonly NeededStream[] | undefined;
}

export function backtestRun(
  reader: UnitRecordReader,
  calendar: Calendar,
  yielder: Yielder,
  { tried, policy, details, mostEvents = MOST_EVENTS }: Proposal,
): QuestionRun<Backtested> {
  return new QuestionRun(reader, calendar, yielder, {
    span: tried,
    worlds: [policyPeriods(details), [{ from: -Infinity, policy }]],
    mostEvents,
    ask: (periods, [actual, proposed]) => backtestOf(periods, actual!, proposed!, tried, calendar),
    ofRetired: NOTHING,
  });
}

/** Asks one question of many units. What it reads and computes for one serves the others. Throws StoreUnavailableError, GivenUpError. */
export class QuestionRun<Answer> {
  readonly #periods: PeriodsReader;
  /** By tenant, all units that the tenant ever had. */
  readonly #units = new Map<string, readonly TenantUnit[]>();
  readonly #worlds: readonly World[];
  /** Whether a tenant's units affect each other at any time, in any world. */
  readonly #areTied: boolean;
  readonly #budget: EventBudget;

  constructor(
    private readonly reader: UnitRecordReader,
    private readonly calendar: Calendar,
    private readonly yielder: Yielder,
    private readonly question: Question<Answer>,
  ) {
    this.#budget = new EventBudget(question.mostEvents);
    this.#periods = new PeriodsReader(reader, question.span, yielder);
    this.#areTied = question.worlds.flat().some(({ policy }) => policy.blanket_delinquency);
    this.#worlds = question.worlds.map((policies) => ({ policies, burdens: new Map() }));
  }

  /** Some of the budget is left. */
  get goesOn(): boolean {
    return this.#budget.isLeft;
  }

  /** Asks of the first units: as many as the budget allows, at least one. */
  async try(units: readonly UnitDocument[]): Promise<AskedUnit<Answer>[]> {
    const begun = this.#plan(units, (unit) => this.#ownOf(unit));
    await this.#read(begun);
    const possible = begun.map(({ unit }) => unit);
    await this.#learnTenants(possible);
    const planned = this.#plan(possible, (unit) => this.#needOf(unit));
    await this.#read(planned);
    const results: AskedUnit<Answer>[] = [];
    for (const { unit, need } of planned)
      results.push(need === undefined ? { unit } : { unit, shown: await this.#answerOf(unit) });
    return results;
  }

  /** The first units, until the budget is spent. */
  #plan(
    units: readonly UnitDocument[],
    needOf: (unit: UnitDocument) => readonly NeededStream[],
  ): PlannedUnit[] {
    const planned: PlannedUnit[] = [];
    for (const unit of units) {
      const need = needOf(unit);
      const isTooMuch = this.#budget.isTooMuch(need);
      if (!isTooMuch && !this.#budget.plan(need, planned.length === 0)) break;
      planned.push({ unit, need: isTooMuch ? undefined : need });
    }
    return planned;
  }

  #read(planned: readonly PlannedUnit[]): Promise<void> {
    return this.#periods.read(planned.flatMap(({ need = [] }) => need));
  }

  async #learnTenants(units: readonly UnitDocument[]): Promise<void> {
    if (!this.#areTied) return;
    const tenants = new Set(units.flatMap((unit) => this.#tenantsOf(unit)));
    const unknown = [...tenants].filter((tenant_id) => !this.#units.has(tenant_id));
    for (const [tenant_id, known] of await this.reader.unitsOf(unknown, true))
      this.#units.set(tenant_id, known);
  }

  /** The tenants who rented the unit within the span. */
  #tenantsOf({ _id }: UnitDocument): string[] {
    if (!this.#periods.has(_id)) return [];
    const tenants = this.#periods.periodsOf(_id).flatMap(({ unit }) => unit.tenancy?.tenant_id ?? []);
    return [...new Set(tenants)];
  }

  #ownOf(unit: UnitDocument): readonly NeededStream[] {
    const isPassed = this.question.ofRetired !== undefined && unit.retired;
    return isPassed ? [] : [{ stream: unit._id, revision: unit.revision, unit }];
  }

  /** The unit's own stream, and those of all units that its tenants ever had. */
  #needOf(unit: UnitDocument): readonly NeededStream[] {
    const own = this.#ownOf(unit);
    if (!this.#areTied || own.length === 0 || this.#budget.isTooMuch(own)) return own;
    const others = this.#tenantsOf(unit).flatMap((tenant_id) => this.#units.get(tenant_id) ?? []);
    const byStream = new Map<string, NeededStream>([...others, ...own].map((one) => [one.stream, one]));
    return [...byStream.values()];
  }

  async #answerOf(unit: UnitDocument): Promise<Answer> {
    const { ofRetired } = this.question;
    if (ofRetired !== undefined && unit.retired) return ofRetired;
    if (this.#areTied) {
      for (const tenant_id of this.#tenantsOf(unit)) await this.#reckon(tenant_id);
    }
    return runYielding(this.question.ask(this.#periods.periodsOf(unit._id), this.#worlds), this.yielder);
  }

  /** The effects of a tenant's units on each other, computed once for all. None for a tenant of one unit. */
  async #reckon(tenant_id: string): Promise<void> {
    const units = this.#units.get(tenant_id) ?? [];
    if (units.length < 2) return;
    const periodsOfUnits = units.map(({ stream }) => this.#periods.periodsOf(stream));
    for (const { policies, burdens } of this.#worlds) {
      if (burdens.has(tenant_id)) continue;
      const work = burdensOf(tenant_id, periodsOfUnits, policies, this.question.span, this.calendar);
      burdens.set(tenant_id, await runYielding(work, this.yielder));
    }
  }
}

/** Circumstances, with the burdens computed so far. */
interface World extends Circumstances {
  readonly burdens: Map<string, readonly Burden[]>;
}
