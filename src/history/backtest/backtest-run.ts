import type { Calendar } from '../../access/index.js';
import { type Breath, breathing } from '../../config/breath.js';
import type { LocationPolicy } from '../../locations/index.js';
import { isRetired, type UnitDocument } from '../../units/index.js';
import { type Backtested, backtestOf, type Circumstances } from '../core/backtest.js';
import { type Burden, burdensOf } from '../core/burden.js';
import { policyCourse, type Span } from '../core/course.js';
import type { DetailsEvent, Logged } from '../core/unit-record.js';
import type { TenantUnit, UnitRecordReader } from '../unit-record.reader.js';
import { CourseReader } from './course.reader.js';
import { EventBudget, type NeededStream } from './event-budget.js';

/** The policy that is tried out, and the place. */
export interface Proposal {
  /** From when to when it is tried out. */
  readonly tried: Span;
  readonly policy: LocationPolicy;
  readonly details: readonly Logged<DetailsEvent>[];
  /** Events that the run reads, and most that may bear on one unit. */
  readonly mostEvents?: number;
}

/** A unit with what its trial has shown; without it where too much bears on the unit. */
export interface TriedUnit {
  readonly unit: UnitDocument;
  readonly shown?: Backtested;
}

/** Some seconds of work, well within what a request is given. It is judged before anything is read, by how far the views know the streams. */
const MOST_EVENTS = 50_000;

const NOTHING: Backtested = { spans: [], denied: { actual: [], proposed: [] } };

/** A unit whose turn has come, with the streams that bear on it; without them where they are too much for any run. */
interface PlannedUnit {
  readonly unit: UnitDocument;
  readonly need: readonly NeededStream[] | undefined;
}

/** One answer's trial of a policy: what it has read and reckoned for one unit serves the others. Throws StoreUnavailableError, GivenUpError. */
export class BacktestRun {
  readonly #courses: CourseReader;
  /** By tenant, the units that the tenant ever had to do with. */
  readonly #units = new Map<string, readonly TenantUnit[]>();
  readonly #worlds: readonly [World, World];
  /** Whether one unit bears on another at any time, as it was or would have been. */
  readonly #areTied: boolean;
  readonly #budget: EventBudget;

  constructor(
    private readonly reader: UnitRecordReader,
    private readonly calendar: Calendar,
    private readonly breath: Breath,
    private readonly proposal: Proposal,
  ) {
    this.#budget = new EventBudget(proposal.mostEvents ?? MOST_EVENTS);
    this.#courses = new CourseReader(reader, proposal.tried, breath);
    const policies = policyCourse(proposal.details);
    const proposed = [{ from: -Infinity, policy: proposal.policy }];
    this.#areTied = [...policies, ...proposed].some(({ policy }) => policy.blanket_delinquency);
    this.#worlds = [
      { policies, burdens: new Map() },
      { policies: proposed, burdens: new Map() },
    ];
  }

  /** It has read less than it may. */
  get goesOn(): boolean {
    return this.#budget.isLeft;
  }

  /** Tries the first of the units: as many as it may still read of, but for one at least. */
  async try(units: readonly UnitDocument[]): Promise<TriedUnit[]> {
    const begun = this.#plan(units, ownOf);
    await this.#read(begun);
    const possible = begun.map(({ unit }) => unit);
    await this.#learnTenants(possible);
    const planned = this.#plan(possible, (unit) => this.#needOf(unit));
    await this.#read(planned);
    const results: TriedUnit[] = [];
    for (const { unit, need } of planned)
      results.push(need === undefined ? { unit } : { unit, shown: await this.#trialOf(unit) });
    return results;
  }

  /** The first of the units, until what they need is more than may still be read. */
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
    return this.#courses.read(planned.flatMap(({ need = [] }) => need.map(({ stream }) => stream)));
  }

  async #learnTenants(units: readonly UnitDocument[]): Promise<void> {
    if (!this.#areTied) return;
    const tenants = new Set(units.flatMap((unit) => this.#tenantsOf(unit)));
    const unknown = [...tenants].filter((tenant_id) => !this.#units.has(tenant_id));
    for (const [tenant_id, known] of await this.reader.unitsOf(unknown)) this.#units.set(tenant_id, known);
  }

  /** The tenants who rented the unit within the span. */
  #tenantsOf({ _id }: UnitDocument): string[] {
    if (!this.#courses.has(_id)) return [];
    const tenants = this.#courses.of(_id).flatMap(({ unit }) => unit.tenancy?.tenant_id ?? []);
    return [...new Set(tenants)];
  }

  /** The unit's own stream, and those of all units that its tenants ever had to do with. */
  #needOf(unit: UnitDocument): readonly NeededStream[] {
    const own = ownOf(unit);
    if (!this.#areTied || isRetired(unit) || this.#budget.isTooMuch(own)) return own;
    const others = this.#tenantsOf(unit).flatMap((tenant_id) => this.#units.get(tenant_id) ?? []);
    const byStream = new Map<string, NeededStream>([...others, ...own].map((one) => [one.stream, one]));
    return [...byStream.values()];
  }

  async #trialOf(unit: UnitDocument): Promise<Backtested> {
    if (isRetired(unit)) return NOTHING;
    if (this.#areTied) {
      for (const tenant_id of this.#tenantsOf(unit)) await this.#reckon(tenant_id);
    }
    const [actual, proposed] = this.#worlds;
    const course = this.#courses.of(unit._id);
    return breathing(backtestOf(course, actual, proposed, this.proposal.tried, this.calendar), this.breath);
  }

  /** What a tenant's units were to each other, once for all of them; of a tenant of one unit there is nothing to be told. */
  async #reckon(tenant_id: string): Promise<void> {
    const units = this.#units.get(tenant_id) ?? [];
    if (units.length < 2) return;
    const courses = units.map(({ stream }) => this.#courses.of(stream));
    for (const { policies, burdens } of this.#worlds) {
      if (burdens.has(tenant_id)) continue;
      const work = burdensOf(tenant_id, courses, policies, this.proposal.tried, this.calendar);
      burdens.set(tenant_id, await breathing(work, this.breath));
    }
  }
}

/** The circumstances of the units, as far as they have been reckoned. */
interface World extends Circumstances {
  readonly burdens: Map<string, readonly Burden[]>;
}

function ownOf(unit: UnitDocument): readonly NeededStream[] {
  return isRetired(unit) ? [] : [{ stream: unit._id, revision: unit.revision }];
}
