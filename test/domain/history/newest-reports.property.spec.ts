import fc from 'fast-check';
import { newestReports, type ReportPlace, type Stretch } from '#domain/history/core/newest-reports.js';

type Report = ReportPlace & { readonly wanted: boolean };

/** Streams whose reports lie mixed in one log, some of them wanted. */
const logs = fc
  .array(fc.record({ stream: fc.constantFrom('a', 'b', 'c'), wanted: fc.boolean() }), { maxLength: 60 })
  .map((written) => {
    const streams: Record<string, Report[]> = { a: [], b: [], c: [] };
    written.forEach(({ stream, wanted }, position) => {
      const revision = streams[stream]!.length;
      streams[stream]!.push({ stream, revision, position: BigInt(position * 3), wanted });
    });
    return streams;
  });

/** As the service reads: backwards, until there is one more than the page holds or enough were looked at. */
function stretchOf(stream: readonly Report[], name: string, from: number, bounds: Bounds): Stretch<Report> {
  const reports: Report[] = [];
  let lookedAt = 0;
  for (const report of stream.slice(0, from + 1).reverse()) {
    if (report.wanted) reports.push(report);
    lookedAt += 1;
    if (reports.length > bounds.limit || lookedAt === bounds.most)
      return { stream: name, reports, end: report };
  }
  return { stream: name, reports, end: undefined };
}

interface Bounds {
  readonly limit: number;
  readonly most: number;
}

describe('the newest reports of several streams', () => {
  it('come page by page in the order of the log, each that is wanted once', () => {
    fc.assert(
      fc.property(
        logs,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 8 }),
        (log, limit, most) => {
          const told: Report[] = [];
          let next: Readonly<Record<string, number>> = { a: 60, b: 60, c: 60 };
          for (let pages = 0; Object.keys(next).length > 0; pages += 1) {
            if (pages > 200) throw new Error('The pages do not end.');
            const stretches = Object.entries(next).map(([name, from]) =>
              stretchOf(log[name]!, name, from, { limit, most }),
            );
            const page = newestReports(stretches, limit);
            expect(page.reports.length).toBeLessThanOrEqual(limit);
            told.push(...page.reports);
            next = page.next;
          }
          const wanted = Object.values(log)
            .flat()
            .filter((report) => report.wanted);
          expect(told).toEqual(wanted.sort((one, other) => (one.position < other.position ? 1 : -1)));
        },
      ),
    );
  });
});
