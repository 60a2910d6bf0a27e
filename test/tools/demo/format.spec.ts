import {
  checkTable,
  fit,
  resolutionOf,
  shortened,
  stateOf,
  table,
  tally,
  timeline,
  value,
  wrap,
} from '../../../tools/demo/format.js';

describe('a table', () => {
  it('aligns its columns and rules off its head', () => {
    const rows = [
      ['access', 'units'],
      ['vacant', '48'],
      ['auction', '1'],
    ];
    expect(table(rows)).toEqual(['access   units', '-------  -----', 'vacant   48', 'auction  1']);
  });

  it('wraps its last column under itself', () => {
    const rows = [
      ['#', 'looked at'],
      ['9', 'balance_due 189, today 2026-11-21'],
    ];
    expect(table(rows, 20)).toEqual([
      '#  looked at',
      '-  -----------------',
      '9  balance_due 189,',
      '   today 2026-11-21',
    ]);
  });

  it('is a rule where it has no rows', () => {
    expect(table([])).toEqual(['']);
  });
});

describe('wrap', () => {
  it.each([
    ['', 5, ['']],
    ['one two', 7, ['one two']],
    ['one two', 6, ['one', 'two']],
    ['immovable one', 4, ['immovable', 'one']],
  ])('breaks %p at %p', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });
});

it('cuts a line that is wider than the page', () => {
  expect(fit('12345', 5)).toBe('12345');
  expect(fit('123456', 5)).toBe('1234…');
});

it.each([
  [null, 'none'],
  [undefined, 'none'],
  [true, 'yes'],
  [false, 'no'],
  [189.5, '189.5'],
  ['2026-11-21', '2026-11-21'],
])('says the value %p as %p', (given, said) => {
  expect(value(given)).toBe(said);
});

it('never shows the whole of a credential', () => {
  expect(shortened('sat_0123456789')).toBe('sat_0123… (14 characters)');
  expect(shortened('short')).toBe('…');
});

it('names a state with its reason where it has one', () => {
  expect(stateOf({ state: 'tenant_denied', reason: 'delinquent' })).toBe('tenant_denied: delinquent');
  expect(stateOf({ state: 'vacant', reason: null })).toBe('vacant');
});

describe('the checks', () => {
  const check = (number: number, name: string, matched: boolean) => ({
    number,
    name,
    matched,
    looked_at: [{ name: 'balance_due', value: number }],
  });

  it('end with the one that decided', () => {
    expect(
      checkTable([check(1, 'auction', false), check(2, 'vacant', true), check(3, 'later', true)]),
    ).toEqual([
      '#  check    matched  looked at',
      '-  -------  -------  -------------',
      '1  auction  no       balance_due 1',
      '2  vacant   YES      balance_due 2',
    ]);
  });
});

it.each([
  [null, 'nobody rents it'],
  [[], 'nothing: access is permitted'],
  [[{ crm_unit_id: 'A-1', field: 'balance_due', to: 0 }], 'balance_due of A-1 → 0'],
])('says what would permit: %p', (resolution, said) => {
  expect(resolutionOf({ resolution })).toBe(said);
});

describe('the timeline', () => {
  it('tells what was stored from what is computed', () => {
    const stored = {
      revision: 0,
      type: 'UnitRegistered',
      occurred_at: '2026-11-21T10:00:00.000Z',
      actor: { kind: 'api_token', id: '1' },
      changes: {},
      access: { from: null, to: { state: 'vacant', reason: null } },
      hash: 'h',
    };
    const computed = {
      ...stored,
      revision: null,
      type: 'AccessChanged',
      actor: { kind: 'system', id: 'calendar' },
      access: { from: null, to: { state: 'tenant_denied', reason: 'delinquent' } },
      cause: { kind: 'calendar' },
    };
    const quiet = { ...stored, revision: 1, type: 'UnitRenamed', access: undefined };
    expect(timeline([stored, computed, quiet], (at) => at.slice(11, 16))).toEqual([
      'rev  when   what            who                  access from then on',
      '---  -----  --------------  -------------------  -------------------------',
      '0    10:00  UnitRegistered  api_token            vacant',
      '·    10:00  AccessChanged   calendar (computed)  tenant_denied: delinquent',
      '1    10:00  UnitRenamed     api_token',
    ]);
  });
});

it('counts labels, most first and equal ones by name', () => {
  expect(tally(['b', 'a', 'c', 'c'])).toEqual([
    ['c', 2],
    ['a', 1],
    ['b', 1],
  ]);
});
