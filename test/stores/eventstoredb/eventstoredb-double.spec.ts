import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';
import { closeBenches, startDouble } from './fixture.js';

let double: EventStoreDbDouble;
let client: EventStoreDBClient;

async function start(longestDeadline: number): Promise<void> {
  double = await startDouble({ longestDeadline });
  client = EventStoreDBClient.connectionString(double.url());
}
afterEach(async () => {
  await client.dispose();
  await closeBenches();
});

const append = (id: string, deadline?: number) =>
  client.appendToStream('s', jsonEvent({ id, type: 'SampleHappened', data: {} }), {
    expectedRevision: NO_STREAM,
    ...(deadline !== undefined && { deadline }),
  });
const outcomeOf = (appended: ReturnType<typeof append>) =>
  appended.then(
    () => 'stored',
    (error: { type: string }) => error.type,
  );

/** What eventstoredb-facts.ts asks no server for: it takes the faults of the double. */
describe('the double', () => {
  test('drops an identical append in flight, caps its deadline, and takes a later retry', async () => {
    await start(200);
    const id = randomUUID();
    const release = double.faults.holdAppends();
    const first = outcomeOf(append(id));
    await waitUntil(() => double.received.length === 1);
    const second = outcomeOf(append(id, 60_000));
    expect([await first, await second]).toEqual(['deadline-exceeded', 'deadline-exceeded']);
    release();
    expect((await append(id)).nextExpectedRevision).toBe(0n);
    expect(double.userEvents).toHaveLength(1);
  });

  test('hides events that the metadata of their stream call too many or too old, and goes on counting', async () => {
    await start(HUNG);
    const revisions = async () => {
      const found: number[] = [];
      for await (const { event } of client.readStream('s')) found.push(Number(event!.revision));
      return found;
    };
    const ids = [1, 2, 3].map(() => randomUUID());
    const events = ids.map((id) => jsonEvent({ id, type: 'SampleHappened', data: {} }));
    await client.appendToStream('s', events, { expectedRevision: NO_STREAM });
    await client.setStreamMetadata('s', { truncateBefore: 1 });
    expect(await revisions()).toEqual([1, 2]);
    await client.setStreamMetadata('s', { maxAge: 60 });
    expect(await revisions()).toEqual([0, 1, 2]);
    double.log.now = () => Date.now() + 3_600_000;
    expect(await revisions()).toEqual([]);
    expect(await outcomeOf(append(randomUUID()))).toBe('wrong-expected-version');
    await client.appendToStream('s', jsonEvent({ type: 'SampleHappened', data: {} }), {
      expectedRevision: 2n,
    });
    expect(await revisions()).toEqual([3]);
  });

  test('honours a shorter deadline, and stores the append all the same', async () => {
    await start(HUNG);
    const release = double.faults.holdAppends();
    expect(await outcomeOf(append(randomUUID(), 20))).toBe('deadline-exceeded');
    release();
    await waitUntil(() => double.userEvents.length === 1);
  });
});
