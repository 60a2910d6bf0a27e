import { PASS_EVENT_TYPES } from '#domain/passes/core/pass.events.js';
import { endOf, evolvePass, opensUnit, standingOf } from '#domain/passes/core/pass.state.js';
import { changed, ended, issued, NOW } from './pass-samples.js';

describe('the fold of a pass', () => {
  const first = issued({ units: [{ unit_id: 'a', revision: 4 }], until: NOW + 100 });

  test('begins as it was issued', () => {
    expect(evolvePass(undefined, first, 0)).toMatchObject({
      revision: 0,
      pass_id: 'pass',
      tenant_id: 'vic',
      issued_at: NOW,
      ended_at: null,
      changed_at: [NOW],
    });
  });

  test('knows what it is for, and what it was for before', () => {
    const change = changed({ tenant_id: 'zoe', entry_point_ids: ['lift'], units: [], at: NOW + 3 });
    const after = evolvePass(evolvePass(undefined, first, 0), change, 1);
    expect(after).toMatchObject({ revision: 1, tenant_id: 'zoe', entry_point_ids: ['lift'], units: [] });
    expect(after).toMatchObject({
      ever_tenant_ids: ['vic', 'zoe'],
      ever_entry_point_ids: ['gate', 'lift'],
      ever_unit_ids: ['a'],
      changed_at: [NOW, NOW + 3],
    });
  });

  test('keeps no record of a person', () => {
    const after = evolvePass(evolvePass(undefined, first, 0), changed({ details: ['name'] }), 1);
    expect(after).not.toHaveProperty('details');
  });

  test('ends', () => {
    const state = evolvePass(undefined, first, 0);
    const after = evolvePass(state, ended({ at: NOW + 50 }), 1);
    expect([state, after].map(endOf)).toEqual([NOW + 100, NOW + 50]);
    expect(after).toMatchObject({ revision: 1, ended_at: NOW + 50, changed_at: [NOW, NOW + 50] });
  });

  test('begins with nothing else', () => {
    expect(() => evolvePass(undefined, ended(), 0)).toThrow('PassEnded');
  });

  test('has the types of the log', () => {
    expect(Object.keys(PASS_EVENT_TYPES)).toEqual(['PassIssued', 'PassChanged', 'PassEnded']);
  });
});

test('a pass is to come, in force, and over', () => {
  const pass = { from: 10, until: 20, ended_at: null };
  expect([9, 10, 19, 20].map((at) => standingOf(pass, at))).toEqual([
    'upcoming',
    'in_force',
    'in_force',
    'ended',
  ]);
  expect(standingOf({ ...pass, ended_at: 12 }, 12)).toBe('ended');
});

describe('a pass opens a unit', () => {
  const named = { unit_id: 'a', revision: 4 };

  test('that nobody has rented since it was named', () => {
    expect(opensUnit(named, { last_let: 4, retired: false })).toBe(true);
    expect(opensUnit(named, { last_let: null, retired: false })).toBe(true);
    expect(opensUnit({ ...named, revision: 0 }, { last_let: null, retired: false })).toBe(true);
  });

  test('until it is let, and not again', () => {
    expect(opensUnit(named, { last_let: 5, retired: false })).toBe(false);
  });

  test('unless it is retired', () => {
    expect(opensUnit(named, { last_let: null, retired: true })).toBe(false);
  });
});
