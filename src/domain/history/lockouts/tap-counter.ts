import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import type { Deadline } from '#kernel/yielder.js';
import type { LocationDocument } from '#domain/locations/index.js';
import { type ActivityReported, happenedAt, isRefusal, ReportedStreams } from '#domain/locks/index.js';
import { DeniedOpenings } from '../activity/denied-openings.js';
import { ReportReader } from '../activity/report.reader.js';
import { type TapCount, type TapDay, TapDays } from '../core/tap-days.js';
import type { Logged } from '../core/unit-record.js';

/** Reports that are judged together. So many are in memory. */
const REPORTS_AT_ONCE = 200;

/**
 * Taps by local day. A report is counted on the day on which it happened, up to 30 days before it was recorded. `settled`
 * counts the reports that were recorded up to `settled_until` (milliseconds), each exactly once; `days` all.
 */
export interface CountedTaps {
  readonly settled_until: number;
  readonly settled: readonly TapDay[];
  readonly days: readonly TapDay[];
}

interface TapsToCount {
  /** The date from which days are kept. */
  readonly first: string;
  /** Of the last count. Undefined: all are counted anew. */
  readonly known: CountedTaps | undefined;
  /** Milliseconds. */
  readonly now: number;
  /** Milliseconds: all reports that were recorded up to this instant are stored. */
  readonly settledUntil: number;
}

type Tap = ActivityReported['data'];

/** Counts the taps at a location. Throws StoreUnavailableError, GivenUpError. */
@Injectable()
export class TapCounter {
  constructor(
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly streams: ReportedStreams,
    private readonly reader: ReportReader,
    private readonly openings: DeniedOpenings,
  ) {}

  /** Adds the reports since the last count, so that none is read twice for long. */
  async count(
    { _id, policy: { timezone } }: LocationDocument,
    { first, known, now, settledUntil }: TapsToCount,
    deadline?: Deadline,
  ): Promise<CountedTaps> {
    // A report never comes before what it reports.
    const since = known?.settled_until ?? this.calendar.startOf(first, timezone) - 1;
    const until = Math.max(since, settledUntil);
    const settled = new TapDays(known?.settled);
    const all = new TapDays(known?.settled);
    for (const stream of await this.streams.findStreams(_id, since)) {
      for await (const reports of this.#recorded(stream, since, now)) {
        const taps = reports.map(({ data }) => data);
        const denied = await this.openings.among(taps, deadline);
        const dateOf = (tap: Tap) => this.calendar.dateAt(happenedAt(tap), timezone);
        const count = (days: TapDays, counted: readonly Tap[]) =>
          counted.forEach((tap) => days.add(dateOf(tap), countsOf(tap, denied.has(tap.log_id))));
        count(all, taps);
        count(
          settled,
          taps.filter((_, index) => reports[index]!.instant <= until),
        );
      }
    }
    return { settled_until: until, settled: settled.from(first), days: all.from(first) };
  }

  /** The reports of a stream that were recorded within a time, some at once. */
  async *#recorded(
    stream: string,
    since: number,
    until: number,
  ): AsyncGenerator<readonly Logged<ActivityReported>[], void> {
    let reports: Logged<ActivityReported>[] = [];
    for await (const report of this.reader.backwards(stream, await this.reader.newestBy(stream, until))) {
      if (report.instant <= since) break;
      if (reports.push(report) < REPORTS_AT_ONCE) continue;
      yield reports;
      reports = [];
    }
    if (reports.length > 0) yield reports;
  }
}

function countsOf({ event, result, failure_code }: Tap, isDenied: boolean): TapCount[] {
  if (isRefusal(failure_code)) return ['refusals'];
  if (event !== 'unlock' || result !== 'success') return [];
  return isDenied ? ['openings', 'denied_openings'] : ['openings'];
}
