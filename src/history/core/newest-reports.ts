import { ascending } from './window.js';

/** A report's place in its stream and in the log. */
export interface ReportPlace {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
}

/** The part of a stream of reports that was read, backwards. */
export interface Stretch<Report extends ReportPlace> {
  readonly stream: string;
  /** Those that are wanted, newest first. */
  readonly reports: readonly Report[];
  /** The oldest that was looked at, wanted or not; undefined where nothing older can be wanted. */
  readonly end: ReportPlace | undefined;
}

export interface NewestReports<Report extends ReportPlace> {
  readonly reports: readonly Report[];
  /** By stream, the revision to go on from; a stream of which nothing is left is absent. */
  readonly next: Readonly<Record<string, number>>;
}

/**
 * The newest reports of several streams in the order of the log, as far as surely no newer one of another stream comes
 * between: what lies beyond the end of a stretch is not known yet.
 */
export function newestReports<Report extends ReportPlace>(
  stretches: readonly Stretch<Report>[],
  limit: number,
): NewestReports<Report> {
  const floor = stretches.reduce<bigint>(
    // Stryker disable next-line EqualityOperator: the higher of two that are the same is either
    (highest, { end }) => (end !== undefined && end.position > highest ? end.position : highest),
    -1n,
  );
  const reports = stretches
    .flatMap((stretch) => stretch.reports)
    .filter(({ position }) => position >= floor)
    .sort((one, other) => ascending(other.position, one.position))
    .slice(0, limit);
  const shown = new Set(reports);
  const next: Record<string, number> = {};
  for (const { stream, reports: all, end } of stretches) {
    const revision = all.find((report) => !shown.has(report))?.revision ?? (end?.revision ?? 0) - 1;
    if (revision >= 0) next[stream] = revision;
  }
  return { reports, next };
}
