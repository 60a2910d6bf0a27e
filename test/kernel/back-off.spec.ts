import { backOff } from '#kernel/core/back-off.js';

it('doubles the pause with each failure, up to the longest', () => {
  const pauses = [1, 2, 3, 4, 5, 1_000].map((failures) => backOff(failures, { first: 50, longest: 500 }));
  expect(pauses).toEqual([50, 100, 200, 400, 500, 500]);
});
