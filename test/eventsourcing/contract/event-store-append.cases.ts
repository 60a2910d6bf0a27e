import { EventTooLargeError } from '#eventsourcing/log/event-store.errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { expectRejection, uniqueName } from './contract-case.js';
import {
  appended,
  appendOf,
  everythingAfter,
  sampleEvent,
  sampleEvents,
  startingPoint,
  type EventStoreCase,
} from './event-store.samples.js';

const expectations: EventStoreCase[] = [
  {
    name: 'the first append to a stream ends at revision 0',
    async run({ store }) {
      const stream = uniqueName('append');
      const [outcome] = await store.append([appendOf(stream, 'no_stream')]);
      expect(outcome).toEqual({ kind: 'appended', stream, revision: 0, position: expect.any(BigInt) });
      expect(await store.readStream(stream)).toHaveLength(1);
    },
  },
  {
    name: 'an append that expects the head continues the stream',
    async run({ store }) {
      const stream = uniqueName('append');
      const [first] = await appended(store, appendOf(stream, 'no_stream', 3));
      const [second] = await appended(store, appendOf(stream, 2, 2));
      expect([first!.revision, second!.revision]).toEqual([2, 4]);
      expect(second!.position > first!.position).toBe(true);
    },
  },
  {
    name: 'an append that expects no stream conflicts where there is one',
    async run({ store }) {
      const stream = uniqueName('append');
      await appended(store, appendOf(stream, 'no_stream', 2));
      const outcomes = await store.append([appendOf(stream, 'no_stream')]);
      expect(outcomes).toEqual([{ kind: 'conflict', stream, actual: 1 }]);
      expect(await store.readStream(stream)).toHaveLength(2);
    },
  },
  {
    name: 'an append that expects a revision conflicts where there is no stream, and makes none',
    async run({ store }) {
      const stream = uniqueName('append');
      expect(await store.append([appendOf(stream, 0)])).toEqual([
        { kind: 'conflict', stream, actual: 'no_stream' },
      ]);
      expect(await store.readStream(stream)).toEqual([]);
    },
  },
  {
    name: 'an append that expects too low a revision conflicts',
    async run({ store }) {
      const stream = uniqueName('append');
      await appended(store, appendOf(stream, 'no_stream', 3));
      expect(await store.append([appendOf(stream, 1)])).toEqual([{ kind: 'conflict', stream, actual: 2 }]);
      expect(await store.readStream(stream)).toHaveLength(3);
    },
  },
  {
    name: 'an append that expects too high a revision conflicts',
    async run({ store }) {
      const stream = uniqueName('append');
      await appended(store, appendOf(stream, 'no_stream', 3));
      expect(await store.append([appendOf(stream, 3)])).toEqual([{ kind: 'conflict', stream, actual: 2 }]);
      expect(await store.readStream(stream)).toHaveLength(3);
    },
  },
  {
    name: 'concurrent appends to one revision: exactly one wins, each time',
    async run({ store }) {
      const stream = uniqueName('race');
      for (let round = 0; round < 5; round += 1) {
        const expected = round === 0 ? ('no_stream' as const) : round - 1;
        const outcomes = await resultsAtOnce(
          Array.from({ length: 8 }, () => () => store.append([appendOf(stream, expected)])),
        );
        const kinds = outcomes.flat().map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind === 'appended')).toHaveLength(1);
        expect(kinds.filter((kind) => kind === 'conflict')).toHaveLength(7);
      }
      const events = await store.readStream(stream);
      expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
    },
  },
  {
    name: 'concurrent first appends of several events do not mix',
    async run({ store }) {
      const stream = uniqueName('race');
      const outcomes = await resultsAtOnce(
        ['a', 'b', 'c', 'd'].map((author) => () => {
          const events = [0, 1, 2].map((number) => sampleEvent({ author, number }));
          return store.append([{ stream, expected: 'no_stream', events }]);
        }),
      );
      expect(outcomes.flat().filter(({ kind }) => kind === 'appended')).toHaveLength(1);
      const events = await store.readStream(stream);
      expect(events.map(({ data }) => data['number'])).toEqual([0, 1, 2]);
      expect(new Set(events.map(({ data }) => data['author'])).size).toBe(1);
    },
  },
];

const manyStreams: EventStoreCase[] = [
  {
    name: 'many streams in one call: outcomes stand in the order of the appends, each on its own',
    async run({ store }) {
      const name = uniqueName('many');
      await appended(store, appendOf(`${name}-2`, 'no_stream', 2));
      const outcomes = await store.append([
        appendOf(`${name}-1`, 'no_stream'),
        appendOf(`${name}-2`, 'no_stream'),
        appendOf(`${name}-3`, 0),
        appendOf(`${name}-4`, 'no_stream', 3),
      ]);
      expect(outcomes).toEqual([
        { kind: 'appended', stream: `${name}-1`, revision: 0, position: expect.any(BigInt) },
        { kind: 'conflict', stream: `${name}-2`, actual: 1 },
        { kind: 'conflict', stream: `${name}-3`, actual: 'no_stream' },
        { kind: 'appended', stream: `${name}-4`, revision: 2, position: expect.any(BigInt) },
      ]);
      expect(await store.readStream(`${name}-2`)).toHaveLength(2);
      expect(await store.readStream(`${name}-4`)).toHaveLength(3);
    },
  },
  {
    name: '500 streams in one call are all appended',
    async run({ store }) {
      const name = uniqueName('bulk');
      const appends = Array.from({ length: 500 }, (_, number) => appendOf(`${name}-${number}`, 'no_stream'));
      const outcomes = await appended(store, ...appends);
      expect(outcomes.map(({ stream }) => stream)).toEqual(appends.map(({ stream }) => stream));
      const last = await store.readStream(`${name}-499`);
      expect(last.map(({ id }) => id)).toEqual([appends[499]!.events[0]!.id]);
    },
  },
  {
    name: 'the outcome tells the position of the last event appended',
    async run({ store }) {
      const stream = uniqueName('append');
      const [outcome] = await appended(store, appendOf(stream, 'no_stream', 3));
      const events = await store.readStream(stream);
      expect(events.at(-1)!.position).toBe(outcome!.position);
    },
  },
  {
    name: 'an append to no stream at all answers nothing and changes nothing',
    async run({ store }) {
      const name = uniqueName('empty');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream'));
      expect(await store.append([])).toEqual([]);
      const events = await everythingAfter(store, start);
      expect(events.filter(({ stream }) => stream === name)).toHaveLength(1);
    },
  },
  {
    name: 'naming a stream twice in one call is a TypeError and stores nothing',
    async run({ store }) {
      const stream = uniqueName('twice');
      const appends = [
        appendOf(stream, 'no_stream'),
        appendOf(`${stream}-other`, 'no_stream'),
        appendOf(stream, 0),
      ];
      await expect(store.append(appends)).rejects.toBeInstanceOf(TypeError);
      expect(await store.readStream(stream)).toEqual([]);
      expect(await store.readStream(`${stream}-other`)).toEqual([]);
    },
  },
  {
    name: 'an append of no events is a TypeError and stores nothing',
    async run({ store }) {
      const stream = uniqueName('none');
      const appends = [
        appendOf(`${stream}-other`, 'no_stream'),
        { ...appendOf(stream, 'no_stream'), events: [] },
      ];
      await expect(store.append(appends)).rejects.toBeInstanceOf(TypeError);
      expect(await store.readStream(`${stream}-other`)).toEqual([]);
    },
  },
];

const oddData = {
  unicode: 'naïve – 東京 – 😀 – \u{10ffff} – "quoted" \\ \n\t\u0000\u2028',
  empty: '',
  fraction: 0.1,
  tiny: 5e-324,
  huge: 1.7976931348623157e308,
  safe: Number.MAX_SAFE_INTEGER,
  negative: Number.MIN_SAFE_INTEGER,
  flags: [true, false, null],
  nested: { list: [{ deep: { deeper: [[], {}, [1, [2, [3]]]] } }] },
  'odd key. $ü': 1,
  constructor: 'not a function',
};

const content: EventStoreCase[] = [
  {
    name: 'an event comes back as it was appended: id, type, data and metadata',
    async run({ store }) {
      const stream = uniqueName('content');
      const event = { ...sampleEvent(oddData, { actor: 'ü', schema: 1, at: null }), type: 'OddHappened' };
      await appended(store, { stream, expected: 'no_stream', events: [event] });
      const [stored] = await store.readStream(stream);
      expect(stored).toEqual({ ...event, stream, revision: 0, position: expect.any(BigInt) });
    },
  },
  {
    name: 'empty data and metadata come back empty',
    async run({ store }) {
      const stream = uniqueName('content');
      await appended(store, { stream, expected: 'no_stream', events: [sampleEvent({}, {})] });
      const [stored] = await store.readStream(stream);
      expect([stored?.data, stored?.metadata]).toEqual([{}, {}]);
    },
  },
  {
    name: 'changing what was appended or read does not change the store',
    async run({ store }) {
      const stream = uniqueName('alias');
      const event = sampleEvent({ list: [1] });
      await appended(store, { stream, expected: 'no_stream', events: [event] });
      (event.data['list'] as number[]).push(2);
      const [first] = await store.readStream(stream);
      (first!.data['list'] as number[]).push(3);
      const [second] = await store.readStream(stream);
      expect(second!.data).toEqual({ list: [1] });
    },
  },
  ...[
    ['with spaces', 'unit a b  c'],
    ['with an emoji', 'unit-😀-\u{10ffff}'],
    ['with a percent sign', 'unit-100%25%'],
    ['with slashes, dots and quotes', 'unit-/../."\'\\?#&'],
    ['of 200 characters', `unit-${'x'.repeat(160)}`],
  ].map(([kind, suffix]): EventStoreCase => ({
    name: `a stream name ${kind} is one of its own`,
    async run({ store }) {
      const stream = `${uniqueName('n')}${suffix}`;
      await appended(store, appendOf(stream, 'no_stream', 2), appendOf(`${stream}x`, 'no_stream'));
      const events = await store.readStream(stream);
      expect(events.map((event) => [event.stream, event.revision])).toEqual([
        [stream, 0],
        [stream, 1],
      ]);
    },
  })),
  {
    name: 'half a mebibyte of data in one append is taken',
    async run({ store }) {
      const stream = uniqueName('large');
      const text = 'x'.repeat(131_072);
      const events = Array.from({ length: 4 }, () => sampleEvent({ text }));
      await appended(store, { stream, expected: 'no_stream', events });
      expect((await store.readStream(stream)).map(({ data }) => data['text'] === text)).toEqual(
        Array(4).fill(true),
      );
    },
  },
  {
    name: 'more than a mebibyte of data for one stream is refused and stores nothing',
    async run({ store }) {
      const stream = uniqueName('large');
      const events = Array.from({ length: 3 }, () => sampleEvent({ text: 'ü'.repeat(262_144) }));
      await expectRejection(
        store.append([{ stream, expected: 'no_stream', events }]),
        (error) => error instanceof EventTooLargeError,
      );
      expect(await store.readStream(stream)).toEqual([]);
    },
  },
];

const life: EventStoreCase[] = [
  {
    name: 'an acknowledged append is read at once, from the stream and from all',
    async run({ store }) {
      const stream = uniqueName('fresh');
      const start = await startingPoint(store, stream);
      for (let revision = 0; revision < 20; revision += 1) {
        await appended(store, appendOf(stream, revision === 0 ? 'no_stream' : revision - 1));
        expect(await store.readStream(stream)).toHaveLength(revision + 1);
      }
      const all = await everythingAfter(store, start);
      expect(all.filter((event) => event.stream === stream)).toHaveLength(20);
    },
  },
  {
    name: 'a store that answers answers a ping, a closed one does not',
    async run({ store }) {
      await expect(store.ping()).resolves.toBeUndefined();
      await store.close();
      await expectRejection(store.ping(), (error) => error instanceof StoreUnavailableError);
    },
  },
  {
    name: 'closing finishes what was accepted, may be repeated, and refuses what comes later',
    async run({ store }) {
      const stream = uniqueName('close');
      const accepted = store.append([{ stream, expected: 'no_stream', events: sampleEvents(2) }]);
      await Promise.all([store.close(), store.close()]);
      await store.close();
      expect((await accepted).map(({ kind }) => kind)).toEqual(['appended']);
      await expectRejection(
        store.append([appendOf(stream, 1)]),
        (error) => error instanceof StoreUnavailableError,
      );
      await expectRejection(store.readStream(stream), (error) => error instanceof StoreUnavailableError);
      await expectRejection(store.readAll({ limit: 1 }), (error) => error instanceof StoreUnavailableError);
    },
  },
  {
    name: 'what was appended is there after closing and opening again, and goes on from there',
    needs: 'durable',
    async run(fixture) {
      const stream = uniqueName('reopen');
      const [before] = await appended(fixture.store, appendOf(stream, 'no_stream', 3));
      const events = await fixture.store.readStream(stream);
      await fixture.reopen!();
      expect(await fixture.store.readStream(stream)).toEqual(events);
      expect(await fixture.store.append([appendOf(stream, 'no_stream')])).toEqual([
        { kind: 'conflict', stream, actual: 2 },
      ]);
      const [after] = await appended(fixture.store, appendOf(stream, 2));
      expect(after!.revision).toBe(3);
      expect(after!.position > before!.position).toBe(true);
    },
  },
];

export const appendCases: EventStoreCase[] = [...expectations, ...manyStreams, ...content, ...life];
