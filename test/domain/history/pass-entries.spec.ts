import { cutPage } from '#domain/history/core/cut-page.js';
import { passAt, passEntries } from '#domain/history/core/pass-entries.js';
import type { Logged } from '#domain/history/core/unit-record.js';
import { endOf, EVER } from '#domain/history/core/window.js';
import type { PassEvent } from '#domain/passes/core/pass.events.js';
import { changed, ended, issued } from '../passes/pass-samples.js';

const GATE = { kind: 'entry_point', entry_point_id: 'gate' } as const;
const UNIT = { kind: 'unit', unit_id: 'a' } as const;

/** Events as they are stored: one at each instant. */
function stored(...events: readonly PassEvent[]): Logged<PassEvent>[] {
  return events.map(
    (event, revision) =>
      ({ ...event, revision, instant: event.data.at, position: BigInt(event.data.at) }) as Logged<PassEvent>,
  );
}

const first = issued({ at: 1, from: 1, until: 100, units: [{ unit_id: 'a', revision: 4 }] });

describe('what a pass means for what it opens', () => {
  it('begins with its terms', () => {
    expect(passEntries([stored(first)], GATE, 5)).toMatchObject([
      {
        kind: 'pass',
        instant: 1,
        position: 1n,
        pass_id: 'pass',
        changes: {
          opened_by: { from: null, to: 'pass' },
          pass_holder: { from: null, to: 'vic' },
          pass_from: { from: null, to: 1 },
          pass_until: { from: null, to: 100 },
          pass_reason: { from: null, to: 'vendor' },
        },
      },
    ]);
  });

  it('is what a change changes', () => {
    const hours = { mon: 'always' } as never;
    const events = stored(
      first,
      changed({ at: 3, tenant_id: 'zoe', hours }),
      changed({ at: 4, details: ['note'] }),
    );
    const [, change, ...rest] = passEntries([events], GATE, 5);
    expect(rest).toEqual([]);
    expect(change!.changes).toEqual({
      pass_holder: { from: 'vic', to: 'zoe' },
      pass_hours: { from: null, to: '{"mon":"always"}' },
    });
  });

  it('begins and ends with its name in the pass', () => {
    const events = stored(
      first,
      changed({ at: 3, units: [] }),
      changed({ at: 4, reason: 'staff' }),
      changed({ at: 5, units: [{ unit_id: 'a', revision: 9 }] }),
    );
    const told = passEntries([events], UNIT, 9).map(({ instant, changes }) => [
      instant,
      changes['opened_by'],
    ]);
    expect(told).toEqual([
      [1, { from: null, to: 'pass' }],
      [3, { from: 'pass', to: null }],
      [5, { from: null, to: 'pass' }],
    ]);
  });

  it('ends when it is ended, and not once more by itself', () => {
    const told = passEntries([stored(first, ended({ at: 7 }))], GATE, 200);
    expect(told.map(({ instant, event }) => [instant, event?.type])).toEqual([
      [1, 'PassIssued'],
      [7, 'PassEnded'],
    ]);
  });

  it('ends by itself, once that is past', () => {
    const endsAt = (now: number) =>
      passEntries([stored(first)], GATE, now).flatMap(({ event, instant }) =>
        event === null ? instant : [],
      );
    expect([endsAt(99), endsAt(100)]).toEqual([[], [100]]);
  });

  it('ends by itself for nothing that it opened only before', () => {
    const told = passEntries([stored(first, changed({ at: 3, units: [] }))], UNIT, 200);
    expect(told.map(({ instant }) => instant)).toEqual([1, 3]);
  });

  it('ends at a point of its own, beside others at the same instant', () => {
    const other = issued({ pass_id: 'other', at: 2, from: 2, until: 100 });
    const ends = passEntries([stored(first), stored(other)], GATE, 200).filter(({ event }) => event === null);
    expect(ends.map(({ pass_id, position }) => [pass_id, position])).toEqual([
      ['pass', -3n],
      ['other', -2n],
    ]);
  });
});

test('a pass at an instant is what its events until then make of it', () => {
  const events = stored(first, changed({ at: 3, until: 50 }), ended({ at: 7 }));
  expect(passAt(events, 0)).toBeUndefined();
  expect([2, 3, 7].map((at) => passAt(events, at))).toMatchObject([
    { until: 100, ended_at: null },
    { until: 50, ended_at: null },
    { ended_at: 7 },
  ]);
});

describe('a page of a history', () => {
  const points = [3, 1, 2].map((instant) => ({ instant, position: 0n }));
  const cut = (limit: number, isNewestFirst = false) =>
    cutPage(points, { window: EVER, isNarrowed: false }, { limit, isNewestFirst });

  it('is in its order', () => {
    expect(cut(3).page.map(({ instant }) => instant)).toEqual([1, 2, 3]);
    expect(cut(3, true).page.map(({ instant }) => instant)).toEqual([3, 2, 1]);
  });

  it('leads on from its last entry', () => {
    expect(cut(2).next).toEqual({ instant: 2, position: 0n });
    expect(cut(3).next).toBeUndefined();
  });

  it('leads on from the end of a window that was narrowed', () => {
    const window = { after: endOf(0), before: endOf(9) };
    const next = (isNewestFirst: boolean) =>
      cutPage(points, { window, isNarrowed: true }, { limit: 5, isNewestFirst }).next;
    expect([next(false), next(true)]).toEqual([window.before, window.after]);
  });
});
