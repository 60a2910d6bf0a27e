import { readOptions, UsageError } from '../../../src/tools/bench/options.js';
import { rowName, rowsNamed } from '../../../src/tools/bench/rounds.js';
import { scaleRows } from '../../../src/tools/bench/scale/scale.js';

describe('options of the benchmark', () => {
  it('have defaults', () => {
    expect(readOptions([])).toEqual({
      seconds: 1,
      rounds: 3,
      connections: 64,
      only: [],
      against: undefined,
      profile: undefined,
      scale: undefined,
    });
  });

  it('are taken as they are given', () => {
    const given = '--seconds 0.3 --rounds 5 --only bulk,,move --against a/main.js --scale 1000,200000';
    expect(readOptions(given.split(' '))).toMatchObject({
      seconds: 0.3,
      rounds: 5,
      only: ['bulk', 'move'],
      against: 'a/main.js',
      scale: [1_000, 200_000],
    });
  });

  it.each([
    ['--seconds', '0'],
    ['--rounds', 'x'],
    ['--scale', '1000,'],
    ['--scale', '-1'],
    ['--other'],
    ['x'],
  ])('are refused where they cannot be followed: %s %s', (...argv) => {
    expect(() => readOptions(argv)).toThrow(UsageError);
  });
});

describe('rows', () => {
  it('are chosen by parts of their names', () => {
    expect(rowsNamed(['move_in_new', 'bulk_changed']).map(rowName)).toEqual([
      'move_in_new',
      'move_in_new_one',
      'bulk_changed',
    ]);
    expect(rowsNamed(['_one']).every(({ clients }) => clients === 'one')).toBe(true);
    expect(rowsNamed(['nothing'])).toEqual([]);
  });

  it('of a run over sizes are writes of one unit', () => {
    const all = ['move_in_new', 'move_in_new_one', 'facts_changed', 'facts_changed_one'];
    expect(scaleRows([]).map(rowName)).toEqual(all);
    expect(scaleRows(['facts']).map(rowName)).toEqual(all.slice(2));
  });
});
