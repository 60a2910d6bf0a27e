import { waitUntil } from '../support/wait-until.js';
import { ManualClock } from '../support/manual-clock.js';
import { MemoryRecords, storeIsDown } from './support/memory-records.js';
import { GOOD_BODY, testApplications } from './support/test-application.js';
import type { TestApplication } from './support/test-application.js';

const start = testApplications();

/** Holds the handler up until the returned function is called. */
function holdUp(app: TestApplication): () => void {
  let release: () => void = () => undefined;
  app.work.gate = new Promise((resolve) => (release = resolve));
  return release;
}

/** Moves the clock on in small steps until something has settled. */
async function passTimeUntil(clock: ManualClock, settling: Promise<unknown>): Promise<void> {
  let settled = false;
  void settling.finally(() => (settled = true));
  await waitUntil(() => {
    clock.advance(20);
    return settled;
  });
}

const reused = {
  code: 'idempotency_key_reused',
  message: 'Idempotency-Key reused with a different request.',
  hint: expect.stringContaining('Take a fresh key'),
};

describe('a repeated key', () => {
  it('gets the first answer byte for byte and runs nothing', async () => {
    const app = await start();
    const first = await app.put('k1');
    const second = await app.put('k1');
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(second.text).toBe(first.text);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(app.work.runs).toHaveLength(1);
  });

  it('is case-sensitive', async () => {
    const app = await start();
    await app.put('Key');
    expect((await app.put('key')).headers['idempotency-replayed']).toBeUndefined();
  });

  it('stays unused when the body is no object', async () => {
    const app = await start();
    expect((await app.put('k1', [GOOD_BODY])).status).toBe(400);
    const good = await app.put('k1');
    expect([good.status, good.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });
});

describe('the key itself', () => {
  it('may have 255 characters, of any script', async () => {
    const app = await start();
    expect((await app.put('x'.repeat(255))).status).toBe(201);
    // Without a body, because Node writes a header that goes out with one in UTF-8 itself.
    const remove = (key: string) =>
      app.client
        .delete('/api/v2/things/u1')
        .set('Authorization', 'Bearer token-a')
        .set('Idempotency-Key', Buffer.from(key, 'utf8').toString('latin1'));
    expect((await remove('ü'.repeat(255))).status).toBe(200);
    expect((await remove('ü'.repeat(256))).status).toBe(422);
  });

  it('is refused in a dry run if the write would refuse it', async () => {
    const app = await start();
    const dryRun = (key: string) =>
      app.client
        .delete('/api/v2/things/u1?dry_run=true')
        .set('Authorization', 'Bearer token-a')
        .set('Idempotency-Key', key);
    expect((await dryRun('k'.repeat(256))).body.errors).toEqual({
      idempotency_key: ['The idempotency key field must be between 1 and 255 characters.'],
    });
  });
});

describe('requests at once', () => {
  it('with another body under its key are refused while the first runs', async () => {
    const app = await start();
    const release = holdUp(app);
    const first = app.put('k1').then((answer) => answer);
    await waitUntil(() => app.work.runs.length > 0);
    expect((await app.put('k1', { ...GOOD_BODY, pms_tenant_id: 'T2' })).body).toEqual(reused);
    release();
    expect((await first).status).toBe(201);
  });

  it('under one key give up after 30 s with 503', async () => {
    const clock = new ManualClock();
    const app = await start({ clock });
    const release = holdUp(app);
    const first = app.put('k1').then((answer) => answer);
    await waitUntil(() => app.work.runs.length > 0);
    const timers = clock.pending;
    const second = app.put('k1').then((answer) => answer);
    await waitUntil(() => clock.pending > timers);
    clock.advance(30_000);
    const late = await second;
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1']);
    // The first one has been told before, and what it did is found by whoever asks again.
    expect((await first).body).toMatchObject({ code: 'store_unavailable' });
    release();
    expect((await app.put('k1')).status).toBe(201);
  });

  it('under one key wait for another process as long as it renews its lease', async () => {
    const clock = new ManualClock();
    const records = new MemoryRecords(clock);
    const [one, two] = [await start({ clock, records }), await start({ clock, records })];
    const release = holdUp(one);
    const first = one.put('k1').then((answer) => answer);
    await waitUntil(() => one.work.runs.length > 0);
    for (let second = 0; second < 40; second += 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const waiting = two.put('k1').then((answer) => answer);
    // The renewal, the pause of the one that waits, and its deadline.
    await waitUntil(() => clock.pending >= 3);
    expect((await first).status).toBe(503);
    release();
    await passTimeUntil(clock, waiting);
    expect((await waiting).text).toBe((await one.put('k1')).text);
    expect([one.work.runs.length, two.work.runs.length]).toEqual([1, 0]);
    await waitUntil(() => clock.pending === 0);
  });
});

describe('an attempt that was cut off', () => {
  const abandoned = (records: MemoryRecords, clock: ManualClock, owner = 'gone') => {
    const [id] = [...records.documents.keys()];
    const record = records.documents.get(id ?? '') as object;
    records.documents.set(id ?? '', {
      ...record,
      _id: id ?? '',
      answer: null,
      owner,
      lease_until: clock.now() + 30_000,
    } as never);
  };

  it('is taken over under its command id once its lease has run out', async () => {
    const clock = new ManualClock();
    const records = new MemoryRecords(clock);
    const app = await start({ clock, records });
    await app.put('k1');
    abandoned(records, clock);
    clock.advance(30_000);
    const answer = await app.put('k1');
    expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
    const [first, second] = app.work.runs;
    expect([first?.recovering, second?.recovering]).toEqual([false, true]);
    expect(second?.command_id).toBe(first?.command_id);
    expect((await app.put('k1')).text).toBe(answer.text);
  });

  it('is taken over at once when no other process can be running', async () => {
    const clock = new ManualClock();
    const records = new MemoryRecords(clock);
    const app = await start({
      clock,
      records,
      embedded: true,
    });
    await app.put('k1');
    abandoned(records, clock);
    expect((await app.put('k1')).status).toBe(201);
    expect(app.work.runs.map(({ recovering }) => recovering)).toEqual([false, true]);
  });

  it('is taken over by one of two that try', async () => {
    const clock = new ManualClock();
    const records = new MemoryRecords(clock);
    const [one, two] = [await start({ clock, records }), await start({ clock, records })];
    await one.put('k1');
    one.work.runs.length = 0;
    abandoned(records, clock);
    clock.advance(30_000);
    const calls = [one, two].map((app) => app.put('k1').then((answer) => answer));
    const answers = Promise.all(calls);
    await passTimeUntil(clock, answers);
    expect(new Set((await answers).map(({ text }) => text)).size).toBe(1);
    expect(one.work.runs.length + two.work.runs.length).toBe(1);
  });

  it('is run again at once after a 5xx, as a recovery that asks the log first', async () => {
    const app = await start();
    app.work.failure = storeIsDown();
    const failed = await app.put('k1');
    expect([failed.status, failed.headers['retry-after']]).toEqual([503, '1']);
    app.work.failure = undefined;
    const answer = await app.put('k1');
    expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(app.work.runs.map(({ recovering }) => recovering)).toEqual([false, true]);
    expect(app.work.runs[1]?.command_id).toBe(app.work.runs[0]?.command_id);
  });

  it('keeps the key bound to its request after a 5xx', async () => {
    const app = await start();
    app.work.failure = new Error('bug');
    expect((await app.put('k1')).status).toBe(500);
    app.work.failure = undefined;
    expect((await app.put('k1', { ...GOOD_BODY, pms_tenant_id: 'T2' })).body).toEqual(reused);
  });

  it('answers 503 when its answer could not be kept, and the retry recovers it', async () => {
    const app = await start();
    const records = app.records as MemoryRecords;
    records.fault = (write) => (write.kind === 'compare_and_set' ? storeIsDown() : undefined);
    const failed = await app.put('k1');
    expect([failed.status, failed.body]).toEqual([
      503,
      { code: 'store_unavailable', message: 'Service unavailable.' },
    ]);
    records.fault = () => undefined;
    expect((await app.put('k1')).status).toBe(201);
    expect(app.work.runs.map(({ recovering }) => recovering)).toEqual([false, true]);
  });

  it('runs nothing when its reservation could not be stored', async () => {
    const app = await start();
    (app.records as MemoryRecords).fault = () => storeIsDown();
    expect((await app.put('k1')).status).toBe(503);
    expect(app.work.runs).toHaveLength(0);
    (app.records as MemoryRecords).fault = () => undefined;
    expect((await app.put('k1')).status).toBe(201);
    expect(app.work.runs.map(({ recovering }) => recovering)).toEqual([false]);
  });

  it('sends the answer of another process that was first', async () => {
    const clock = new ManualClock();
    const records = new MemoryRecords(clock);
    const app = await start({ clock, records });
    const release = holdUp(app);
    const call = app.put('k1').then((answer) => answer);
    await waitUntil(() => app.work.runs.length > 0);
    const [id] = [...records.documents.keys()];
    records.documents.set(id ?? '', {
      ...(records.documents.get(id ?? '') as object),
      _id: id ?? '',
      version: 7,
      answer: {
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: '{"message":"other"}',
      },
    } as never);
    release();
    const answer = await call;
    expect([answer.status, answer.body]).toEqual([200, { message: 'other' }]);
  });
});

describe('a request under a key', () => {
  it('reserves before the handler runs and keeps the answer before it is sent', async () => {
    const app = await start();
    await app.put('k1');
    const { writes } = app.records as MemoryRecords;
    expect(writes.map(({ kind }) => kind)).toEqual(['insert', 'compare_and_set']);
  });

  it('writes nothing for a request without a key', async () => {
    const app = await start();
    await app.put();
    expect((app.records as MemoryRecords).writes).toEqual([]);
  });

  it('keeps neither the key nor the credential', async () => {
    const app = await start();
    await app.put('a-very-secret-key');
    const stored = JSON.stringify([...(app.records as MemoryRecords).documents.values()]);
    expect(stored).not.toContain('a-very-secret-key');
    expect(stored).not.toContain('token-a');
  });

  it('is done once on a route without a rate limit, too', async () => {
    const app = await start();
    const remove = () =>
      app.client
        .delete('/api/v2/things/u1')
        .set('Authorization', 'Bearer token-a')
        .set('Idempotency-Key', 'k1');
    const first = await remove();
    const second = await remove();
    expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  });
});

describe('quota', () => {
  it('that is used up leaves the key unused', async () => {
    const app = await start({ environment: { RATE_LIMIT_PMS_WRITES: '1' } });
    await app.put('k1');
    expect((await app.put('k2')).status).toBe(429);
    expect((app.records as MemoryRecords).documents.size).toBe(1);
    expect((await app.put('k1')).status).toBe(201);
  });
});
