import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { waitUntil } from '../../support/wait-until.js';
import { uniqueName } from './contract-case.js';
import {
  appended,
  appendOf,
  record,
  startingPoint,
  type EventStoreCase,
  type Recording,
} from './event-store.samples.js';

/** The ids of a recording's events that belong to the case. */
function idsOf(recording: Recording, name: string): string[] {
  return recording.events.filter(({ stream }) => stream.startsWith(name)).map(({ id }) => id);
}

/** Waits until so many of them have come. */
async function toldOf(recording: Recording, name: string, count: number): Promise<void> {
  await waitUntil(
    () => idsOf(recording, name).length,
    (length) => length === count,
  );
}

async function expectStrictOrder(events: readonly RecordedEvent[]): Promise<void> {
  const positions = events.map(({ position }) => position);
  expect(positions.every((position, index) => index === 0 || position > positions[index - 1]!)).toBe(true);
  return Promise.resolve();
}

/** Appends to several streams at once, one event after the other in each. */
async function appendConcurrently(
  store: EventStore,
  name: string,
  streams: number,
  each: number,
): Promise<void> {
  await resultsAtOnce(
    Array.from({ length: streams }, (_, number) => async () => {
      for (let revision = 0; revision < each; revision += 1) {
        await appended(store, appendOf(`${name}-${number}`, revision === 0 ? 'no_stream' : revision - 1));
      }
    }),
  );
}

const delivery: EventStoreCase[] = [
  {
    name: 'a subscription delivers what is stored, then what comes, in order',
    async run({ store }) {
      const name = uniqueName('subscribe');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream', 3));
      const recording = record(store, start);
      await toldOf(recording, name, 3);
      await appended(store, appendOf(name, 2, 2));
      await toldOf(recording, name, 5);
      const stored = await store.readStream(name);
      expect(recording.events.filter(({ stream }) => stream === name)).toEqual(stored);
      await recording.subscription.stop();
    },
  },
  {
    name: 'a subscription from the beginning delivers everything there is',
    async run({ store }) {
      const name = uniqueName('subscribe');
      await appended(store, appendOf(name, 'no_stream', 2));
      const recording = record(store, undefined);
      await toldOf(recording, name, 2);
      await expectStrictOrder(recording.events);
      await recording.subscription.stop();
    },
  },
  {
    name: 'a subscription does not deliver the event at its position',
    async run({ store }) {
      const name = uniqueName('subscribe');
      await appended(store, appendOf(name, 'no_stream', 3));
      const stored = await store.readStream(name);
      const recording = record(store, stored[0]!.position);
      await toldOf(recording, name, 2);
      expect(idsOf(recording, name)).toEqual(stored.slice(1).map(({ id }) => id));
      await recording.subscription.stop();
    },
  },
  {
    name: 'under concurrent appends nothing is missing and nothing comes twice',
    async run({ store }) {
      const name = uniqueName('subscribe');
      const start = await startingPoint(store, name);
      await appendConcurrently(store, `${name}-before`, 5, 20);
      const writing = appendConcurrently(store, `${name}-during`, 5, 40);
      const recording = record(store, start);
      await writing;
      await appendConcurrently(store, `${name}-after`, 5, 5);
      await toldOf(recording, name, 325);
      const ids = idsOf(recording, name);
      expect(ids).toHaveLength(325);
      expect(new Set(ids).size).toBe(325);
      await expectStrictOrder(recording.events);
      await recording.subscription.stop();
    },
  },
  {
    name: 'a slow handler gets every event once, one batch at a time',
    async run({ store }) {
      const name = uniqueName('slow');
      const start = await startingPoint(store, name);
      let running = 0;
      let most = 0;
      const recording = record(store, start, async () => {
        running += 1;
        most = Math.max(most, running);
        await waitUntil(() => true);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      });
      await appendConcurrently(store, name, 4, 25);
      await toldOf(recording, name, 100);
      expect(new Set(idsOf(recording, name)).size).toBe(100);
      expect(recording.batches.every((size) => size > 0)).toBe(true);
      expect(most).toBe(1);
      await recording.subscription.stop();
    },
  },
  {
    name: 'two subscriptions each get everything',
    async run({ store }) {
      const name = uniqueName('subscribe');
      const start = await startingPoint(store, name);
      const recordings = [record(store, start), record(store, start)];
      await appended(store, appendOf(name, 'no_stream', 4));
      const stored = await store.readStream(name);
      for (const recording of recordings) {
        await toldOf(recording, name, 4);
        expect(idsOf(recording, name)).toEqual(stored.map(({ id }) => id));
        await recording.subscription.stop();
      }
    },
  },
  {
    name: 'caught up is told once, after what was stored at the beginning',
    async run({ store }) {
      const name = uniqueName('caught-up');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream', 3));
      const recording = record(store, start);
      await waitUntil(
        () => recording.caughtUpAfter,
        (count) => count !== undefined,
      );
      expect(recording.caughtUpAfter).toBeGreaterThanOrEqual(3);
      expect(idsOf(recording, name)).toHaveLength(3);
      await recording.subscription.stop();
    },
  },
  {
    name: 'caught up is told where there is nothing to catch up with',
    async run({ store }) {
      const [outcome] = await appended(store, appendOf(uniqueName('caught-up'), 'no_stream'));
      const recording = record(store, outcome!.position);
      await waitUntil(
        () => recording.caughtUpAfter,
        (count) => count !== undefined,
      );
      await recording.subscription.stop();
      expect(recording.failures).toEqual([]);
    },
  },
];

const endings: EventStoreCase[] = [
  {
    name: 'after stop has resolved the handler is not called again',
    async run({ store }) {
      const name = uniqueName('stop');
      const start = await startingPoint(store, name);
      const recording = record(store, start);
      await appended(store, appendOf(name, 'no_stream'));
      await toldOf(recording, name, 1);
      await recording.subscription.stop();
      await recording.subscription.stop();
      const witness = record(store, start);
      await appended(store, appendOf(name, 0, 3));
      await toldOf(witness, name, 4);
      expect(idsOf(recording, name)).toHaveLength(1);
      expect(recording.failures).toEqual([]);
      await witness.subscription.stop();
    },
  },
  {
    name: 'stop waits for the running call of the handler',
    async run({ store }) {
      const name = uniqueName('stop');
      const start = await startingPoint(store, name);
      let finish: () => void = () => undefined;
      let hasFinished = false;
      let hasBegun = false;
      const recording = record(store, start, async () => {
        hasBegun = true;
        await new Promise<void>((resolve) => (finish = resolve));
        hasFinished = true;
      });
      await appended(store, appendOf(name, 'no_stream'));
      await waitUntil(() => hasBegun);
      const stopped = recording.subscription.stop().then(() => hasFinished);
      await store.ping();
      finish();
      expect(await stopped).toBe(true);
    },
  },
  {
    name: 'a handler that rejects ends the subscription and is told so',
    async run({ store }) {
      const name = uniqueName('failing');
      const start = await startingPoint(store, name);
      const failure = new Error('the handler fails');
      let calls = 0;
      const recording = record(store, start, (events) => {
        if (!events.some(({ stream }) => stream === name)) return Promise.resolve();
        calls += 1;
        return Promise.reject(failure);
      });
      await appended(store, appendOf(name, 'no_stream'));
      await waitUntil(
        () => recording.failures.length,
        (length) => length === 1,
      );
      const witness = record(store, start);
      await appended(store, appendOf(name, 0, 2));
      await toldOf(witness, name, 3);
      expect(recording.failures).toEqual([failure]);
      expect(calls).toBe(1);
      await recording.subscription.stop();
      await witness.subscription.stop();
    },
  },
  {
    name: 'a subscription can be taken up again where another ended',
    async run({ store }) {
      const name = uniqueName('resume');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream', 5));
      const first = record(store, start);
      await toldOf(first, name, 5);
      await first.subscription.stop();
      await appended(store, appendOf(name, 4, 5));
      const second = record(store, first.events.at(-1)!.position);
      await toldOf(second, name, 5);
      const stored = await store.readStream(name);
      expect([...idsOf(first, name), ...idsOf(second, name)]).toEqual(stored.map(({ id }) => id));
      await second.subscription.stop();
    },
  },
  {
    name: 'closing the store ends its subscriptions',
    async run({ store }) {
      const name = uniqueName('close');
      const start = await startingPoint(store, name);
      const recording = record(store, start);
      await appended(store, appendOf(name, 'no_stream'));
      await toldOf(recording, name, 1);
      await store.close();
      await recording.subscription.stop();
      expect(idsOf(recording, name)).toHaveLength(1);
    },
  },
];

export const subscriptionCases: EventStoreCase[] = [...delivery, ...endings];
