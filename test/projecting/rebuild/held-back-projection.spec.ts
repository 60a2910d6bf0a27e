import { HeldBackProjection } from '../../../src/projecting/rebuild/held-back-projection.js';
import type { StreamChange } from '../../../src/writing/aggregate.js';
import { type Counter, type Counted, CounterProjection } from '../../support/counter-world.js';

const A = 'counter-a';
const B = 'counter-b';
const C = 'counter-c';

/** Of which a big step shows by itself. */
const isBig = ({ data }: Pick<Counted, 'data'>) => data.by >= 10;

/** Each step is one event; the first has the revision `from`. */
function change(
  stream: string,
  total: number,
  from: number,
  ...steps: number[]
): StreamChange<Counter, Counted> {
  const events = steps.map((by, place) => {
    const metadata = { occurred_at: '2026-01-01T00:00:00.000Z', hash: '' };
    return { type: 'Counted', data: { by }, stream, revision: from + place, metadata };
  });
  const revision = from + steps.length - 1;
  return { stream, events, after: { state: { total }, revision, last_hash: '', last_at: 0 } } as never;
}

let shown: CounterProjection;
let heldBack: HeldBackProjection<Counter>;

beforeEach(() => {
  shown = new CounterProjection();
  heldBack = new HeldBackProjection<Counter>(shown, isBig as never, 2);
});

describe('a projection that is held back', () => {
  it('shows the newest fold of each stream once, with those events that show by themselves', async () => {
    await heldBack.project([change(A, 1, 0, 1), change(B, 10, 0, 10)]);
    await heldBack.project([change(A, 24, 1, 11, 12)]);
    await heldBack.project([change(A, 26, 3, 2), change(B, 11, 1, 1)]);
    expect(shown.projected).toEqual([]);
    await heldBack.showAll();
    expect(shown.projected).toEqual([`${A} 1-2`, `${B} 0-0`]);
    expect(shown.totals()).toEqual({ [A]: 26, [B]: 11 });
    await heldBack.showAll();
    expect(shown.projected).toHaveLength(2);
  });

  it('has the folds that are held at hand, and those that are shown', async () => {
    await shown.project([change(A, 1, 0, 1), change(C, 3, 0, 3)]);
    await heldBack.project([change(A, 3, 1, 2)]);
    const loaded = await heldBack.load([C, A, B]);
    expect(loaded.map((snapshot) => snapshot?.state.total)).toEqual([3, 3, undefined]);
  });

  it('shows streams at once that are more than memory has room for', async () => {
    await heldBack.project([change(A, 1, 0, 1), change(B, 1, 0, 1), change(C, 1, 0, 1)]);
    expect(shown.totals()).toEqual({ [C]: 1 });
    await heldBack.project([change(C, 2, 1, 1), change(A, 2, 1, 1)]);
    expect(shown.totals()).toEqual({ [C]: 2 });
    await heldBack.showAll();
    expect(shown.totals()).toEqual({ [A]: 2, [B]: 1, [C]: 2 });
  });

  it('holds what could not be shown', async () => {
    await heldBack.project([change(A, 1, 0, 1)]);
    shown.failures = 1;
    await expect(heldBack.showAll()).rejects.toThrow('as the test wants it');
    await heldBack.showAll();
    expect(shown.totals()).toEqual({ [A]: 1 });
  });
});
