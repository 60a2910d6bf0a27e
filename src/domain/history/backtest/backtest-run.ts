import type { Calendar } from '#domain/access/index.js';
import { type Yielder, runYielding } from '#kernel/yielder.js';
import type { LocationPolicy } from '#domain/locations/index.js';
import { type UnitDocument } from '#domain/units/index.js';
import { type Backtested, backtestOf, type Circumstances } from '../core/backtest.js';
import { type Burden, burdensOf } from '../core/burden.js';
import { type UnitPeriods, type PolicyPeriods, policyPeriods, type Span } from '../core/periods.js';
import type { DetailsEvent, Logged } from '../core/unit-record.js';
import type { UnitRecordReader } from '../unit-record.reader.js';
import { PeriodsReader } from './periods.reader.js';
import { EventBudget, type NeededStream, StreamGroup } from './event-budget.js';

/** The question about the units of a location. */
export interface Question<Answer> {
  readonly span: Span;
  /** Lists of policies to decide by: the real ones, the tried ones. */
  readonly worlds: readonly PolicyPeriods[];
  /** Bound on the events of the whole run, and on those of one unit. */
  readonly mostEvents: number;
  /** The answer for a unit, by its circumstances in each world. */
  readonly ask: (periods: UnitPeriods, worlds: readonly Circumstances[]) => Generator<number, Answer>;
  /** The streams of units that may bear on others. Absent: any may. */
  readonly tied?: ReadonlySet<string>;
  /** Units whose answer needs no look at them. Absent: all are asked. */
  readonly spared?: { readonly has: (unit: UnitDocument) => boolean; readonly answer: Answer };
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
  /** The streams of units that may bear on others under any of the policies. */
  readonly tied: ReadonlySet<string>;
  readonly mostEvents?: number;
}

export type TriedUnit = AskedUnit<Backtested>;

/** Some seconds of work, well within a request. Lengths of streams come from the views, before anything is read. */
export const MOST_EVENTS = 50_000;

const NOBODY = { actual: [], proposed: [] };
const NOTHING: Backtested = { spans: [], denied: NOBODY, lockedOut: NOBODY };

/** A unit and the streams to read for it, without those that are read for units before it. */
interface PlannedUnit {
  readonly unit: UnitDocument;
  readonly unread: readonly NeededStream[];
  /** It needs more than a whole run may read, so nothing is read for it. */
  readonly isTooMuch: boolean;
}

export function backtestRun(
  reader: UnitRecordReader,
  calendar: Calendar,
  yielder: Yielder,
  { tried, policy, details, tied, mostEvents = MOST_EVENTS }: Proposal,
): QuestionRun<Backtested> {
  return new QuestionRun(reader, calendar, yielder, {
    span: tried,
    worlds: [policyPeriods(details), [{ from: -Infinity, policy }]],
    mostEvents,
    tied,
    ask: (periods, [actual, proposed]) => backtestOf(periods, actual!, proposed!, tried, calendar),
    spared: {
      has: (unit) => unit.retired || (isQuietSince(tried.from, unit) && !tied.has(unit._id)),
      answer: NOTHING,
    },
  });
}

/** Whether nothing in the unit denied its tenant from then on, under any policy. */
function isQuietSince(from: number, { quiet_since }: UnitDocument): boolean {
  return typeof quiet_since === 'number' && quiet_since <= from;
}

/** Asks one question of many units. What it reads and computes for one serves the others. Throws StoreUnavailableError, GivenUpError. */
export class QuestionRun<Answer> {
  readonly #periods: PeriodsReader;
  /** By tenant, all units that the tenant ever had. */
  readonly #units = new Map<string, StreamGroup>();
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

  /** What it holds of the streams that it has read takes memory. A run with no other bound ends when this is true. */
  get isLarge(): boolean {
    return this.#budget.spent >= MOST_EVENTS;
  }

  /** Asks of the first units: as many as the budget allows, at least one. */
  async try(units: readonly UnitDocument[]): Promise<AskedUnit<Answer>[]> {
    const { spared } = this.question;
    if (spared === undefined) return this.#ask(units);
    const wanted = units.filter((unit) => !spared.has(unit));
    const asked = wanted.length === 0 ? [] : await this.#ask(wanted);
    const rest = wanted[asked.length];
    const results = new Map(asked.map((one) => [one.unit, one]));
    return units
      .slice(0, rest === undefined ? units.length : units.indexOf(rest))
      .map((unit) => results.get(unit) ?? { unit, shown: spared.answer });
  }

  async #ask(units: readonly UnitDocument[]): Promise<AskedUnit<Answer>[]> {
    const begun = await this.#plan(units, () => []);
    await this.#read(begun);
    const possible = begun.map(({ unit }) => unit);
    await this.#learnTenants(possible);
    const planned = await this.#plan(possible, (unit) => this.#othersOf(unit));
    await this.#read(planned);
    const results: AskedUnit<Answer>[] = [];
    for (const { unit, isTooMuch } of planned)
      results.push(isTooMuch ? { unit } : { unit, shown: await this.#answerOf(unit) });
    return results;
  }

  /** The first units, until the budget is spent. @param othersOf the streams of units that bear on a unit */
  async #plan(
    units: readonly UnitDocument[],
    othersOf: (unit: UnitDocument) => readonly StreamGroup[],
  ): Promise<PlannedUnit[]> {
    const planned: PlannedUnit[] = [];
    for (const unit of units) {
      const need = { own: ownOf(unit), others: othersOf(unit) };
      const isTooMuch = this.#budget.isTooMuch(need);
      const unread = isTooMuch ? [] : this.#budget.plan(need, planned.length === 0);
      if (unread === undefined) break;
      planned.push({ unit, unread, isTooMuch });
      await this.yielder.after(1 + unread.length);
    }
    return planned;
  }

  #read(planned: readonly PlannedUnit[]): Promise<void> {
    return this.#periods.read(planned.flatMap(({ unread }) => unread));
  }

  async #learnTenants(units: readonly UnitDocument[]): Promise<void> {
    const tied = units.filter((unit) => this.#isTied(unit));
    const tenants = new Set(tied.flatMap((unit) => this.#tenantsOf(unit)));
    const unknown = [...tenants].filter((tenant_id) => !this.#units.has(tenant_id));
    for (const [tenant_id, known] of await this.reader.unitsOf(unknown, true)) {
      this.#units.set(tenant_id, new StreamGroup(known));
      await this.yielder.after(known.length);
    }
  }

  #isTied({ _id }: UnitDocument): boolean {
    return this.#areTied && this.question.tied?.has(_id) !== false;
  }

  /** The tenants who rented the unit within the span. */
  #tenantsOf({ _id }: UnitDocument): string[] {
    if (!this.#periods.has(_id)) return [];
    const tenants = this.#periods.periodsOf(_id).flatMap(({ unit }) => unit.tenancy?.tenant_id ?? []);
    return [...new Set(tenants)];
  }

  /** The streams of all units that the unit's tenants ever had. */
  #othersOf(unit: UnitDocument): readonly StreamGroup[] {
    if (!this.#isTied(unit)) return [];
    return this.#tenantsOf(unit).flatMap((tenant_id) => this.#units.get(tenant_id) ?? []);
  }

  async #answerOf(unit: UnitDocument): Promise<Answer> {
    if (this.#isTied(unit)) {
      for (const tenant_id of this.#tenantsOf(unit)) await this.#reckon(tenant_id);
    }
    return runYielding(this.question.ask(this.#periods.periodsOf(unit._id), this.#worlds), this.yielder);
  }

  /** The effects of a tenant's units on each other, computed once for all. None for a tenant of one unit. */
  async #reckon(tenant_id: string): Promise<void> {
    const { streams = [] } = this.#units.get(tenant_id) ?? {};
    const unknown = this.#worlds.filter(({ burdens }) => !burdens.has(tenant_id));
    if (streams.length < 2 || unknown.length === 0) return;
    const periodsOfUnits = streams.map(({ stream }) => this.#periods.periodsOf(stream));
    for (const { policies, burdens } of unknown) {
      const work = burdensOf(tenant_id, periodsOfUnits, policies, this.question.span, this.calendar);
      burdens.set(tenant_id, await runYielding(work, this.yielder));
    }
  }
}

function ownOf(unit: UnitDocument): NeededStream {
  return { stream: unit._id, revision: unit.revision, unit };
}

/** Circumstances, with the burdens computed so far. */
interface World extends Circumstances {
  readonly burdens: Map<string, readonly Burden[]>;
}
