import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { type Calendar, presentPolicy } from '#domain/access/index.js';
import { Yielder, type Deadline } from '#kernel/yielder.js';
import { toTimestamp, timestampOrNull } from '#kernel/timestamp.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { LONGEST_REQUEST_MS } from '#kernel/longest-request.js';
import type { LocationDocument, LocationPolicy } from '#domain/locations/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { Backtested, BacktestSpan, InBoth } from '../core/backtest.js';
import { policyPeriods } from '../core/periods.js';
import { UnitRecordReader } from '../unit-record.reader.js';
import { type QuestionRun, backtestRun, type TriedUnit } from './backtest-run.js';

export interface BacktestRange {
  readonly days: number;
  /** Most changes on a page. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const DAY_MS = 24 * 60 * 60_000;
/** Units whose views are read at once. */
const UNITS_READ = 500;
/** Units that are tried before the bounds are looked at again. */
const UNITS_AT_ONCE = 50;
/** An answer that took so long tries no further unit: half of a request's time. */
const LONGEST_RUN_MS = LONGEST_REQUEST_MS / 2;

interface Totals {
  units: number;
  not_tried: number;
  changes: number;
  units_denied: number;
  units_spared: number;
  /** Tenants denied at any time. */
  readonly tenants_denied: InBoth<Set<string>>;
  /** Without those who were denied only before their leases began. */
  readonly tenants_locked_out: InBoth<Set<string>>;
}

/** The end of a page: behind a unit, and behind so many changes of the next unit. */
interface PageEnd {
  readonly after: string;
  readonly listed: number;
}

const BEGINNING: PageEnd & { readonly now?: number } = { after: '', listed: 0 };

interface BacktestPage {
  readonly limit: number;
  readonly changes: ReturnType<typeof presentSpan>[];
  readonly not_tried: ReturnType<typeof nameOf>[];
  end: PageEnd;
  isFull: boolean;
}

/**
 * Finds in the log who would have been denied or spared under another policy (decisions §6). Throws StoreUnavailableError.
 */
@Injectable()
export class PolicyBacktest {
  constructor(
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly units: UnitDirectory,
    private readonly reader: UnitRecordReader,
  ) {}

  /**
   * A page of changes, in the order in which the location's units were created. The first page tries all units, for its
   * totals, or as many as the bounds on events and time allow; `complete` says which. A later page tries what it lists.
   * @param deadline of the caller
   * @throws InvalidCursorError, GivenUpError
   */
  async testPolicy(
    location: LocationDocument,
    policy: LocationPolicy,
    { days, limit, cursor }: BacktestRange,
    deadline?: Deadline,
  ) {
    const list = ['backtest', location._id, days, policy];
    const clock = await this.clocks.findClock(location.company_id);
    const present = clock.now();
    const isFirst = cursor === undefined;
    const begin = isFirst ? BEGINNING : pageEndIn(decodeCursor(cursor, list), present);
    const { after, listed, now = present } = begin;
    const details = await this.reader.details(location._id);
    const tried = { from: Math.max(now - days * DAY_MS, details[0]?.instant ?? 0), until: now };
    const policies = [...policyPeriods(details).map((one) => one.policy), policy];
    const tied = await this.#tiedUnits(location._id, policies);
    const proposal = { tried, policy, details, tied };
    const run = backtestRun(this.reader, this.calendar, new Yielder(deadline), proposal);
    const page: BacktestPage = { limit, changes: [], not_tried: [], end: { after, listed }, isFull: false };
    const totals = noTotals();
    const goesOn = () => run.goesOn && clock.now() - present < LONGEST_RUN_MS && (isFirst || !page.isFull);
    const complete = await this.#tryOut(location._id, run, { page, totals }, goesOn);
    return {
      from: toTimestamp(tried.from),
      until: toTimestamp(tried.until),
      policy: presentPolicy(policy),
      totals: isFirst ? { complete, ...presentTotals(totals) } : null,
      changes: page.changes,
      not_tried: page.not_tried,
      next_cursor:
        complete && !page.isFull ? null : encodeCursor([page.end.after, page.end.listed, now], list),
    };
  }

  /** Only blanket delinquency makes units bear on others. */
  async #tiedUnits(location_id: string, policies: readonly LocationPolicy[]): Promise<ReadonlySet<string>> {
    const isBlanket = policies.some(({ blanket_delinquency }) => blanket_delinquency);
    return isBlanket ? this.reader.tiedUnits(location_id) : new Set();
  }

  /** Tries the location's units from where the page begins, some at least. @returns whether all were tried */
  async #tryOut(
    location_id: string,
    run: QuestionRun<Backtested>,
    { page, totals }: { readonly page: BacktestPage; readonly totals: Totals },
    goesOn: () => boolean,
  ): Promise<boolean> {
    let isBegun = false;
    for await (const units of this.units.allOfLocation(location_id, UNITS_READ, { behind: page.end.after })) {
      for (let rest = units; rest.length > 0;) {
        if (isBegun && !goesOn()) return false;
        isBegun = true;
        const tried = await run.try(rest.slice(0, UNITS_AT_ONCE));
        for (const unit of tried) {
          count(totals, unit);
          addUnit(page, unit);
        }
        rest = rest.slice(tried.length);
      }
    }
    return true;
  }
}

function noTotals(): Totals {
  return {
    units: 0,
    not_tried: 0,
    changes: 0,
    units_denied: 0,
    units_spared: 0,
    tenants_denied: { actual: new Set(), proposed: new Set() },
    tenants_locked_out: { actual: new Set(), proposed: new Set() },
  };
}

function presentTotals({ tenants_denied, tenants_locked_out, ...counts }: Totals) {
  return {
    ...counts,
    tenants_denied: sizes(tenants_denied),
    tenants_locked_out: sizes(tenants_locked_out),
  };
}

function sizes({ actual, proposed }: InBoth<ReadonlySet<string>>): InBoth<number> {
  return { actual: actual.size, proposed: proposed.size };
}

function count(totals: Totals, { shown }: TriedUnit): void {
  if (shown === undefined) {
    totals.not_tried += 1;
    return;
  }
  totals.units += 1;
  totals.changes += shown.spans.length;
  const has = (wanted: BacktestSpan['effect']) => shown.spans.some(({ effect }) => effect === wanted);
  if (has('denied')) totals.units_denied += 1;
  if (has('spared')) totals.units_spared += 1;
  for (const world of ['actual', 'proposed'] as const) {
    for (const tenant_id of shown.denied[world]) totals.tenants_denied[world].add(tenant_id);
    for (const tenant_id of shown.lockedOut[world]) totals.tenants_locked_out[world].add(tenant_id);
  }
}

/** Adds a unit's changes while there is room, without those of the page before. */
function addUnit(page: BacktestPage, { unit, shown }: TriedUnit): void {
  if (page.isFull) return;
  const { after, listed } = page.end;
  const spans = shown?.spans.slice(listed) ?? [];
  const fitting = spans.slice(0, page.limit - page.changes.length);
  page.changes.push(...fitting.map((span) => presentSpan(unit, span)));
  page.isFull = fitting.length < spans.length;
  if (shown === undefined) page.not_tried.push(nameOf(unit));
  page.end = page.isFull ? { after, listed: listed + fitting.length } : { after: unit.unit_id, listed: 0 };
}

function nameOf({ unit_id, crm_unit_id, unit_name }: UnitDocument) {
  return { unit_id, crm_unit_id, unit_name };
}

function presentSpan(unit: UnitDocument, { tenant_id, effect, from, until, actual, proposed }: BacktestSpan) {
  return {
    ...nameOf(unit),
    tenant_id,
    effect,
    from: toTimestamp(from),
    until: timestampOrNull(until),
    actual,
    proposed,
  };
}

/**
 * The start of a page, and the instant of the first page. Made-up instants are refused, because the calendar ends
 * somewhere.
 */
function pageEndIn(values: unknown, present: number): PageEnd & { readonly now: number } {
  const [after, listed, now] = Array.isArray(values) ? (values as unknown[]) : [];
  if (typeof after !== 'string' || !isWholeUpTo(MOST_LISTED, listed) || !isWholeUpTo(present, now))
    throw new InvalidCursorError();
  return { after, listed, now };
}

/** More changes than one unit can have. */
const MOST_LISTED = 1_000_000;

function isWholeUpTo(most: number, value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}
