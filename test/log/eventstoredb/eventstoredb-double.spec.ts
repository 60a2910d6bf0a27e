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

  test('honours a shorter deadline, and stores the append all the same', async () => {
    await start(HUNG);
    const release = double.faults.holdAppends();
    expect(await outcomeOf(append(randomUUID(), 20))).toBe('deadline-exceeded');
    release();
    await waitUntil(() => double.userEvents.length === 1);
  });
});
