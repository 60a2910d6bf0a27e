import type { Calendar } from '../../access/index.js';
import { type Breath, breathing } from '../../config/breath.js';
import type { LocationPolicy } from '../../locations/index.js';
import { isRetired, type UnitDocument } from '../../units/index.js';
import { type Backtested, backtestOf, type Circumstances, type Tried } from '../core/backtest.js';
import { type Burden, burdensOf } from '../core/burden.js';
import { policyCourse } from '../core/course.js';
import type { DetailsEvent, Logged } from '../core/unit-record.js';
import type { TenantUnit, UnitRecordReader } from '../unit-record.reader.js';
import { CourseReader } from './course.reader.js';

/** What is tried out, and where. */
export interface Proposal {
  readonly tried: Tried;
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

/** A stream that bears on a unit, and up to which revision the views know it. */
type Needed = Pick<TenantUnit, 'stream' | 'revision'>;

/** One answer's trial of a policy: what it has read and reckoned for one unit serves the others. Throws StoreUnavailableError, GivenUpError. */
export class BacktestRun {
  readonly #courses: CourseReader;
  /** By tenant, the units that the tenant ever had to do with. */
  readonly #units = new Map<string, readonly TenantUnit[]>();
  readonly #worlds: readonly [World, World];
  /** Whether one unit bears on another at any time, as it was or would have been. */
  readonly #areTied: boolean;
  readonly #planned = new Set<string>();
  readonly #most: number;
  #cost = 0;

  constructor(
    private readonly reader: UnitRecordReader,
    private readonly calendar: Calendar,
    private readonly breath: Breath,
    private readonly proposal: Proposal,
  ) {
    this.#most = proposal.mostEvents ?? MOST_EVENTS;
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
    return this.#cost < this.#most;
  }

  /** Tries the first of the units: as many as it may still read of, but for one at least. */
  async try(units: readonly UnitDocument[]): Promise<TriedUnit[]> {
    const begun = this.#affordable(units, ownOf);
    await this.#read(begun, ownOf);
    await this.#learnTenants(begun);
    const needOf = (unit: UnitDocument) => this.#needOf(unit);
    const tried = this.#affordable(begun, needOf);
    await this.#read(tried, needOf);
    const results: TriedUnit[] = [];
    for (const unit of tried) {
      if (isRetired(unit)) results.push({ unit, shown: NOTHING });
      else
        results.push(
          this.#isTooMuch(this.#needOf(unit)) ? { unit } : { unit, shown: await this.#trialOf(unit) },
        );
    }
    return results;
  }

  /** The first of the units, until what they need is more than may still be read; what is too much for any run is left out. */
  #affordable(units: readonly UnitDocument[], needOf: (unit: UnitDocument) => readonly Needed[]) {
    const some: UnitDocument[] = [];
    for (const unit of units) {
      const need = needOf(unit);
      if (!this.#isTooMuch(need)) {
        const fresh = need.filter(({ stream }) => !this.#planned.has(stream));
        const cost = eventsOf(fresh);
        if (some.length > 0 && this.#cost + cost > this.#most) break;
        this.#cost += cost;
        for (const { stream } of fresh) this.#planned.add(stream);
      }
      some.push(unit);
    }
    return some;
  }

  #isTooMuch(need: readonly Needed[]): boolean {
    return eventsOf(need) > this.#most;
  }

  #read(units: readonly UnitDocument[], needOf: (unit: UnitDocument) => readonly Needed[]): Promise<void> {
    const needs = units.map(needOf).filter((need) => !this.#isTooMuch(need));
    return this.#courses.read(needs.flatMap((need) => need.map(({ stream }) => stream)));
  }

  async #learnTenants(units: readonly UnitDocument[]): Promise<void> {
    if (!this.#areTied) return;
    const tenants = new Set(units.flatMap((unit) => this.#tenantsOf(unit)));
    const unknown = [...tenants].filter((tenant_id) => !this.#units.has(tenant_id));
    for (const [tenant_id, known] of await this.reader.unitsOf(unknown)) this.#units.set(tenant_id, known);
  }

  /** Who rented the unit within the span. */
  #tenantsOf({ _id }: UnitDocument): string[] {
    if (!this.#courses.has(_id)) return [];
    const tenants = this.#courses.of(_id).flatMap(({ unit }) => unit.tenancy?.tenant_id ?? []);
    return [...new Set(tenants)];
  }

  /** The unit's own stream, and those of all units that its tenants ever had to do with. */
  #needOf(unit: UnitDocument): readonly Needed[] {
    const own = ownOf(unit);
    if (!this.#areTied || this.#isTooMuch(own)) return own;
    const others = this.#tenantsOf(unit).flatMap((tenant_id) => this.#units.get(tenant_id) ?? []);
    const byStream = new Map<string, Needed>([...others, ...own].map((one) => [one.stream, one]));
    return [...byStream.values()];
  }

  async #trialOf(unit: UnitDocument): Promise<Backtested> {
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

function ownOf(unit: UnitDocument): readonly Needed[] {
  return isRetired(unit) ? [] : [{ stream: unit._id, revision: unit.revision }];
}

function eventsOf(need: readonly Needed[]): number {
  return need.reduce((events, { revision }) => events + revision + 1, 0);
}
