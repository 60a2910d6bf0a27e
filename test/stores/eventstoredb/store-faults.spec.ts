import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import { StreamDeletedError } from '#eventsourcing/log/event-store.errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { installClientRejectionHandler, waitUntilReachable } from '#stores/eventstoredb/index.js';
import { expectRejection } from '../../eventsourcing/contract/contract-case.js';
import { appendOf } from '../../eventsourcing/contract/event-store.samples.js';
import { ManualClock } from '../../support/manual-clock.js';
import { waitUntil } from '../../support/wait-until.js';
import {
  bench,
  closeBenches,
  QUICK,
  SILENCE,
  silenceKeepAliveAdvice,
  startDouble,
  storeOn,
  whileTimePasses,
} from './fixture.js';

beforeEach(() => silenceKeepAliveAdvice());

afterEach(async () => {
  await closeBenches();
  jest.restoreAllMocks();
});

describe('reads', () => {
  test('tried again while the server is unavailable, and after a restart', async () => {
    const { double, store } = await bench();
    await store.append([appendOf('s', 'no_stream', 3)]);
    double.faults.unavailable = 2;
    expect(await store.readStream('s')).toHaveLength(3);
    await double.kill();
    const pending = store.readAll({ limit: 10 });
    await double.restart();
    expect(await pending).toHaveLength(3);
  });

  test('a silent server: unavailable by the own deadline, and the process lives', async () => {
    const clock = new ManualClock();
    const { double, store } = await bench({ clock });
    await store.ping();
    double.freeze();
    const reads = [() => store.readStream('s'), () => store.readAll({ limit: 1 })];
    for (const read of reads) {
      await expectRejection(
        whileTimePasses(clock, read(), SILENCE),
        (error) => error instanceof StoreUnavailableError,
      );
    }
    double.thaw();
  });

  test('a soft-deleted stream is empty', async () => {
    const { double, store } = await bench();
    await store.append([appendOf('s')]);
    double.log.softDelete('s');
    expect(await store.readStream('s')).toEqual([]);
  });

  test('a tombstoned stream is refused without a second try', async () => {
    const { double, store } = await bench();
    double.log.tombstone('s');
    await expectRejection(store.readStream('s'), (error) => error instanceof StreamDeletedError);
  });

  test('on a lagging follower an acknowledged append is read from the leader', async () => {
    const leader = await startDouble();
    const follower = await startDouble({ leader });
    const { store } = storeOn(follower.url());
    await store.append([appendOf('s')]);
    expect(await store.readStream('s')).toHaveLength(1);
  });

  test('backwards from a revision is inclusive, from the head without one, and bounded by the limit', async () => {
    const { store } = await bench();
    await store.append([appendOf('s', 'no_stream', 5)]);
    const back = async (from?: number) =>
      (
        await store.readStream('s', { backwards: true, limit: 2, ...(from === undefined ? {} : { from }) })
      ).map(({ revision }) => revision);
    expect([await back(), await back(3), await back(99)]).toEqual([
      [4, 3],
      [3, 2],
      [4, 3],
    ]);
    expect(await store.readStream('s', { limit: 0 })).toEqual([]);
  });

  test("all, over many pages and the server's own events: none missing, none twice", async () => {
    const { double, store } = await bench();
    await store.append(Array.from({ length: 30 }, (_, number) => appendOf(`s-${number}`, 'no_stream', 5)));
    const seen: string[] = [];
    let after: bigint | undefined;
    for (;;) {
      const page = await store.readAll({ limit: 13, ...(after === undefined ? {} : { after }) });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
      after = page.at(-1)!.position;
    }
    expect(seen).toEqual(double.userEvents.map(({ id }) => id));
  });

  test('a page that holds nothing but events of the server is read past', async () => {
    const { double, store } = await bench();
    await store.append([appendOf('s')]);
    const data = Buffer.from('{}');
    for (let number = 0; number < 200; number += 1) {
      double.log.append('$noise', 'any', [
        { id: randomUUID(), type: '$noise', contentType: 'application/json', data, metadata: data },
      ]);
    }
    await store.append([appendOf('t')]);
    expect((await store.readAll({ limit: 2 })).map(({ stream }) => stream)).toEqual(['s', 't']);
  });

  test("a look that ends at the server's own events does not go beyond the head", async () => {
    const { double, store } = await bench();
    await store.append([appendOf('s')]);
    const data = Buffer.from('{}');
    double.log.append('$noise', 'any', [
      { id: randomUUID(), type: '$noise', contentType: 'application/json', data, metadata: data },
    ]);
    let end = 0n;
    await store.readAll({ limit: 9, scan: { atMost: 9, upTo: (position) => (end = position) } });
    expect(end).toBeGreaterThan(double.userEvents.at(-1)!.position);
    expect(await store.head()).toBe(end);
  });
});

describe('ping and start', () => {
  test('ping fails by its own deadline on a silent server', async () => {
    const clock = new ManualClock();
    const { double, store } = await bench({ clock });
    await store.ping();
    double.freeze();
    await expectRejection(
      whileTimePasses(clock, store.ping(), SILENCE),
      (error) => error instanceof StoreUnavailableError,
    );
    double.thaw();
  });

  test('waiting for the server ends once it answers', async () => {
    const { double, store } = await bench();
    await double.kill();
    const waiting = waitUntilReachable(store);
    await double.restart();
    await expect(waiting).resolves.toBeUndefined();
  });

  test('a server that does not come is one clear line, with its host and without the password', async () => {
    const double = await startDouble();
    await double.kill();
    const clock = new ManualClock();
    const { store } = storeOn(`esdb://admin:secret@127.0.0.1:${double.port}?tls=false`);
    const waiting = whileTimePasses(clock, waitUntilReachable(store, clock));
    await expect(waiting).rejects.toThrow(
      /^EVENTSTORE_URL: no answer from 127\.0\.0\.1:\d+ within 30 s \((?!.*secret).*\)\. Start the server, .*$/,
    );
  });

  test('esdb+discover: used long before the server answers, it still works from then on', async () => {
    const double = await startDouble();
    await double.kill();
    const url = double.url('discoveryInterval=2', 'maxDiscoverAttempts=3').replace('esdb:', 'esdb+discover:');
    const clock = new ManualClock();
    const { store } = storeOn(url, { clock });
    const calls: (() => Promise<unknown>)[] = [() => store.append([appendOf('early')]), () => store.ping()];
    for (const call of calls)
      await expectRejection(
        whileTimePasses(clock, call()),
        (error) => error instanceof StoreUnavailableError,
      );
    await double.restart();
    await waitUntilReachable(store);
    expect(await store.append([appendOf('s')])).toMatchObject([{ kind: 'appended' }]);
  });

  test('esdb+discover: the cluster away in mid-life for longer than its attempts', async () => {
    const double = await startDouble();
    const url = double.url('discoveryInterval=2', 'maxDiscoverAttempts=3').replace('esdb:', 'esdb+discover:');
    const clock = new ManualClock();
    const { store } = storeOn(url, { clock });
    await store.append([appendOf('s')]);
    await double.kill();
    const away = whileTimePasses(clock, store.append([appendOf('s', 0)]));
    await expectRejection(away, (error) => error instanceof StoreUnavailableError);
    await double.restart();
    await waitUntilReachable(store);
    expect(await store.append([appendOf('t')])).toMatchObject([{ kind: 'appended' }]);
  });
});

describe('close', () => {
  test('finishes the appends in flight before it lets go of the client', async () => {
    const { double, store } = await bench();
    const release = double.faults.holdAppends();
    const pending = store.append([appendOf('s')]);
    await waitUntil(() => double.received.length === 1);
    const closing = store.close();
    release();
    await closing;
    expect(await pending).toMatchObject([{ kind: 'appended' }]);
  });

  test('on a silent server it ends by the deadlines, and the append in flight is unknown', async () => {
    const clock = new ManualClock();
    const { double, store } = await bench({ clock });
    await store.append([appendOf('warm')]);
    double.freeze();
    const pending = store.append([appendOf('s')]).catch((error: unknown) => error);
    await whileTimePasses(clock, store.close(), SILENCE);
    expect(await pending).toMatchObject({ code: 'store_unavailable', outcomeUnknown: true });
    double.thaw();
  });

  test('lets calls go that still wait for a server that is gone', async () => {
    const clock = new ManualClock();
    const timings = { ...QUICK, closeDeadline: 1_000 };
    const { double, store } = await bench({ clock, timings });
    await store.append([appendOf('warm')]);
    await double.kill();
    const calls = [store.append([appendOf('s')]), store.readStream('s'), store.head()];
    const ends = Promise.allSettled(calls);
    const begunAt = clock.now();
    await whileTimePasses(clock, store.close(), 50);
    expect(clock.now() - begunAt).toBeLessThanOrEqual(timings.closeDeadline + timings.disposeDeadline);
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('does not wait at all for a server that has been gone for some time', async () => {
    const clock = new ManualClock();
    const timings = { ...QUICK, closeDeadline: 1_000 };
    const { double, store } = await bench({ clock, timings });
    await store.append([appendOf('warm')]);
    await double.kill();
    const end = store.append([appendOf('s')]).catch((error: unknown) => error);
    await waitUntil(() => store.awaySince() !== undefined);
    clock.advance(timings.closeDeadline);
    const begunAt = clock.now();
    await whileTimePasses(clock, store.close(), 50);
    expect(clock.now() - begunAt).toBeLessThanOrEqual(timings.disposeDeadline);
    expect(await end).toMatchObject({ code: 'store_unavailable', outcomeUnknown: true });
  });

  test('a closed store takes no subscription', async () => {
    const { store } = await bench();
    await store.close();
    expect(() => store.subscribe(undefined, { handle: () => Promise.resolve() })).toThrow('closed');
  });
});

describe('what the client lets escape', () => {
  function handler() {
    const events = new EventEmitter();
    const log: string[] = [];
    const remove = installClientRejectionHandler((line) => log.push(line), events);
    return { events, log, remove };
  }

  test('hundreds of rejections of a broken connection are one line and nothing more', () => {
    const { events, log, remove } = handler();
    const reset = Object.assign(new Error('14 UNAVAILABLE: read ECONNRESET'), {
      code: 14,
      details: 'read ECONNRESET',
    });
    for (let times = 0; times < 300; times += 1) events.emit('unhandledRejection', reset);
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('ECONNRESET');
    remove();
    expect(events.eventNames()).toEqual([]);
  });

  test('anything else that nobody caught stays what it was', () => {
    const { events, log, remove } = handler();
    const others = [new TypeError('a bug'), Object.assign(new Error('disk'), { code: 14 })];
    for (const other of others) expect(() => events.emit('unhandledRejection', other)).toThrow(other);
    expect(log).toEqual([]);
    remove();
  });
});
