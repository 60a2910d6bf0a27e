import type {
  AppendOutcome,
  ExpectedRevision,
  NewEvent,
  StreamAppend,
} from '#eventsourcing/log/event-store.js';
import { EventTooLargeError } from '#eventsourcing/log/event-store.errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { expectRejection } from '../../eventsourcing/contract/contract-case.js';
import { ManualClock } from '../../support/manual-clock.js';
import { BatchClient } from '#stores/eventstoredb/batch-client.js';
import { readConnection } from '#stores/eventstoredb/connection.js';
import { checkAppends } from '#stores/eventstoredb/event-format.js';
import { ClientReads } from '#stores/eventstoredb/client-reads.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';
import type { DoubleOptions, EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { appendOf, sampleEvent } from '../../eventsourcing/contract/event-store.samples.js';
import {
  bench,
  closeBenches,
  PATIENT,
  QUICK,
  QUICK_KEEP_ALIVE,
  SILENCE,
  silenceKeepAliveAdvice,
  startDouble,
  storeOn,
  whileTimePasses,
} from './fixture.js';
import { PassingTime, UNENDING } from './passing-time.js';

/** What the double holds of a stream, asked of the log itself. */
function idsIn(double: EventStoreDbDouble, stream: string): string[] {
  return (double.log.streamEvents(stream) ?? []).map(({ id }) => id);
}

function idsOf(append: StreamAppend): string[] {
  return append.events.map(({ id }) => id);
}

async function unavailability(promise: Promise<unknown>): Promise<StoreUnavailableError> {
  const error = await promise.then(
    () => new Error('no error'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreUnavailableError)) throw error;
  return error;
}

/** A bench whose time passes as the test lets it. */
async function patientBench(doubleOptions: DoubleOptions = {}) {
  const clock = new ManualClock();
  const opened = await bench({ clock, timings: UNENDING }, doubleOptions);
  return { ...opened, time: new PassingTime(clock, opened.double) };
}

beforeEach(() => silenceKeepAliveAdvice());

afterEach(async () => {
  await closeBenches();
  jest.restoreAllMocks();
});

describe('appends: an outcome is settled, never guessed', () => {
  test('stored and the answer lost: the append is acknowledged, with its revision and position', async () => {
    const { double, store, time } = await patientBench();
    double.faults.loseAnswers = 1;
    const append = appendOf('s', 'no_stream', 3);
    const [outcome] = await time.untilEnded(store.append([append]));
    const last = double.userEvents.at(-1)!;
    expect(outcome).toEqual({ kind: 'appended', stream: 's', revision: 2, position: last.position });
    expect(idsIn(double, 's')).toEqual(idsOf(append));
  });

  test('every try has the same ids and the same expected revision, and never ANY', async () => {
    const { double, store, time } = await patientBench();
    await store.append([appendOf('s')]);
    double.faults.loseAnswers = 2;
    const append = appendOf('s', 0, 2);
    await time.untilEnded(store.append([append]));
    const tries = double.received.filter(({ expected }) => expected !== 'no_stream');
    expect(tries.length).toBeGreaterThanOrEqual(3);
    expect(tries.every(({ expected, ids }) => expected === 0 && ids.join() === idsOf(append).join())).toBe(
      true,
    );
    expect(idsIn(double, 's')).toHaveLength(3);
  });

  test('acknowledged without a position: the position is read', async () => {
    const { double, store } = await bench();
    double.faults.withoutPosition = 1;
    const [outcome] = await store.append([appendOf('s')]);
    expect(outcome).toMatchObject({ kind: 'appended', position: double.userEvents[0]!.position });
  });

  test('stored without an answer and then called a conflict: the stream itself has the last word', async () => {
    const { double, store, time } = await patientBench();
    double.faults.loseAnswers = 1;
    double.faults.falseConflicts = 1;
    const outcomes = await time.untilEnded(store.append([appendOf('s')]));
    expect(outcomes).toMatchObject([{ kind: 'appended', revision: 0 }]);
    expect(double.received.length).toBeGreaterThanOrEqual(2);
  });

  test('killed after storing, started again: acknowledged and stored once', async () => {
    const { double, store } = await bench();
    await store.append([appendOf('warm')]);
    double.faults.killAfterStoring = 1;
    const append = appendOf('s', 'no_stream', 2);
    const pending = store.append([append]);
    await waitUntil(() => double.killed === 1);
    await double.restart();
    expect(await pending).toMatchObject([{ kind: 'appended', revision: 1 }]);
    expect(idsIn(double, 's')).toEqual(idsOf(append));
  });

  test('killed in the middle of a bulk: every acknowledged append is there, and each once', async () => {
    const { double, store } = await bench({ timings: PATIENT }, { longestDeadline: HUNG });
    await store.append([appendOf('warm')]);
    double.faults.killAfterStoring = 40;
    const appends = Array.from({ length: 150 }, (_, number) => appendOf(`s-${number}`));
    const pending = store.append(appends);
    await waitUntil(() => double.killed === 1);
    await double.restart();
    const outcomes = await pending;
    expect(outcomes.map(({ kind }) => kind)).toEqual(appends.map(() => 'appended'));
    for (const append of appends) expect(idsIn(double, append.stream)).toEqual(idsOf(append));
  });

  test('the leader of a cluster killed: the append goes to the next leader, stored once', async () => {
    const leader = await startDouble();
    const follower = await startDouble({ leader });
    const hosts = `127.0.0.1:${leader.port},127.0.0.1:${follower.port}`;
    const { store } = storeOn(`esdb://${hosts}?tls=false&discoveryInterval=5`);
    await store.append([appendOf('warm')]);
    leader.faults.killAfterStoring = 1;
    const append = appendOf('s', 'no_stream', 2);
    const pending = store.append([append]);
    await waitUntil(() => leader.killed === 1);
    follower.promote();
    expect(await pending).toMatchObject([{ kind: 'appended', revision: 1 }]);
    expect(idsIn(follower, 's')).toEqual(idsOf(append));
  });

  test('the server down before the first append: waits for it, then appends', async () => {
    const { double, store } = await bench();
    await double.kill();
    const pending = store.append([appendOf('s')]);
    await double.restart();
    expect(await pending).toMatchObject([{ kind: 'appended', revision: 0 }]);
  });

  test('the server down for good: unavailable, with the promise that nothing was stored', async () => {
    const timings = { ...QUICK, appendAttempt: 60_000, appendDeadline: 100 };
    const { double, store } = await bench({ timings });
    await double.kill();
    expect((await unavailability(store.append([appendOf('s')]))).outcomeUnknown).toBe(false);
  });

  test('stopping: not ready, stored without an answer, calls reset: settled after the restart', async () => {
    const { double, store } = await bench();
    await store.append([appendOf('warm')]);
    double.beginStopping();
    const appends = Array.from({ length: 20 }, (_, number) => appendOf(`s-${number}`));
    const pending = store.append(appends);
    await waitUntil(() => double.userEvents.length > 5);
    double.resetCalls();
    await double.kill();
    await double.restart();
    expect((await pending).map(({ kind }) => kind)).toEqual(appends.map(() => 'appended'));
    for (const append of appends) expect(idsIn(double, append.stream)).toEqual(idsOf(append));
  });

  test('frozen and thawed: acknowledged and stored once, though several tries arrive', async () => {
    const { double, store } = await bench({}, {}, QUICK_KEEP_ALIVE);
    await store.append([appendOf('warm')]);
    double.freeze();
    const append = appendOf('s', 'no_stream', 2);
    const pending = store.append([append]);
    // The first connection is given up before the server wakes.
    await waitUntil(() => double.connections > 1);
    double.thaw();
    expect(await pending).toMatchObject([{ kind: 'appended', revision: 1 }]);
    expect(idsIn(double, 's')).toEqual(idsOf(append));
  });

  test('frozen for good: unavailable by the own deadline, the outcome unknown', async () => {
    const clock = new ManualClock();
    const { double, store } = await bench({ clock });
    await store.append([appendOf('warm')]);
    double.freeze();
    const pending = whileTimePasses(clock, store.append([appendOf('s')]), SILENCE);
    expect((await unavailability(pending)).outcomeUnknown).toBe(true);
    double.thaw();
  });

  test('accepted but not worked on past the deadline: the repeated append is dropped, then settled', async () => {
    const { double, store } = await bench();
    const release = double.faults.holdAppends();
    const append = appendOf('s');
    const pending = store.append([append]);
    await waitUntil(() => double.received.length >= 2);
    release();
    expect(await pending).toMatchObject([{ kind: 'appended', revision: 0 }]);
    expect(idsIn(double, 's')).toEqual(idsOf(append));
  });

  test('after an unknown outcome, somebody else at that revision: a conflict, and nothing stored', async () => {
    const { double, store, time } = await patientBench({ longestDeadline: HUNG });
    await store.append([appendOf('s')]);
    double.faults.refusals = 1;
    const append = appendOf('s', 0);
    const pending = store.append([append]);
    await waitUntil(() => double.received.length === 2);
    const data = Buffer.from('{}');
    double.log.append('s', 0, [{ ...sampleEvent(), contentType: 'application/json', data, metadata: data }]);
    expect(await time.untilEnded(pending)).toEqual([{ kind: 'conflict', stream: 's', actual: 1 }]);
    expect(idsIn(double, 's')).not.toContain(append.events[0]!.id);
  });

  test('stored without an answer and built upon by somebody else: acknowledged at its own revision', async () => {
    const { double, store, time } = await patientBench({ longestDeadline: HUNG });
    await store.append([appendOf('s')]);
    double.faults.loseAnswers = 1;
    const append = appendOf('s', 0);
    const pending = store.append([append]);
    await waitUntil(() => idsIn(double, 's').length === 2);
    const data = Buffer.from('{}');
    double.log.append('s', 1, [{ ...sampleEvent(), contentType: 'application/json', data, metadata: data }]);
    expect(await time.untilEnded(pending)).toMatchObject([{ kind: 'appended', revision: 1 }]);
    expect(idsIn(double, 's').filter((id) => id === append.events[0]!.id)).toHaveLength(1);
  });
});

describe('appends: clear refusals', () => {
  test('a conflict is an outcome at once, without a second try', async () => {
    // However slow the machine is: a connection that is given up would be a second try.
    const double = await startDouble({ longestDeadline: HUNG });
    const { store } = storeOn(double.url(), { timings: PATIENT });
    await store.append([appendOf('s', 'no_stream', 2)]);
    expect(await store.append([appendOf('s', 0), appendOf('t', 4)])).toEqual([
      { kind: 'conflict', stream: 's', actual: 1 },
      { kind: 'conflict', stream: 't', actual: 'no_stream' },
    ]);
    expect(double.received).toHaveLength(3);
  });

  test('a tombstoned stream: a conflict with a damaged stream, and nothing was stored', async () => {
    const { double, store } = await bench();
    await store.append([appendOf('s')]);
    double.log.tombstone('s');
    expect(await store.append([appendOf('s', 0)])).toEqual([
      { kind: 'conflict', stream: 's', actual: 'damaged' },
    ]);
  });

  test('one stream refused as damaged while another is stored', async () => {
    const { double, store } = await bench();
    double.log.tombstone('s');
    expect(await store.append([appendOf('s'), appendOf('t')])).toEqual([
      { kind: 'conflict', stream: 's', actual: 'damaged' },
      expect.objectContaining({ kind: 'appended', stream: 't' }),
    ]);
  });

  test('a mebibyte of data fits, one byte more is refused before anything is sent', async () => {
    const { double, store } = await bench();
    const most = 1_048_576 - '{"text":""}'.length;
    const fits = {
      stream: 's',
      expected: 'no_stream' as const,
      events: [sampleEvent({ text: 'x'.repeat(most) })],
    };
    expect(await store.append([fits])).toMatchObject([{ kind: 'appended' }]);
    const over = { ...fits, stream: 't', events: [sampleEvent({ text: 'x'.repeat(most + 1) })] };
    await expectRejection(
      store.append([appendOf('u'), over]),
      (error) => error instanceof EventTooLargeError,
    );
    expect(double.userEvents).toHaveLength(1);
  });

  test('a server with a lower limit of its own: too large, as the server says', async () => {
    const { store } = await bench({}, { mostDataBytes: 100 });
    await expectRejection(
      store.append([appendOf('s', 'no_stream', 20)]),
      (error) => error instanceof EventTooLargeError,
    );
    expect(await store.append([appendOf('s')])).toMatchObject([{ kind: 'appended' }]);
  });

  test.each<[string, StreamAppend]>([
    ['a malformed id', { ...appendOf('s'), events: [{ ...sampleEvent(), id: 'no-uuid' }] }],
    ['no id', { ...appendOf('s'), events: [{ ...sampleEvent(), id: undefined as never }] }],
    ['one id twice', { ...appendOf('s'), events: Array<NewEvent>(2).fill(sampleEvent()) }],
    ['an empty type', { ...appendOf('s'), events: [{ ...sampleEvent(), type: '' }] }],
    ["a type of the server's own", { ...appendOf('s'), events: [{ ...sampleEvent(), type: '$metadata' }] }],
    ['a BigInt', { ...appendOf('s'), events: [sampleEvent({ number: 1n as never })] }],
    ['undefined', { ...appendOf('s'), events: [sampleEvent({ list: [{ gone: undefined as never }] })] }],
    ['no number', { ...appendOf('s'), events: [sampleEvent({ number: NaN })] }],
    ['a date', { ...appendOf('s'), events: [sampleEvent({ at: new Date() as never })] }],
    [
      'BigInt in metadata',
      { ...appendOf('s'), events: [{ ...sampleEvent(), metadata: { number: 1n as never } }] },
    ],
    ['no stream name', appendOf('')],
    ["a stream of the server's own", appendOf('$settings')],
    ['a revision that is none', appendOf('s', -1)],
    ['ANY', appendOf('s', 'any' as never)],
    ['no events', appendOf('s', 'no_stream', 0)],
  ])('%s is a TypeError before anything is sent, and the client goes on', async (_name, append) => {
    const { double, store } = await bench();
    await expect(store.append([append])).rejects.toThrow(TypeError);
    expect(double.received).toEqual([]);
    expect(await store.append([appendOf('after')])).toMatchObject([{ kind: 'appended' }]);
  });
});

describe('appends: how many at once', () => {
  test('to one stream one at a time and in order, over several calls', async () => {
    const { double, store } = await bench({ timings: PATIENT }, { longestDeadline: HUNG });
    const release = double.faults.holdAppends();
    const first = store.append([appendOf('s')]);
    const second = store.append([appendOf('s', 0)]);
    await waitUntil(() => double.received.length === 1);
    await store.ping();
    expect(double.received).toHaveLength(1);
    release();
    expect((await Promise.all([first, second])).flat().map(({ kind }) => kind)).toEqual([
      'appended',
      'appended',
    ]);
  });

  const many = (name: string, count: number) =>
    Array.from({ length: count }, (_, number) => appendOf(`${name}-${number}`));

  test('of one call half of the bound, of several calls the bound, and then in turns', async () => {
    const { double, store } = await bench({ concurrency: 4, timings: PATIENT }, { longestDeadline: HUNG });
    const release = double.faults.holdAppends();
    const pending = [store.append(many('a', 10))];
    await waitUntil(() => double.received.length === 2);
    await store.ping();
    expect(double.received).toHaveLength(2);
    pending.push(store.append(many('b', 10)), store.append(many('c', 1)));
    await waitUntil(() => double.received.length === 4);
    await store.ping();
    expect(double.received).toHaveLength(4);
    release();
    await Promise.all(pending);
    expect(double.received.map(({ stream }) => stream[0]).indexOf('c')).toBeLessThan(8);
  });

  test('a bulk of 500 is under way before its first answer', async () => {
    const { double, store } = await bench({ timings: PATIENT }, { longestDeadline: HUNG });
    const release = double.faults.holdAppends();
    const pending = store.append(many('a', 500));
    await waitUntil(() => double.received.length === 500);
    release();
    expect(await pending).toHaveLength(500);
  });

  test('512 over 32 streams of messages: where one of them ends, every append is settled, 32 at once', async () => {
    // Without keep-alive nothing but the end of that one stream tells the others.
    const lasting = ['keepAliveInterval=-1'];
    const { double, store } = await bench({ timings: PATIENT }, { longestDeadline: HUNG }, lasting);
    let reading = 0;
    let mostReading = 0;
    const stream = Reflect.get<ClientReads, 'stream'>(ClientReads.prototype, 'stream');
    jest.spyOn(ClientReads.prototype, 'stream').mockImplementation(async function (this: ClientReads, ...of) {
      mostReading = Math.max(mostReading, (reading += 1));
      return stream.apply(this, of).finally(() => (reading -= 1));
    });
    double.faults.loseAnswers = 512;
    const appends = [many('a', 256), many('b', 256)];
    const pending = appends.map((one) => store.append(one));
    await waitUntil(() => double.userEvents.length === 512);
    expect(double.appendCallCount).toBe(32);
    double.dropAppendCall();
    const outcomes = (await Promise.all(pending)).flat();
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'appended'));
    for (const append of appends.flat()) expect(idsIn(double, append.stream)).toEqual(idsOf(append));
    expect(mostReading).toBe(32);
    await store.close();
    await waitUntil(() => double.appendCallCount === 0);
  });
});

describe('appends: a server that answers oddly', () => {
  test('twice, or an append that nobody made: the first answer counts, and the store goes on', async () => {
    const { double, store } = await bench();
    double.faults.answerTwice = 2;
    expect(await store.append([appendOf('s'), appendOf('t')])).toMatchObject([
      { kind: 'appended', stream: 's' },
      { kind: 'appended', stream: 't' },
    ]);
    expect(await store.append([appendOf('s', 0)])).toMatchObject([{ kind: 'appended', revision: 1 }]);
  });

  test('an append that is none twice, and the second time late: the client goes on over the same call', async () => {
    const double = await startDouble();
    const { settings, channel, credentials } = readConnection(double.url());
    const client = new BatchClient(settings, channel, credentials);
    const bytes = Buffer.from('{}');
    const untyped = { ...sampleEvent(), type: '', dataBytes: bytes, metadataBytes: bytes };
    const malformed = { ...appendOf('s'), events: [untyped] };
    expect(await client.append(malformed, Date.now() + 50)).toEqual({
      kind: 'unknown',
      reason: 'BadRequest',
    });
    await waitUntil(() => double.timeouts === 1);
    // Calls take turns, so one of these goes over the call that was answered twice.
    for (const append of checkAppends(Array.from({ length: 32 }, (_, number) => appendOf(`s-${number}`)))) {
      const attempt = await client.append(append, Date.now() + HUNG);
      expect(attempt).toMatchObject({ kind: 'acknowledged' });
    }
    expect(double.appendCallCount).toBe(32);
    await client.dispose();
  });

  test('ends the call as if all were well: the next append goes over another one', async () => {
    const { double, store } = await bench();
    await store.append([appendOf('s')]);
    double.finishAppendCalls();
    await waitUntil(() => double.appendCallCount === 0);
    expect(await store.append([appendOf('s', 0)])).toMatchObject([{ kind: 'appended', revision: 1 }]);
  });

  test('an append of more than one message arrives whole', async () => {
    const { double, store } = await bench({ timings: PATIENT }, { longestDeadline: HUNG });
    const metadata = { text: 'x'.repeat(800_000) };
    const events = [1, 2, 3, 4, 5].map(() => ({ ...sampleEvent(), metadata }));
    await store.append([{ stream: 's', expected: 'no_stream', events }]);
    expect(idsIn(double, 's')).toEqual(events.map(({ id }) => id));
    expect(double.messages).toBe(2);
  });
});

/** The last of the kinds of {@link fault}. Each waits for keep-alive, and more than some show no more. */
const FREEZE = 3;
const MOST_FREEZES = 2;

describe('appends under faults in an order drawn from a seed', () => {
  test.each([1, 2, 3])(
    'seed %i: acknowledged appends are there, each once, and revisions have no gaps',
    async (seed) => {
      const double = await startDouble();
      const clock = new ManualClock();
      const time = new PassingTime(clock, double);
      const { store } = storeOn(double.url(...QUICK_KEEP_ALIVE), { clock, timings: UNENDING });
      const random = seeded(seed);
      const acknowledged = new Map<string, string>();
      let writing = 8;
      let freezes = 0;
      const write = async (stream: string): Promise<void> => {
        let expected: ExpectedRevision = 'no_stream';
        for (let number = 0; number < 25; number += 1) {
          const append = appendOf(stream, expected);
          const [outcome]: AppendOutcome[] = await store.append([append]);
          if (outcome?.kind !== 'appended') throw new Error('Nobody else writes to this stream.');
          acknowledged.set(append.events[0]!.id, `${stream}@${outcome.revision}@${outcome.position}`);
          expected = outcome.revision;
        }
        writing -= 1;
      };
      const writers = Promise.all(Array.from({ length: 8 }, (_, number) => write(`s-${number}`)));
      while (writing > 0) {
        const kind = random(freezes < MOST_FREEZES ? 4 : FREEZE);
        if (kind === FREEZE) freezes += 1;
        await fault(double, time, kind);
        const seen = acknowledged.size;
        await time.until(() => writing === 0 || acknowledged.size > seen + 5);
      }
      await writers;
      const stored = double.userEvents.map(({ id, stream, revision, position }) => [
        id,
        `${stream}@${revision}@${position}`,
      ]);
      expect(new Map(stored as [string, string][])).toEqual(acknowledged);
      expect(stored).toHaveLength(200);
    },
  );
});

async function fault(double: EventStoreDbDouble, time: PassingTime, kind: number): Promise<void> {
  if (kind === 0) {
    double.faults.loseAnswers = 3;
  } else if (kind === 1) {
    await double.kill();
    await double.restart();
  } else if (kind === 2) {
    double.faults.killAfterStoring = 3;
    const killed = double.killed;
    await time.until(() => double.killed > killed || double.userEvents.length >= 199);
    double.faults.killAfterStoring = 0;
    if (double.killed > killed) await double.restart();
  } else {
    double.freeze();
    const { connections } = double;
    await time.until(() => double.connections > connections);
    double.thaw();
  }
}

/** A small generator of its own (mulberry32), so that a failing run can be repeated from its seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
