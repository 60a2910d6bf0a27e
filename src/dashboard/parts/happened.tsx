import { Instant } from './times.js';
import { instantText, type Precision } from './words.js';

/** The instants of a report, ISO 8601. */
export interface ReportInstants {
  readonly occurred_at: string;
  readonly recorded_at: string;
}

/** A report that arrives later than this, in milliseconds, says when it did. */
const PROMPT_WITHIN_MS = 60_000;

/** Milliseconds; never after the report arrived, whatever the app's clock said. */
export function reportedInstant({ occurred_at, recorded_at }: ReportInstants): number {
  return Math.min(Date.parse(occurred_at), Date.parse(recorded_at));
}

/** Reports come in the order of their arrival, and a phone that was offline reports late. */
export function newestFirst<One extends ReportInstants>(reports: readonly One[]): One[] {
  return reports.toSorted((one, other) => reportedInstant(other) - reportedInstant(one));
}

interface HappenedProps {
  readonly of: ReportInstants;
  readonly zone: string;
  readonly precision?: Precision;
  /** The instant in milliseconds that the page is about, if it is not now. */
  readonly then?: number | undefined;
}

/** When it happened, and if it was reported late, when. */
export function Happened({ of, zone, precision, then = Infinity }: HappenedProps) {
  const at = reportedInstant(of);
  const arrived = Date.parse(of.recorded_at);
  return (
    <>
      <Instant at={at} zone={zone} {...(precision && { precision })} />
      {arrived - at > PROMPT_WITHIN_MS || arrived > then ? (
        <span class="hint">
          {` reported ${arrived > then ? 'later, ' : ''}${arrivalText(at, arrived, zone)}`}
        </span>
      ) : null}
    </>
  );
}

/** Without the date, if it is the same. */
function arrivalText(at: number, arrived: number, zone: string): string {
  const isSameDay = instantText(at, zone, 'day') === instantText(arrived, zone, 'day');
  return instantText(arrived, zone, isSameDay ? 'time' : 'minute');
}
