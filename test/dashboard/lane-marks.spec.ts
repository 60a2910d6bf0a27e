import { laneMarks, type LaneKind, levelsOf } from '#dashboard/gates/lane-marks.js';

const tap = (id: string, minute: number, kind: LaneKind = 'opened') => ({
  minute,
  one: { id, kind, text: `tap ${id}` },
});

it('counts taps of one kind at one instant in one sign', () => {
  expect(laneMarks([tap('a', 60), tap('b', 60), tap('c', 75)])).toEqual([
    { id: 'a', kind: 'opened', minute: 60, texts: ['tap a', 'tap b', 'tap c'], level: 0 },
  ]);
});

it('stacks signs of different kinds at one instant', () => {
  const kinds: readonly LaneKind[] = ['opened', 'outside', 'refused', 'failed', 'alarm'];
  const marks = laneMarks(kinds.map((kind) => tap(kind, 60, kind)));
  expect(marks.map(({ kind, level }) => [kind, level])).toEqual(kinds.map((kind, level) => [kind, level]));
  expect(levelsOf(marks)).toBe(5);
});

it('leaves taps with time between them in one row, each at its minute', () => {
  const marks = laneMarks([tap('late', 200), tap('early', 60), tap('denied', 120, 'refused')]);
  expect(marks.map(({ minute, level }) => [minute, level])).toEqual([
    [60, 0],
    [120, 0],
    [200, 0],
  ]);
});

it('keeps every tap of a busy night, and no two signs at one place', () => {
  const kinds: readonly LaneKind[] = ['opened', 'refused', 'failed'];
  const taps = Array.from({ length: 900 }, (_, place) => tap(String(place), place, kinds[place % 3]));
  const marks = laneMarks(taps);
  expect(marks.flatMap(({ texts }) => texts)).toHaveLength(900);
  expect(new Set(marks.map(({ minute, level }) => `${minute} ${level}`)).size).toBe(marks.length);
  expect(levelsOf(marks)).toBeLessThanOrEqual(9);
});

it('has one row of signs where nobody tapped', () => {
  expect(levelsOf(laneMarks([]))).toBe(1);
});
