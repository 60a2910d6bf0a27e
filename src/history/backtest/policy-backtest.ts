import { Inject, Injectable } from '@nestjs/common';
import { type Calendar, presentPolicy } from '../../access/index.js';
import { Breath, type Deadline } from '../../config/breath.js';
import { toTimestamp, timestampOrNull } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import { LONGEST_REQUEST } from '../../config/longest-request.js';
import { InvalidCursorError } from '../../documents/document-store.js';
import { decodeCursor, encodeCursor } from '../../documents/page-cursor.js';
import type { LocationDocument, LocationPolicy } from '../../locations/index.js';
import { UnitDirectory, type UnitDocument } from '../../units/index.js';
import type { BacktestSpan } from '../core/backtest.js';
import { UnitRecordReader } from '../unit-record.reader.js';
import { BacktestRun } from './backtest-run.js';

export interface BacktestRange {
  readonly days: number;
  /** Most units that a page looks at. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const DAY = 24 * 60 * 60_000;
/** Units that are looked at in one go. */
const UNITS_AT_ONCE = 50;
/** A page ends once it tells of so many spans, or has taken so long: half of what a request is given. */
const MOST_CHANGES = 5_000;
const LONGEST = LONGEST_REQUEST / 2;

/** An answer in the making. */
interface Page {
  units: number;
  /** The last unit that was looked at. */
  last: string;
  readonly changes: ReturnType<typeof presentSpan>[];
  readonly not_tried: ReturnType<typeof nameOf>[];
  /** Tenants who were denied at any time, as it was and as it would have been. */
  readonly denied: { readonly actual: Set<string>; readonly proposed: Set<string> };
  more: boolean;
}

/** Who would have been denied or spared under another policy, told from the log (decisions §6). Throws StoreUnavailableError. */
@Injectable()
export class PolicyBacktest {
  constructor(
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly units: UnitDirectory,
    private readonly reader: UnitRecordReader,
  ) {}

  /**
   * A page of the location's units, in the order they were created: as many as are asked for, or as its bounds on events,
   * spans and time let it look at, but for one at least.
   * @param deadline of who asks: nothing goes on behind it
   * @throws InvalidCursorError, GivenUpError
   */
  async of(
    location: LocationDocument,
    policy: LocationPolicy,
    { days, limit, cursor }: BacktestRange,
    deadline?: Deadline,
  ) {
    const list = ['backtest', location._id, days, policy];
    const clock = await this.clocks.of(location.company_id);
    const present = clock.now();
    const [after, now] = cursor === undefined ? ['', present] : placeIn(decodeCursor(cursor, list), present);
    const tried = { from: now - days * DAY, until: now };
    const details = await this.reader.details(location._id);
    const run = new BacktestRun(this.reader, this.calendar, new Breath(deadline), { tried, policy, details });
    const goesOn = (page: Page) =>
      page.units < limit &&
      page.changes.length < MOST_CHANGES &&
      clock.now() - present < LONGEST &&
      run.goesOn;
    const denied = { actual: new Set<string>(), proposed: new Set<string>() };
    const page: Page = { units: 0, last: after, changes: [], not_tried: [], denied, more: true };
    do await this.#add(page, run, location._id, Math.min(UNITS_AT_ONCE, limit - page.units));
    while (page.more && goesOn(page));
    const { units, changes, not_tried, last, more } = page;
    return {
      from: toTimestamp(tried.from),
      until: toTimestamp(tried.until),
      policy: presentPolicy(policy),
      units,
      tenants_denied: { actual: denied.actual.size, proposed: denied.proposed.size },
      changes,
      not_tried,
      next_cursor: more ? encodeCursor([last, now], list) : null,
    };
  }

  /** Looks at the next of the location's units. */
  async #add(page: Page, run: BacktestRun, location_id: string, limit: number): Promise<void> {
    const { ahead, isLast } = await this.#ahead(location_id, page.last, limit);
    const results = await run.try(ahead);
    for (const { unit, shown } of results) {
      if (shown === undefined) page.not_tried.push(nameOf(unit));
      else {
        page.changes.push(...shown.spans.map((span) => presentSpan(unit, span)));
        for (const tenant_id of shown.denied.actual) page.denied.actual.add(tenant_id);
        for (const tenant_id of shown.denied.proposed) page.denied.proposed.add(tenant_id);
      }
    }
    page.units += results.length;
    page.last = results.at(-1)?.unit.unit_id ?? page.last;
    page.more = !isLast || results.length < ahead.length;
  }

  /** The units behind one, and whether there are no others. */
  async #ahead(location_id: string, after: string, limit: number) {
    const found = await this.units.ofLocation({ location_id, from: after, limit: limit + 2 });
    const ahead = found.filter(({ unit_id }) => unit_id > after);
    return { ahead: ahead.slice(0, limit), isLast: ahead.length <= limit };
  }
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

/** The unit behind which a page begins, and the instant of the first page: none that was made up, as the calendar ends somewhere. */
function placeIn(place: unknown, present: number): readonly [string, number] {
  const [unit_id, now] = Array.isArray(place) ? (place as unknown[]) : [];
  if (typeof unit_id !== 'string' || !isInstantUpTo(present, now)) throw new InvalidCursorError();
  return [unit_id, now];
}

function isInstantUpTo(present: number, value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= present;
}
