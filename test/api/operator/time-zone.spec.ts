import { TemporalCalendar } from '#domain/access/index.js';
import { timeZoneNamed, zonesLike } from '#api/operator/time-zone.js';

/** Names of three letters and other old ones. */
const ALIASES = [
  ...[
    'ACT',
    'AET',
    'AGT',
    'ART',
    'AST',
    'BET',
    'BST',
    'CAT',
    'CNT',
    'CST',
    'CTT',
    'EAT',
    'ECT',
    'IET',
    'IST',
    'JST',
  ],
  ...[
    'MIT',
    'NET',
    'NST',
    'PLT',
    'PNT',
    'PRT',
    'PST',
    'SST',
    'VST',
    'EST',
    'MST',
    'HST',
    'GMT',
    'CET',
    'EET',
    'MET',
  ],
  ...[
    'WET',
    'ROK',
    'ROC',
    'PRC',
    'Zulu',
    'UCT',
    'Iran',
    'Egypt',
    'Eire',
    'Cuba',
    'Japan',
    'Israel',
    'Turkey',
    'W-SU',
  ],
  ...[
    'CST6CDT',
    'EST5EDT',
    'MST7MDT',
    'PST8PDT',
    'Etc/UTC',
    'Etc/GMT-14',
    'GMT0',
    'GB-Eire',
    'NZ-CHAT',
    'US/Pacific-New',
  ],
  ...[
    'SystemV/AST4',
    'SystemV/CST6CDT',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'Europe/Kiev',
    'Europe/Kyiv',
    'America/Nuuk',
  ],
];

describe('a time zone', () => {
  it.each(['America/Chicago', 'UTC', 'Etc/GMT+5', 'US/Central', 'America/Argentina/Buenos_Aires'])(
    'may be called %s',
    (text) => {
      expect(timeZoneNamed(text)).toBe(text);
    },
  );

  it.each([
    ['america/chicago', 'America/Chicago'],
    ['utc', 'UTC'],
  ])('called %s is %s', (text, name) => {
    expect(timeZoneNamed(text)).toBe(name);
  });

  it.each([
    '+02:00',
    '-05:00',
    'UTC+2',
    '',
    'Z',
    'Mars/Olympus',
    'America',
    '2025-06-06T00:00Z[UTC]',
    ' UTC',
    'UTC\n',
    // Of ICU alone, and of several meanings: no calendar of ours knows them.
    ...['CST', 'PST', 'IST', 'JST', 'AST', 'ECT', 'ACT', 'cst'],
  ])('is not called %j', (text) => {
    expect(timeZoneNamed(text)).toBeUndefined();
  });

  it('may be any that Node lists', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    expect(zones.filter((zone) => timeZoneNamed(zone) !== zone)).toEqual([]);
  });

  it('that is taken is one by which days can be told', () => {
    const calendar = new TemporalCalendar();
    const offered = [
      ...Intl.supportedValuesOf('timeZone'),
      ...ALIASES,
      ...ALIASES.map((zone) => zone.toLowerCase()),
    ];
    const taken = offered.map(timeZoneNamed).filter((zone) => zone !== undefined);
    expect(taken.length).toBeGreaterThan(400);
    for (const zone of taken) expect(calendar.startOf('2026-01-01', zone)).toEqual(expect.any(Number));
  });
});

it.each([
  ['America/Chicgo', ['America/Chicago']],
  ['New Yrok', ['America/New_York']],
  ['berlim', ['Europe/Berlin']],
  ['America/San', ['America/Argentina/San_Juan', 'America/Argentina/San_Luis', 'America/Santarem']],
  ['CST', []],
  ['', []],
  ['Chicago'.padEnd(64), ['America/Chicago']],
  // A longer text is not searched.
  ['Chicago'.padEnd(65), []],
])('suggests for %.20s the zones whose city begins most like it', (text, zones) => {
  expect(zonesLike(text)).toEqual(zones);
});
