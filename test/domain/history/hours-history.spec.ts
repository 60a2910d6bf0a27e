import { hoursBefore, newestSettings, revisionBefore } from '#domain/history/core/hours-history.js';

describe('the settings of hours', () => {
  const gates = [
    { entry_point_id: 'north', hours_set_at: [4, 7] },
    { entry_point_id: 'south', hours_set_at: [] },
  ];

  it('are those of the location and of its entry points, newest first, with the one before', () => {
    expect(newestSettings({ hours_set_at: [2, 5, 9] }, gates, 9)).toEqual([
      { kind: 'location', revision: 9, previous: 5 },
      { kind: 'entry_point', revision: 7, entry_point_id: 'north' },
      { kind: 'location', revision: 5, previous: 2 },
      { kind: 'entry_point', revision: 4, entry_point_id: 'north' },
      { kind: 'location', revision: 2, previous: undefined },
    ]);
  });

  it('are no more than asked for', () => {
    expect(newestSettings({ hours_set_at: [2, 5, 9] }, gates, 2)).toMatchObject([
      { revision: 9 },
      { revision: 7 },
    ]);
  });

  it('have the last one before a revision that did not set them', () => {
    expect([revisionBefore([2, 5], 4), revisionBefore([2, 5], 2)]).toEqual([2, undefined]);
  });
});

it('an entry point kept before what it does not keep now', () => {
  expect([hoursBefore('always'), hoursBefore('location')]).toEqual(['location', 'always']);
});
