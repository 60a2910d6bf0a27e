import { randomUUID } from 'node:crypto';
import {
  ANY,
  type AppendExpectedRevision,
  BACKWARDS,
  binaryEvent,
  type Credentials,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  NO_STREAM,
  type RecordedEvent,
  STREAM_EXISTS,
  type StreamingRead,
  streamNameFilter,
} from '@eventstore/db-client';
import { waitUntil } from '../../support/wait-until.js';

/** With credentials of its own the client sends an append on the unary path, otherwise on the batch path. */
const PATHS: readonly (readonly [string, Credentials | undefined])[] = [
  ['batch', undefined],
  ['unary', { username: 'admin', password: 'changeit' }],
];

type Event = ReturnType<typeof sample>;

function sample(id: string = randomUUID(), data: object = { n: 1 }, type = 'SampleHappened') {
  return jsonEvent({ id, type, data: data as never });
}

function samples(count: number): Event[] {
  return Array.from({ length: count }, () => sample());
}

/** Bytes as text. */
function plain(content: unknown): unknown {
  return content instanceof Uint8Array ? Buffer.from(content).toString('hex') : content;
}

function shown({ type, revision, data }: RecordedEvent): [string, bigint, unknown] {
  return [type, revision, plain(data)];
}

/** What a call comes to: the next revision, or the kind of error with what it names. */
async function told(call: Promise<unknown>): Promise<string> {
  try {
    const answer = (await call) as { success?: boolean; nextExpectedRevision?: bigint; position?: object };
    const position = answer.position === undefined ? ' without position' : '';
    return answer.nextExpectedRevision === undefined
      ? `done${position}`
      : `${answer.nextExpectedRevision}${position}`;
  } catch (error) {
    const { type, code, message, expectedVersion, actualVersion } = error as Record<string, unknown>;
    if (type === 'wrong-expected-version')
      return `expected ${String(expectedVersion)}, is ${String(actualVersion)}`;
    return type === 'unknown' ? `${String(code)} ${String(message)}` : String(type);
  }
}

/** Waits for a call with a bound. */
async function ended(call: Promise<unknown>): Promise<void> {
  let isEnded = false;
  void call.then(() => (isEnded = true));
  await waitUntil(() => isEnded);
}

async function read(events: StreamingRead<{ event?: { revision: bigint } }>): Promise<string> {
  const revisions: string[] = [];
  const failure = await told(
    (async () => {
      for await (const { event } of events) revisions.push(String(event!.revision));
      return { position: {} };
    })(),
  );
  return failure === 'done' ? revisions.join() : failure;
}

/**
 * Questions to an EventStoreDB through its client, each with what a real one answered (24.2.0, client 6.2.1): what
 * holds the double of the tests to it.
 */
export function eventStoreFacts(
  name: string,
  open: () => Promise<{ url: string; close(): Promise<void> }>,
): void {
  describe(`${name}: what a real server answered`, () => {
    let server: Awaited<ReturnType<typeof open>>;
    let client: EventStoreDBClient;
    /** A stream that nobody else uses. */
    let stream: string;

    beforeAll(async () => {
      server = await open();
      client = EventStoreDBClient.connectionString(server.url);
    });
    afterAll(async () => {
      await client.dispose();
      await server.close();
    });
    beforeEach(() => void (stream = `facts-${randomUUID()}`));

    const append = (
      events: readonly Event[],
      expectedRevision: AppendExpectedRevision,
      credentials?: Credentials,
      to = stream,
      by = client,
    ) => told(by.appendToStream(to, [...events], { expectedRevision, ...(credentials && { credentials }) }));

    describe.each(PATHS)('appends on the %s path', (path, credentials) => {
      const ask = (events: readonly Event[], expected: AppendExpectedRevision, to = stream) =>
        append(events, expected, credentials, to);

      it('name what was expected and what is there', async () => {
        expect(await ask(samples(6), NO_STREAM)).toBe('5');
        const missing = `${stream}-missing`;
        expect([
          await ask(samples(1), NO_STREAM),
          await ask(samples(1), 2n),
          await ask(samples(1), 9n),
          await ask(samples(1), 0n, missing),
          await ask(samples(1), STREAM_EXISTS, missing),
          await ask(samples(1), ANY, missing),
          await ask(samples(1), STREAM_EXISTS, missing),
        ]).toEqual([
          'expected no_stream, is 5',
          'expected 2, is 5',
          'expected 9, is 5',
          'expected 0, is no_stream',
          'expected stream_exists, is no_stream',
          '0',
          '1',
        ]);
      });

      it('are stored once by their ids, where a part or the whole of them comes again', async () => {
        const [a, b, d] = [samples(3), samples(2), sample()];
        const [first] = a;
        expect([
          await ask(a, NO_STREAM),
          await ask(b, 2n),
          await ask(a, NO_STREAM),
          await ask(b, 2n),
          await ask(a, ANY),
          await ask(b, ANY),
          await ask(a, STREAM_EXISTS),
          await ask([first!], NO_STREAM),
          await ask(a.slice(1), 0n),
          await ask([...a, ...b], NO_STREAM),
          await ask(a, 1n),
          await ask(a, 4n),
          await ask([first!, sample()], NO_STREAM),
          await ask([first!, sample()], ANY),
          await ask([sample(), first!], ANY),
          await ask([d, d], ANY),
          await ask([d, d], ANY),
        ]).toEqual([
          ...['2', '4', '2', '4', '2', '4', '2', '0', '2', '4'],
          'expected 1, is 4',
          '7',
          'expected no_stream, is 7',
          'expected any, is 7',
          ...['9', '11', '10'],
        ]);
        expect((await read(client.readStream(stream))).split(',')).toHaveLength(12);
        expect(await ask([first!], NO_STREAM, `${stream}-other`)).toBe('0');
        expect(await ask([sample(first!.id, { n: 99 }), ...a.slice(1)], NO_STREAM)).toBe('2');
      });

      it('of which an id stands in another stream are known again', async () => {
        const [event] = samples(1);
        expect(await ask([event!], NO_STREAM)).toBe('0');
        const other = `${stream}-other`;
        expect(await ask([event!], NO_STREAM, other)).toBe('0');
        expect(await ask([event!], NO_STREAM, other)).toBe('0');
        expect(await read(client.readStream(other))).toBe('0');
      });

      it('of nothing to nothing succeed', async () => {
        expect(await ask([], NO_STREAM)).toBe('0');
        expect(await read(client.readStream(stream))).toBe('stream-not-found');
      });

      it('of more than a mebibyte are refused, and the next is taken', async () => {
        const hundred = () =>
          Array.from({ length: 12 }, () => sample(undefined, { text: 'x'.repeat(100_000) }));
        expect(await ask(hundred(), NO_STREAM)).toBe('maximum-append-size-exceeded');
        expect(await ask(hundred().slice(2), NO_STREAM)).toBe('9');
      });

      it('are measured by their data, up to what no message may hold, and the next is taken', async () => {
        const megabytes = (count: number) => [sample(undefined, { text: 'x'.repeat(count * 1_000_000) })];
        expect([
          await ask(megabytes(5), NO_STREAM),
          await ask(samples(1), NO_STREAM),
          await ask(megabytes(20), 0n),
          await ask(samples(1), 0n),
        ]).toEqual([
          'maximum-append-size-exceeded',
          '0',
          '8 8 RESOURCE_EXHAUSTED: Received message exceeds the maximum configured message size.',
          '1',
        ]);
      });

      it('to streams of the server are taken as others are', async () => {
        expect(await ask(samples(1), ANY, '$all')).toMatch(/^\d+$/);
        expect(await ask(samples(1), NO_STREAM, `$${stream}`)).toBe('0');
        const metadata = sample(undefined, { $maxCount: 9 }, '$metadata');
        expect(await ask([metadata], NO_STREAM, `$$${stream}-missing`)).toBe('0');
        expect(await ask(samples(1), NO_STREAM)).toBe('0');
      });

      it.each([
        ['without a type', () => [sample(undefined, {}, '')], undefined],
        ['with an id that is none', () => [sample('not-a-uuid')], undefined],
        ['to a stream without a name', () => samples(1), ''],
      ])('%s are refused, and the next is taken', async (_, malformed, to) => {
        // The server answers it once more after 2 s, and the client's batch call dies of that.
        const mortal = EventStoreDBClient.connectionString(server.url);
        const refusal =
          path === 'batch'
            ? 'undefined Could not recognize BadRequest'
            : '2 2 UNKNOWN: Exception was thrown by handler.';
        expect(await append(malformed(), ANY, credentials, to, mortal)).toBe(refusal);
        expect(await append(samples(1), NO_STREAM, credentials, stream, mortal)).toBe('0');
        await mortal.dispose();
        expect(await ask(samples(1), 0n)).toBe('1');
      });
    });

    it('what is deleted must be there, as it was expected', async () => {
      expect(await told(client.deleteStream(stream))).toBe('expected -2, is -1');
      expect(await told(client.deleteStream(stream, { expectedRevision: 3n }))).toBe('expected 3, is -1');
      await append(samples(3), NO_STREAM);
      expect(await told(client.deleteStream(stream, { expectedRevision: 0n }))).toBe('expected 0, is 2');
      expect(await told(client.deleteStream(stream, { expectedRevision: 2n }))).toBe('done');
      expect(await read(client.readStream(stream))).toBe('stream-not-found');
      expect(await read(client.readStream(stream, { direction: BACKWARDS, fromRevision: END }))).toBe(
        'stream-not-found',
      );
      expect(await append(samples(1), 0n)).toBe('expected 0, is 2');
      expect(await append(samples(1), NO_STREAM)).toBe('3');
      expect(await read(client.readStream(stream))).toBe('3');
    });

    it('a soft delete is metadata of the stream, which the next event rewrites', async () => {
      const metadata = async (): Promise<unknown[]> => {
        const found: unknown[] = [];
        for await (const { event } of client.readStream(`$$${stream}`)) found.push(shown(event!));
        return found;
      };
      // 9223372036854775807, as a number has it.
      const deleted = ['$metadata', 0n, { $tb: 2 ** 63 }];
      await append(samples(3), NO_STREAM);
      await client.deleteStream(stream);
      expect(await metadata()).toEqual([deleted]);
      const all: unknown[] = [];
      for await (const { event } of client.readAll({
        direction: BACKWARDS,
        fromPosition: END,
        maxCount: 100,
      }))
        if (event!.streamId.endsWith(stream)) all.unshift([event!.streamId, event!.type, event!.revision]);
      expect(all).toEqual([
        [stream, 'SampleHappened', 0n],
        [stream, 'SampleHappened', 1n],
        [stream, 'SampleHappened', 2n],
        [`$$${stream}`, '$metadata', 0n],
      ]);
      await append(samples(1), NO_STREAM);
      expect(await metadata()).toEqual([deleted, ['$metadata', 1n, { $tb: 3 }]]);
    });

    it('metadata that take the soft delete back show the events again', async () => {
      await append(samples(3), NO_STREAM);
      await client.deleteStream(stream);
      await client.setStreamMetadata(stream, {});
      expect(await read(client.readStream(stream))).toBe('0,1,2');
    });

    it('a tombstone stays', async () => {
      await append(samples(3), NO_STREAM);
      expect(await told(client.tombstoneStream(stream, { expectedRevision: 2n }))).toBe('done');
      expect(await read(client.readStream(stream))).toBe('stream-deleted');
      for (const [, credentials] of PATHS)
        expect(await append(samples(1), ANY, credentials)).toBe('stream-deleted');
    });

    it('a tombstone stands in $all behind the events of its stream: with the last of all revisions, and empty', async () => {
      const tombstone = ['$streamDeleted', 9_223_372_036_854_775_807n, ''];
      const subscribed: unknown[] = [];
      const filter = streamNameFilter({ prefixes: [stream] });
      const subscription = client.subscribeToAll({ fromPosition: END, filter });
      let isLive = false;
      subscription.on('caughtUp', () => void (isLive = true));
      subscription.on('data', ({ event }) => void subscribed.push(shown(event!)));
      await waitUntil(() => isLive);
      const { position } = await client.appendToStream(stream, sample(), { expectedRevision: NO_STREAM });
      await client.tombstoneStream(stream);
      const found: unknown[] = [];
      for await (const { event } of client.readAll({ fromPosition: position!, maxCount: 100 }))
        if (event!.streamId === stream) found.push(shown(event!));
      expect(found).toEqual([['SampleHappened', 0n, { n: 1 }], tombstone]);
      const back: unknown[] = [];
      for await (const { event } of client.readAll({
        direction: BACKWARDS,
        fromPosition: END,
        maxCount: 100,
      }))
        if (event!.streamId === stream) back.push(shown(event!));
      expect(back[0]).toEqual(tombstone);
      await waitUntil(() => subscribed.length === 2);
      expect(subscribed).toEqual(found);
      await ended(subscription.unsubscribe());
    });

    it('a stream of which only so many are kept shows the last of them', async () => {
      await append(samples(4), NO_STREAM);
      await client.setStreamMetadata(stream, { maxCount: 2 });
      expect(await read(client.readStream(stream))).toBe('2,3');
      expect(await append(samples(1), 3n)).toBe('4');
      expect(await read(client.readStream(stream))).toBe('3,4');
    });

    it('reads of a stream', async () => {
      await append(samples(4), NO_STREAM);
      const back = (fromRevision: bigint) =>
        read(client.readStream(stream, { direction: BACKWARDS, fromRevision, maxCount: 2 }));
      expect([
        await back(2n),
        await back(50n),
        await read(client.readStream(stream, { fromRevision: 9n })),
        await read(client.readStream(stream, { fromRevision: END })),
        await read(client.readStream(stream, { maxCount: 0 })),
        await read(client.readStream(`${stream}-missing`)),
      ]).toEqual([
        '2,1',
        '3,2',
        '',
        '2 2 UNKNOWN: Unexpected ReadStreamResult: Error',
        '2 2 UNKNOWN: Unexpected ReadStreamResult: Error',
        'stream-not-found',
      ]);
    });

    it('reads of $all begin where an event does, or beyond the end', async () => {
      const at = (commit: bigint, prepare = commit) =>
        read(client.readAll({ fromPosition: { commit, prepare }, maxCount: 1 }));
      await append(samples(1), NO_STREAM);
      expect([await at(5n), await at(99_999_999_999n), await at(5n, 9n)]).toEqual([
        '2 2 UNKNOWN: Unexpected ReadAllResult: InvalidPosition',
        '',
        '2 2 UNKNOWN: Exception was thrown by handler.',
      ]);
    });

    it('the positions of an append and of its events are commit and prepare alike, forwards with and backwards without', async () => {
      const { position } = await client.appendToStream(stream, samples(3), { expectedRevision: NO_STREAM });
      const events = [];
      for await (const { event } of client.readStream(stream)) events.push(event!);
      expect(events.at(-1)!.position).toEqual(position);
      expect(position!.commit).toBe(position!.prepare);
      expect(events[0]!.created.getFullYear()).toBe(new Date().getFullYear());
      const middle = events[1]!.position!;
      expect((await read(client.readAll({ fromPosition: middle, maxCount: 2 }))).split(',')).toEqual([
        '1',
        '2',
      ]);
      const back = client.readAll({ fromPosition: middle, direction: BACKWARDS, maxCount: 1 });
      expect(await read(back)).toBe('0');
    });

    it('a subscription to a place where no event begins is refused, and one beyond the end is silent', async () => {
      const at = (commit: bigint) => client.subscribeToAll({ fromPosition: { commit, prepare: commit } });
      const refused = at(5n);
      refused.on('data', () => undefined);
      const failure = await told(new Promise((_, reject) => refused.on('error', reject)));
      expect(failure).toBe('3 3 INVALID_ARGUMENT: Trying to read from an invalid position.');
      const seen: string[] = [];
      const beyond = at(99_999_999_999n);
      beyond.on('data', () => seen.push('event'));
      for (const name of ['confirmation', 'caughtUp'] as const) beyond.on(name, () => seen.push(name));
      await waitUntil(() => seen.includes('caughtUp'));
      expect(seen).toEqual(['confirmation', 'caughtUp']);
      await ended(beyond.unsubscribe());
    });

    it('a live subscription hears of no checkpoint for a handful of events that it leaves out', async () => {
      const seen: string[] = [];
      const filter = streamNameFilter({
        prefixes: [stream],
        checkpointReached: () => void seen.push('checkpoint'),
      });
      const subscription = client.subscribeToAll({ fromPosition: END, filter });
      subscription.on('data', ({ event }) => void seen.push(String(event!.revision)));
      subscription.on('caughtUp', () => void seen.push('caught up'));
      await waitUntil(() => seen.includes('caught up'));
      for (let turn = 0; turn < 5; turn += 1)
        await append(samples(1), ANY, undefined, `other-${randomUUID()}`);
      await append(samples(1), NO_STREAM);
      await waitUntil(() => seen.includes('0'));
      // A server may fall behind and catch up again.
      expect(seen.filter((one) => one !== 'caught up')).toEqual(['0']);
      await ended(subscription.unsubscribe());
    });

    it.each([
      ['as it is by default', {}, 32],
      ['with an interval of 5', { checkpointInterval: 5 }, 160],
      ['with a window of 100 and an interval of 2', { maxSearchWindow: 100, checkpointInterval: 2 }, 200],
      ['with a window of 1', { maxSearchWindow: 1 }, 1],
    ])(
      'a live subscription, %s, hears of a checkpoint whenever it has left out so many events',
      async (_, options, window) => {
        let checkpoints = 0;
        const filter = streamNameFilter({
          prefixes: [stream],
          ...options,
          checkpointReached: () => void (checkpoints += 1),
        });
        const subscription = client.subscribeToAll({ fromPosition: END, filter });
        const seen: string[] = [];
        subscription.on('data', ({ event }) => void seen.push(String(event!.revision)));
        subscription.on('caughtUp', () => void seen.push('caught up'));
        await waitUntil(() => seen.includes('caught up'));
        expect(checkpoints).toBe(0);
        await Promise.all(
          Array.from({ length: 200 }, () => append(samples(1), ANY, undefined, `other-${randomUUID()}`)),
        );
        await append(samples(1), NO_STREAM);
        await waitUntil(() => seen.includes('0'));
        // The server's own events are left out, too.
        expect(checkpoints).toBeGreaterThanOrEqual(Math.floor(200 / window));
        expect(checkpoints).toBeLessThanOrEqual(Math.floor(300 / window));
        await ended(subscription.unsubscribe());
      },
    );

    it('events hold what was given, whatever it was', async () => {
      const metadata = { $correlationId: 'x', b: [1] };
      const id = '0AAAAAAA-0000-4000-8000-00000000ABCD';
      const given = [
        jsonEvent({ type: 'J', data: { a: 1, u: 'é€😀', big: 9007199254740992 }, metadata }),
        binaryEvent({ type: 'B', data: Uint8Array.of(0, 1, 255), metadata: Uint8Array.of(1, 2) }),
        binaryEvent({ type: 'B', data: Buffer.from('{"a":1}'), metadata: { j: 1 } }),
        jsonEvent({ type: 'J', data: null as never }),
        jsonEvent({ type: 'J', data: 'str' as never }),
        jsonEvent({ id, type: 'J', data: {} }),
      ];
      await client.appendToStream(stream, given, { expectedRevision: NO_STREAM });
      const told = [];
      for await (const { event } of client.readStream(stream)) told.push(event!);
      expect(told.map(({ isJson, data, metadata: beside }) => [isJson, plain(data), plain(beside)])).toEqual([
        [true, { a: 1, u: 'é€😀', big: 9007199254740992 }, metadata],
        [false, '0001ff', '0102'],
        [false, Buffer.from('{"a":1}').toString('hex'), { j: 1 }],
        [true, null, undefined],
        [true, 'str', undefined],
        [true, {}, undefined],
      ]);
      expect(told.at(-1)!.id.toLowerCase()).toBe(id.toLowerCase());
    });

    it('a filter excludes what it says, on subscriptions alone', async () => {
      await append(samples(1), NO_STREAM);
      const all = client.readAll({ filter: streamNameFilter({ prefixes: [stream] }), maxCount: 1 } as never);
      const found: string[] = [];
      for await (const { event } of all as StreamingRead<{ event?: { streamId: string } }>)
        found.push(event!.streamId);
      expect(found).not.toEqual([stream]);
      const types: string[] = [];
      const subscription = client.subscribeToAll({ filter: excludeSystemEvents() });
      let isThere = false;
      subscription.on('data', ({ event }) => void types.push(event!.type));
      subscription.on('caughtUp', () => void (isThere = true));
      await waitUntil(() => isThere);
      expect(types.filter((type) => type.startsWith('$'))).toEqual([]);
      await ended(subscription.unsubscribe());
    });

    it('of three alike whose event stands in another stream, and that race, one is stored and two are told of it', async () => {
      const [event] = samples(1);
      expect(await append([event!], NO_STREAM, undefined, `${stream}-before`)).toBe('0');
      const answers = await Promise.all([1, 2, 3].map(() => append([event!], NO_STREAM)));
      const conflict = 'expected no_stream, is 0';
      expect(answers.sort()).toEqual(['0', conflict, conflict]);
    });

    it('of two that race for a new stream one is told of the other', async () => {
      const answers = await Promise.all([append(samples(1), NO_STREAM), append(samples(1), NO_STREAM)]);
      expect(answers.sort()).toEqual(['0', 'expected no_stream, is 0']);
    });
  });
}
