import { ascending } from './window.js';

/** Identifies a report in its stream and in the log. */
export interface ReportPlace {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
}

/** The part of a stream that was read, from newest to oldest. */
export interface Stretch<Report extends ReportPlace> {
  readonly stream: string;
  /** The wanted reports, newest first. */
  readonly reports: readonly Report[];
  /** The oldest report that was read, wanted or not. Undefined if no older report can be wanted. */
  readonly end: ReportPlace | undefined;
}

export interface NewestReports<Report extends ReportPlace> {
  readonly reports: readonly Report[];
  /** By stream, the revision from which the next page goes on. A stream without more reports is absent. */
  readonly next: Readonly<Record<string, number>>;
}

/**
 * Merges the newest reports of several streams in the order of the log. It stops at the newest `end` of all streams: a report
 * that was not read yet may come next.
 */
export function newestReports<Report extends ReportPlace>(
  stretches: readonly Stretch<Report>[],
  limit: number,
): NewestReports<Report> {
  const floor = stretches.reduce<bigint>(
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
