import { healthOf, type ListedRun, STRIP_WIDTH, stripOf } from '#dashboard/pull/run-strip.js';

const run = (run_id: string, more: Partial<ListedRun> = {}) =>
  ({ run_id, state: 'succeeded', error_count: 0, ...more }) as ListedRun;

it.each([
  ['succeeded', 0, 'fine'],
  ['succeeded', 3, 'rejected'],
  ['failed', 0, 'failed'],
  ['running', 0, 'open'],
  ['queued', 0, 'open'],
] as const)('a run that is %s with %d errors is %s', (state, error_count, health) => {
  expect(healthOf({ state, error_count })).toBe(health);
});

it('begins at the left end with the oldest of at most 30 runs', () => {
  const two = stripOf([run('new'), run('old')]);
  expect(two.map(({ run: { run_id } }) => run_id)).toEqual(['old', 'new']);
  expect(two[0]!.x).toBe(0);
  expect(two[1]!.x).toBeGreaterThan(two[0]!.x);
  const many = stripOf(Array.from({ length: 40 }, (_, place) => run(String(place))));
  expect([many.length, many.at(-1)!.run.run_id]).toEqual([30, '0']);
  expect(many.at(-1)!.x + many.at(-1)!.width).toBeLessThanOrEqual(STRIP_WIDTH);
});
