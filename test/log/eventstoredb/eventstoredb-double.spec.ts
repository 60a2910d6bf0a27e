import { randomUUID } from 'node:crypto';
import { credentials, type ClientDuplexStream } from '@grpc/grpc-js';
import {
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  NO_STREAM,
  STREAM_EXISTS,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type StreamingRead,
} from '@eventstore/db-client';
import { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb.js';
import type { DoubleOptions, EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { streamIdentifier } from '../../support/eventstoredb-double/wire.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';
import { closeBenches, QUICK_KEEP_ALIVE, silenceKeepAliveAdvice, startDouble } from './fixture.js';

let double: EventStoreDbDouble;
let client: EventStoreDBClient;

function sample(id: string = randomUUID(), data: object = { text: 'x' }) {
  return jsonEvent({ id, type: 'SampleHappened', data: data as never });
}

function append(stream: string, expectedRevision: AppendExpectedRevision, ...ids: string[]) {
  return client.appendToStream(
    stream,
    (ids.length > 0 ? ids : [randomUUID()]).map((id) => sample(id)),
    { expectedRevision },
  );
}

async function collect<Item>(read: StreamingRead<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of read) items.push(item);
  return items;
}

async function revisions(stream: string): Promise<bigint[]> {
  return (await collect(client.readStream(stream))).map(({ event }) => event!.revision);
}

/** What a promise rejects with, as the client's type or the error's own text. */
async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  return promise.then(
    () => ({ type: 'none' }),
    (error: unknown) => error as Record<string, unknown>,
  );
}

function failureOfSubscription(subscription: AllStreamSubscription): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    subscription.on('error', (error) => resolve(error as unknown as Record<string, unknown>));
    subscription.on('data', () => undefined);
  });
}

beforeEach(async () => {
  double = await startDouble({ longestDeadline: HUNG });
  client = EventStoreDBClient.connectionString(double.url());
});

/** For a test of what takes its time: a double and a client of its own. */
async function startOver(options: DoubleOptions, urlOptions: readonly string[] = []): Promise<void> {
  await client.dispose();
  double = await startDouble(options);
  client = EventStoreDBClient.connectionString(double.url(...urlOptions));
}

afterEach(async () => {
  await client.dispose();
  await closeBenches();
  jest.restoreAllMocks();
});

describe('the double: expected revisions', () => {
  test('a wrong expected revision names the actual one, on both paths, with an empty message', async () => {
    await append('s', NO_STREAM, randomUUID(), randomUUID());
    const batch = await failureOf(append('s', 0n));
    expect([batch['type'], batch['actualVersion'], batch['message']]).toEqual([
      'wrong-expected-version',
      1n,
      '',
    ]);
    const withCredentials = { expectedRevision: 7n, credentials: { username: 'a', password: 'b' } };
    const unary = await failureOf(client.appendToStream('none', sample(), withCredentials));
    expect([unary['type'], unary['actualVersion']]).toEqual(['wrong-expected-version', 'no_stream']);
  });

  test('the same events at the same expected revision are stored once, even after a restart', async () => {
    const ids = [randomUUID(), randomUUID()];
    const first = await append('s', NO_STREAM, ...ids);
    await append('s', 1n);
    await double.kill();
    await double.restart();
    const again = await waitUntil(() => append('s', NO_STREAM, ...ids).catch(() => undefined));
    expect([again!.nextExpectedRevision, again!.position]).toEqual([
      first.nextExpectedRevision,
      first.position,
    ]);
    expect(await revisions('s')).toEqual([0n, 1n, 2n]);
  });

  test('a repeated append is compared by ids alone: changed data is a success', async () => {
    const id = randomUUID();
    await append('s', NO_STREAM, id);
    await client.appendToStream('s', sample(id, { text: 'changed' }), { expectedRevision: NO_STREAM });
    expect((await collect(client.readStream('s'))).map(({ event }) => event!.data)).toEqual([{ text: 'x' }]);
  });

  test('a part of what is stored, or all of several appends, succeeds; partly new conflicts', async () => {
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
    await append('s', NO_STREAM, a, b);
    await append('s', 1n, c);
    expect((await append('s', NO_STREAM, a)).nextExpectedRevision).toBe(0n);
    expect((await append('s', NO_STREAM, a, b, c)).nextExpectedRevision).toBe(2n);
    expect((await failureOf(append('s', 0n, b, randomUUID())))['type']).toBe('wrong-expected-version');
  });

  test('the same id at the current head is stored a second time', async () => {
    const id = randomUUID();
    await append('s', NO_STREAM, id);
    await append('s', 0n, id);
    expect(await revisions('s')).toEqual([0n, 1n]);
  });

  test('ANY and STREAM_EXISTS are idempotent in memory only: stored again after a restart', async () => {
    const id = randomUUID();
    await append('s', ANY, id);
    await append('s', ANY, id);
    await append('s', STREAM_EXISTS, id);
    expect(await revisions('s')).toEqual([0n]);
    await double.kill();
    await double.restart();
    await waitUntil(() => append('s', ANY, id).catch(() => undefined));
    expect(await revisions('s')).toEqual([0n, 1n]);
  });

  test('ANY forgets an id after so many others', async () => {
    await client.dispose();
    const small = await startDouble({ idMemory: 3 });
    client = EventStoreDBClient.connectionString(small.url());
    const id = randomUUID();
    await append('s', ANY, id);
    await append('other', ANY, randomUUID(), randomUUID(), randomUUID());
    await append('s', ANY, id);
    expect(await revisions('s')).toEqual([0n, 1n]);
  });

  test('an append of nothing to a missing stream answers success at revision 0', async () => {
    const answer = await client.appendToStream('s', [], { expectedRevision: NO_STREAM });
    expect(answer.nextExpectedRevision).toBe(0n);
    expect((await failureOf(collect(client.readStream('s'))))['type']).toBe('stream-not-found');
  });

  test('throwOnAppendFailure=false reports revision 1 on the batch path whatever the head is', async () => {
    await append('s', NO_STREAM, randomUUID(), randomUUID(), randomUUID());
    await client.dispose();
    client = EventStoreDBClient.connectionString(double.url('throwOnAppendFailure=false'));
    expect(await append('s', 0n)).toMatchObject({ success: false, nextExpectedRevision: 1n });
  });
});

describe('the double: limits and deletions', () => {
  test('a mebibyte of data is the limit, on both paths, and metadata is not counted', async () => {
    const most = 1_048_576 - '{"text":""}'.length;
    const large = sample(randomUUID(), { text: 'x'.repeat(most) });
    const options = { expectedRevision: NO_STREAM } as const;
    await client.appendToStream('fits', { ...large, metadata: { more: 'x'.repeat(10_000) } }, options);
    const tooLarge = sample(randomUUID(), { text: 'x'.repeat(most + 1) });
    const batch = await failureOf(client.appendToStream('batch', tooLarge, options));
    const secret = { username: 'a', password: 'b' };
    const unary = await failureOf(
      client.appendToStream('unary', tooLarge, { ...options, credentials: secret }),
    );
    expect([batch['type'], batch['maxAppendSize']]).toEqual(['maximum-append-size-exceeded', 1_048_576]);
    expect([unary['type'], unary['maxAppendSize']]).toEqual(['maximum-append-size-exceeded', 1_048_576]);
    await append('after', NO_STREAM);
  });

  test('a soft-deleted stream is not found, and revisions go on when it is written again', async () => {
    await append('s', NO_STREAM, randomUUID(), randomUUID());
    await client.deleteStream('s');
    expect((await failureOf(collect(client.readStream('s'))))['type']).toBe('stream-not-found');
    expect((await append('s', NO_STREAM)).nextExpectedRevision).toBe(2n);
    expect(await revisions('s')).toEqual([2n]);
  });

  test('a tombstoned stream refuses reads and appends', async () => {
    await append('s', NO_STREAM);
    await client.tombstoneStream('s');
    expect((await failureOf(append('s', 0n)))['type']).toBe('stream-deleted');
    expect((await failureOf(collect(client.readStream('s'))))['type']).toBe('stream-deleted');
  });
});

/** A batch append below the client, which would never recover from the second answer. */
function rawBatch(port: number): ClientDuplexStream<BatchAppendReq, BatchAppendResp> {
  return new StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure()).batchAppend();
}

describe('the double: the batch path', () => {
  test.each([
    ['a malformed id', 'no-uuid', 'SampleHappened'],
    ['an empty type', randomUUID(), ''],
  ])('%s is refused, once, and stored nowhere', async (_name, id, type) => {
    const call = rawBatch(double.port);
    const answers: BatchAppendResp[] = [];
    call.on('data', (answer: BatchAppendResp) => answers.push(answer));
    call.on('error', () => undefined);
    let hasEnded = false;
    call.on('end', () => (hasEnded = true));
    const uuid = (text: string) => {
      const wire = new UUID();
      wire.setString(text);
      return wire;
    };
    const message = new BatchAppendReq.ProposedMessage();
    message.setId(uuid(id));
    message.getMetadataMap().set('type', type);
    const options = new BatchAppendReq.Options();
    options.setStreamIdentifier(streamIdentifier('s'));
    options.setNoStream(new Empty());
    const request = new BatchAppendReq();
    request.setCorrelationId(uuid(randomUUID()));
    request.setOptions(options);
    request.addProposedMessages(message);
    request.setIsFinal(true);
    call.write(request);
    call.end();
    await waitUntil(() => hasEnded);
    expect(answers.map((answer) => answer.getError()?.getMessage())).toEqual(['BadRequest']);
    expect(double.userEvents).toEqual([]);
  });

  test('an identical append in flight is dropped, its deadline capped; a later retry succeeds', async () => {
    await startOver({ longestDeadline: 200 });
    const id = randomUUID();
    const release = double.faults.holdAppends();
    const first = failureOf(append('s', NO_STREAM, id));
    await waitUntil(() => double.received.length === 1);
    const second = failureOf(
      client.appendToStream('s', sample(id), { expectedRevision: NO_STREAM, deadline: 60_000 }),
    );
    expect((await first)['type']).toBe('deadline-exceeded');
    expect((await second)['type']).toBe('deadline-exceeded');
    release();
    expect((await append('s', NO_STREAM, id)).nextExpectedRevision).toBe(0n);
    expect(await revisions('s')).toEqual([0n]);
  });

  test('the deadline asked for is honoured where it is the shorter one, and the append stored all the same', async () => {
    const release = double.faults.holdAppends();
    const options = { expectedRevision: NO_STREAM, deadline: 20 } as const;
    expect((await failureOf(client.appendToStream('s', sample(), options)))['type']).toBe(
      'deadline-exceeded',
    );
    release();
    expect(await waitUntil(() => revisions('s').catch(() => undefined))).toEqual([0n]);
  });
});

describe('the double: reads and positions', () => {
  test('$all has events of the server and does not begin at position 0', async () => {
    await append('s', NO_STREAM, randomUUID(), randomUUID(), randomUUID());
    const all = await collect(client.readAll());
    expect(all[0]!.event!.position.commit).toBeGreaterThan(0n);
    expect(all.filter(({ event }) => event!.type === '$metadata').length).toBeGreaterThan(1);
  });

  test('commit and prepare are the same, and the answer to an append is the last event', async () => {
    const answer = await append('s', NO_STREAM, randomUUID(), randomUUID());
    const events = await collect(client.readStream('s'));
    expect(events[1]!.event!.position).toEqual(answer.position);
    expect(answer.position!.commit).toBe(answer.position!.prepare);
  });

  test('forwards from a position includes it, backwards does not', async () => {
    await append('s', NO_STREAM, randomUUID(), randomUUID());
    const [first, second] = (await collect(client.readStream('s'))).map(({ event }) => event!.position!);
    const forwards = await collect(client.readAll({ fromPosition: second! }));
    const backwards = await collect(client.readAll({ fromPosition: second!, direction: BACKWARDS }));
    expect(forwards[0]!.event!.position).toEqual(second);
    expect(backwards[0]!.event!.position).toEqual(first);
  });

  test('a stream is read backwards from its revision on, and from beyond the head at the head', async () => {
    await append('s', NO_STREAM, randomUUID(), randomUUID());
    const back = async (fromRevision: bigint) =>
      (await collect(client.readStream('s', { fromRevision, direction: BACKWARDS }))).map(
        ({ event }) => event!.revision,
      );
    expect([await back(0n), await back(99n)]).toEqual([[0n], [1n, 0n]]);
  });

  test.each([
    ['maxCount 0', () => client.readAll({ maxCount: 0 })],
    ['maxCount 0 of a stream', () => client.readStream('s', { maxCount: 0 })],
    ['forwards from the end', () => client.readAll({ fromPosition: END })],
    ['forwards from the end of a stream', () => client.readStream('s', { fromRevision: END })],
    ['a position that is none', () => client.readAll({ fromPosition: { commit: 1n, prepare: 1n } })],
  ])('%s is an error', async (_name, read) => {
    await append('s', NO_STREAM);
    expect((await failureOf(collect(read() as StreamingRead<unknown>)))['code']).toBe(2);
  });

  test('a filter on a read of $all is ignored', async () => {
    await append('s', NO_STREAM);
    const all = await collect(client.readAll({ filter: excludeSystemEvents() } as never));
    expect(all.some(({ event }) => event!.type === '$metadata')).toBe(true);
  });
});

describe('the double: subscriptions', () => {
  test('one begins after its position, leaves out what the filter excludes, and says once that it has caught up', async () => {
    await append('s', NO_STREAM, randomUUID(), randomUUID());
    const [first] = await collect(client.readStream('s'));
    const subscription = client.subscribeToAll({
      fromPosition: first!.event!.position!,
      filter: excludeSystemEvents(),
    });
    const seen: string[] = [];
    subscription.on('data', ({ event }) => seen.push(String(event!.revision)));
    subscription.on('caughtUp', () => seen.push('caught up'));
    await waitUntil(() => seen.length === 2);
    await append('s', 1n, randomUUID(), randomUUID());
    await waitUntil(() => seen.length === 4);
    expect(seen).toEqual(['1', 'caught up', '2', '3']);
    await subscription.unsubscribe();
  });

  test('checkpoints come once per 32 events considered, and at the end only where they move on', async () => {
    for (let revision = 0; revision < 24; revision += 1) {
      await append('s', revision === 0 ? NO_STREAM : BigInt(revision - 1));
    }
    const positions: bigint[] = [];
    const checkpointReached = (_: unknown, { commit }: { commit: bigint }) => void positions.push(commit);
    const subscription = client.subscribeToAll({ filter: excludeSystemEvents({ checkpointReached }) });
    let caughtUp = false;
    subscription.on('caughtUp', () => (caughtUp = true));
    subscription.on('data', () => undefined);
    await waitUntil(() => caughtUp);
    // 24 events of the user and 9 of the server: one full window, and one event more.
    expect(positions).toEqual([double.log.events[31]!.position, double.log.events[32]!.position]);
    await subscription.unsubscribe();
  });

  test('a filter that is no regular expression is an error of the call', async () => {
    const subscription = client.subscribeToAll({ filter: eventTypeFilter({ regex: '(' }) });
    expect((await failureOfSubscription(subscription))['code']).toBe(2);
  });

  test('a dropped one ends with one error and stays ended', async () => {
    const subscription = client.subscribeToAll({ filter: excludeSystemEvents() });
    const failure = failureOfSubscription(subscription);
    await waitUntil(() => double.subscriptionCount === 1);
    double.dropSubscriptions();
    expect((await failure)['code']).toBe(14);
    expect(double.subscriptionCount).toBe(0);
  });
});

describe('the double: stopping, in all its ways', () => {
  test('nobody listening: the first append fails with a plain error, code 14', async () => {
    await double.kill();
    const failure = await failureOf(append('s', NO_STREAM));
    expect([failure['code'], failure['type']]).toEqual([14, undefined]);
  });

  test('killed after storing and before answering: the append is rejected and stored', async () => {
    await append('s', NO_STREAM);
    double.faults.killAfterStoring = 1;
    expect((await failureOf(append('s', 0n)))['type']).toBe('unavailable');
    await double.restart();
    expect(await waitUntil(() => revisions('s').catch(() => undefined))).toEqual([0n, 1n]);
  });

  test('stopping: not ready, then calls reset, some of the appends stored', async () => {
    await append('s', NO_STREAM);
    double.beginStopping();
    const refused = await failureOf(append('a', NO_STREAM));
    const stored = failureOf(append('b', NO_STREAM));
    await waitUntil(() => double.userEvents.length === 2);
    double.resetCalls();
    const reset = await stored;
    await double.kill();
    expect([refused['type'], refused['message']]).toEqual([
      'unknown',
      'Could not recognize Server Is Not Ready',
    ]);
    expect([reset['type'], reset['code']]).toEqual(['unknown', 13]);
    expect(String(reset['message'])).toContain('Received RST_STREAM with code 0');
    expect(double.userEvents.map(({ stream }) => stream)).toEqual(['s', 'b']);
  });

  test('frozen: an append is pending until keep-alive gives the connection up', async () => {
    silenceKeepAliveAdvice();
    await startOver({ longestDeadline: HUNG }, QUICK_KEEP_ALIVE);
    await append('s', NO_STREAM);
    double.freeze();
    const started = Date.now();
    const failure = await failureOf(append('s', 0n));
    expect([failure['type'], failure['code']]).toEqual(['unavailable', 14]);
    expect(Date.now() - started).toBeGreaterThanOrEqual(140);
    double.thaw();
  });

  test('killed and started again on the same port, the same client goes on with the same data', async () => {
    await append('s', NO_STREAM);
    await double.kill();
    await double.restart();
    await waitUntil(() => append('s', 0n).catch(() => undefined));
    expect(await revisions('s')).toEqual([0n, 1n]);
  });

  test('a follower forwards appends and lags in reads; it refuses only what insists on the leader', async () => {
    await client.dispose();
    const follower = await startDouble({ leader: double });
    client = EventStoreDBClient.connectionString(follower.url());
    await append('s', NO_STREAM);
    expect((await failureOf(collect(client.readStream('s'))))['type']).toBe('stream-not-found');
    const insisting = await failureOf(collect(client.readStream('s', { requiresLeader: true })));
    expect([insisting['type'], insisting['leader']]).toEqual([
      'not-leader',
      { address: '127.0.0.1', port: double.port },
    ]);
    follower.replicate();
    expect(await revisions('s')).toEqual([0n]);
  });
});
