import type { EventStore, RecordedEvent, StreamAppend } from '#eventsourcing/log/event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { copyLog } from '#cli/migrate/copy-log.js';
import { soundLog, storeOf } from '../../eventsourcing/proof/small-log.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

/** An empty store. Appends wait until they are let through. */
class Target {
  readonly stored: StreamAppend[] = [];
  underWay = 0;
  most = 0;
  /** Fails the appends to this stream. */
  failing: string | undefined;
  /** How many appends the slow one waits for. */
  others = 0;
  /** Appends to this stream wait until all others are stored. */
  slow: string | undefined;
  #waiting: (() => void)[] = [];
  #allStored: () => void = () => undefined;
  readonly #others = new Promise<void>((resolve) => (this.#allStored = resolve));

  readonly store = {
    readAll: () => Promise.resolve([]),
    append: async ([append]: readonly [StreamAppend]) => {
      this.underWay += 1;
      this.most = Math.max(this.most, this.underWay);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (append.stream === this.slow) await this.#others;
      this.underWay -= 1;
      if (append.stream === this.failing) throw new StoreUnavailableError('Away.', true);
      this.stored.push(append);
      if (this.stored.length === this.others) this.#allStored();
      return [{ kind: 'appended', stream: append.stream, revision: 0, position: 0n }];
    },
  } as unknown as EventStore;

  /** The newest first: an append must not depend on another one under way. */
  release(): void {
    for (const resolve of this.#waiting.splice(0).reverse()) resolve();
  }

  async copy(log: readonly RecordedEvent[]) {
    let isEnded = false;
    const copying = copyLog(storeOf(log), this.store, () => undefined).finally(() => (isEnded = true));
    copying.catch(() => undefined);
    await waitUntil(() => {
      this.release();
      return isEnded;
    });
    return copying;
  }
}

/** A log in which so many streams take turns. */
function turns(streams: number, each: number, name = (number: number) => `unit-${number}`): RecordedEvent[] {
  return soundLog(...Array.from({ length: streams * each }, (_, place) => name(place % streams)));
}

const sizes = ({ stored }: Target) => stored.map(({ events }) => events.length);

it('joins the events of one stream within 4,000 events, and keeps their order', async () => {
  const target = new Target();
  // 100 streams take turns, 60 events each.
  const { events, copied } = await target.copy(turns(100, 60));
  expect({ events, copied }).toEqual({ events: 6_000, copied: 6_000 });
  expect(sizes(target).sort((a, b) => a - b)).toEqual([
    ...Array<number>(100).fill(20),
    ...Array<number>(100).fill(40),
  ]);
  const expected = new Map<string, number>();
  for (const append of target.stored) {
    expect(append.expected).toBe(expected.get(append.stream) ?? 'no_stream');
    expected.set(append.stream, (expected.get(append.stream) ?? -1) + append.events.length);
  }
});

it('has at most 64 appends under way', async () => {
  const target = new Target();
  await target.copy(turns(1_000, 1));
  expect(target.most).toBe(64);
  expect(target.stored).toHaveLength(1_000);
});

it('goes on past an append that is slower than all others', async () => {
  const target = new Target();
  target.slow = 'unit-0';
  target.others = 9_999;
  await target.copy(turns(10_000, 1));
  expect(target.stored).toHaveLength(10_000);
});

it('appends to a company alone: after what came before it, and before what comes after', async () => {
  const target = new Target();
  const log = turns(3, 4, (number) => (number === 1 ? 'company-1' : `unit-${number}`));
  await target.copy(log);
  const companies = target.stored.flatMap(({ stream }, place) => (stream === 'company-1' ? [place] : []));
  expect(companies).toHaveLength(4);
  const before = target.stored.slice(0, companies[1]).map(({ stream }) => stream);
  expect([before[0], before[1]]).toEqual(['unit-0', 'company-1']);
  expect(before.slice(2).sort()).toEqual(['unit-0', 'unit-2']);
});

it('ends with the failure of an append that was tried three times', async () => {
  const target = new Target();
  target.failing = 'unit-70';
  await expect(target.copy(turns(200, 2))).rejects.toThrow('Away.');
});

it('shows the number of events that it copied, not of those that an earlier run copied', async () => {
  const log = turns(2_000, 2);
  const halfCopied = withMembers<EventStore>(storeOf(log.slice(0, 2_000)), {
    append: (appends) =>
      Promise.resolve(appends.map(({ stream }) => ({ kind: 'appended', stream, revision: 0, position: 0n }))),
  });
  const shown: number[] = [];
  await copyLog(storeOf(log), halfCopied, (events) => shown.push(events));
  expect(shown[0]).toBe(0);
  expect(Math.max(...shown)).toBeLessThanOrEqual(2_000);
});
