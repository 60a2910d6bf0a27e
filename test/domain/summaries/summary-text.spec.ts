import type { DayFigures } from '#domain/summaries/core/day-figures.js';
import { type SummaryContent, summaryLines, summaryText } from '#domain/summaries/core/summary-text.js';

const QUIET: DayFigures = {
  locked_out: { tenants: 0, units: 0, owed: [] },
  lost: [],
  losing: { days: 7, dates: [] },
  in_auction: 0,
  denied_openings: 0,
  unsent_texts: { days: 3, texts: 0 },
  failures: 0,
  low_batteries: 0,
  sync_problems: 0,
  damaged_histories: 0,
};
const BUSY: DayFigures = {
  locked_out: {
    tenants: 1_200,
    units: 1_301,
    owed: [
      { currency: 'USD', cents: 31_205_000 },
      { currency: 'CAD', cents: 0 },
      { currency: 'EUR', cents: 4_250 },
    ],
  },
  lost: [
    { date: '2026-01-04', units: 9 },
    { date: '2026-01-05', units: 3 },
    { date: '2026-01-06', units: 8 },
  ],
  losing: {
    days: 7,
    dates: [
      { date: '2026-01-06', units: 2 },
      { date: '2026-01-09', units: 7 },
    ],
  },
  in_auction: 2,
  denied_openings: 1,
  unsent_texts: { days: 3, texts: 4 },
  failures: 5,
  low_batteries: 6,
  sync_problems: 7,
  damaged_histories: 1,
};
const CONTENT: SummaryContent = {
  company_name: 'Park Storage',
  site_names: [],
  // Seven in the morning of the 6th at the site, which in UTC is the 5th.
  at: Date.parse('2026-01-05T21:00:00Z'),
  timezone: 'Asia/Tokyo',
  date: '2026-01-06',
  yesterday: '2026-01-05',
  figures: QUIET,
  today_url: 'https://access.example/dashboard?company_id=C',
  stop_url: 'https://access.example/dashboard/summary/stop/T',
};

test('A busy day takes ten lines', () => {
  expect(summaryLines(BUSY, CONTENT)).toEqual([
    'Locked out: 1,200 tenants, 1,301 units, $312,050.00 + €42.50 owed',
    'Locked yesterday: 3 units',
    'Locks in the next 7 days: 9 units, 2 of them today',
    'In auction: 2 units',
    'Opened while locked out, in the last 24 hours: 1',
    'Texts to tenants not sent, in 3 days: 4',
    'Locks and gates that failed in the last 24 hours: 5',
    'Low batteries: 6',
    'Sync problems: 7',
    'Damaged histories: 1. Tell the person who runs the service.',
  ]);
});

test('A quiet day takes three lines', () => {
  expect(summaryLines(QUIET, CONTENT)).toEqual([
    'Locked out: nobody',
    'Locked yesterday: 0 units',
    'Locks in the next 7 days: 0 units',
  ]);
});

test('Days that are not counted yet are said to be', () => {
  expect(summaryLines({ ...QUIET, lost: null }, CONTENT)[1]).toBe('Locked yesterday: being counted');
});

test('One of a thing is said in the singular', () => {
  const locked_out = { tenants: 1, units: 1, owed: [{ currency: 'USD', cents: 0 }] };
  expect(summaryLines({ ...QUIET, locked_out, in_auction: 1 }, CONTENT)).toEqual([
    'Locked out: 1 tenant, 1 unit',
    'Locked yesterday: 0 units',
    'Locks in the next 7 days: 0 units',
    'In auction: 1 unit',
  ]);
});

test('A mail names company, local date and both links', () => {
  expect(summaryText(CONTENT)).toEqual({
    subject: 'Today at Park Storage: nobody locked out',
    text: [
      'Park Storage, Tuesday, January 6',
      '',
      'Locked out: nobody',
      'Locked yesterday: 0 units',
      'Locks in the next 7 days: 0 units',
      '',
      'Today: https://access.example/dashboard?company_id=C',
      '',
      'You switched this mail on. Stop it: https://access.example/dashboard/summary/stop/T',
      '',
    ].join('\n'),
  });
});

test('The subject counts who is locked out', () => {
  expect(summaryText({ ...CONTENT, figures: BUSY }).subject).toBe(
    'Today at Park Storage: 1,200 tenants locked out',
  );
});

test.each([
  [['Main St'], 'Your site Main St'],
  [['A', 'B', 'C', 'D', 'E'], 'Your sites A, B, C, D, E'],
  [['A', 'B', 'C', 'D', 'E', 'F'], 'Your 6 sites'],
])('A mail about some sites says which: %j', (site_names, line) => {
  expect(summaryText({ ...CONTENT, site_names }).text.split('\n')[1]).toBe(line);
});
