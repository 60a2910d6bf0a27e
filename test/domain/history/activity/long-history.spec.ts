import { encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import type { HoursOfReports } from '#domain/history/activity/hours-of-reports.js';
import { ActivityHistory } from '#domain/history/activity/activity-history.js';
import type { ReportReader } from '#domain/history/activity/report.reader.js';
import type { LocationDirectory } from '#domain/locations/index.js';
import type { ActivityRecords } from '#domain/locks/index.js';

const NEWEST = Date.UTC(2026, 0, 2);

let read: number;
let looks: number;

/** A lock that reported once a second until the newest instant. */
function historyOf(reports: number, step = 1_000): ActivityHistory {
  [read, looks] = [0, 0];
  const reader = {
    newestBy: () => Promise.resolve(reports - 1),
    backwards: function* () {
      for (let index = 0; index < reports; index += 1) {
        read += 1;
        const at = NEWEST - index * step;
        const data = {
          ...{ log_id: `${index}`, lock_id: 'lock', unit_id: 'unit', recorded_at: at },
          get occurred_at() {
            looks += 1;
            return at;
          },
        };
        yield { type: 'LockActivityReported', data, instant: at };
      }
    },
  };
  const placements = [{ unit_id: 'unit', from: 0 }];
  const locations = {
    locksEverOnUnit: () => Promise.resolve([{ lock_id: 'lock', placements }]),
    equipmentNames: () => Promise.resolve(new Map()),
  };
  const hours = { outside: () => Promise.resolve(new Set()) };
  const records = { textsOf: () => Promise.resolve([]) };
  return new ActivityHistory(
    reader as unknown as ReportReader,
    locations as unknown as LocationDirectory,
    records as unknown as ActivityRecords,
    hours as unknown as HoursOfReports,
  );
}

const cursorAt = (at: number, shown: number) => encodeCursor({ at, shown }, ['happened', 'unit']);

it('a page of an early instant reads 10,000 reports of a lock at most', async () => {
  const history = historyOf(25_000);
  const early = await history.listOfUnitByHappening('unit', { limit: 50, cursor: cursorAt(NEWEST - 9e6, 0) });
  expect([early.entries.length, early.entries[0]!.log_id]).toEqual([50, '9000']);
  await history.listOfUnitByHappening('unit', { limit: 50, cursor: cursorAt(NEWEST - 24e6, 0) });
  expect(read).toBeLessThan(21_000);
});

it('a page after many of one instant looks at each report a few times', async () => {
  const history = historyOf(9_000);
  await history.listOfUnitByHappening('unit', { limit: 50, cursor: cursorAt(NEWEST, 999) });
  expect(looks / read).toBeLessThan(30);
});

it.each([1_000, 1e15, -1, 0.5])('refuses a cursor after %p reports of one instant', async (shown) => {
  const page = historyOf(10).listOfUnitByHappening('unit', { limit: 50, cursor: cursorAt(NEWEST, shown) });
  await expect(page).rejects.toThrow(InvalidCursorError);
});

it('passes over the rest of 1,000 reports of one instant', async () => {
  const history = historyOf(1_200, 0);
  const pages: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await history.listOfUnitByHappening('unit', { limit: 500, ...(cursor && { cursor }) });
    pages.push(page.entries.length);
    cursor = page.next_cursor;
  }
  expect(pages).toEqual([500, 500, 0]);
});
