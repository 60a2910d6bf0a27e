/**
 * Runs in a process of its own (see client-process.spec.ts), because what it provokes could end the process: rejections
 * that nobody holds, and exceptions from inside the client. Prints one line of JSON.
 */
import { randomUUID } from 'node:crypto';
import type { StreamAppend } from '#eventsourcing/log/event-store.js';
import { EventStoreDbEventStore, installClientRejectionHandler } from '#stores/eventstoredb/index.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';

/** Milliseconds. How long a busy machine takes is not what is asked here. */
const PATIENCE = 90_000;
const TIMINGS = {
  appendAttempt: PATIENCE / 6,
  appendDeadline: PATIENCE,
  readDeadline: PATIENCE,
  backOff: { first: 5, longest: 50 },
};
const [mode, leaders] = process.argv.slice(2);
const log: string[] = [];

function appendTo(stream: string, text = ''): StreamAppend {
  const events = [{ id: randomUUID(), type: 'SampleHappened', data: { text }, metadata: {} }];
  return { stream, expected: 'no_stream', events };
}

/** Resolves once `isDone` holds; the process' own patience ends the test. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
}

/** Kills the server under a bulk, so that the client drops all its pending calls at once. */
async function killUnderLoad() {
  const double = await EventStoreDbDouble.start();
  const store = new EventStoreDbEventStore({ url: double.url(), concurrency: 1_000, timings: TIMINGS });
  double.faults.killAfterStoring = 50;
  const text = 'x'.repeat(20_000);
  const pending = store.append(Array.from({ length: 200 }, (_, number) => appendTo(`s-${number}`, text)));
  await until(() => double.killed > 0);
  await double.restart();
  const outcomes = await pending;
  await store.close();
  await double.close();
  return { outcomes, stored: double.userEvents };
}

/**
 * Two nodes, of which now one and now the other leads. A leader that goes reports the end of its connection only after
 * the next one has appends in flight.
 */
async function killLeaders() {
  let leader = await EventStoreDbDouble.start({ longestDeadline: PATIENCE });
  let next = await EventStoreDbDouble.start({ longestDeadline: PATIENCE, leader });
  const hosts = `127.0.0.1:${leader.port},127.0.0.1:${next.port}`;
  const url = `esdb://${hosts}?tls=false&discoveryInterval=5`;
  const store = new EventStoreDbEventStore({ url, timings: TIMINGS });
  await store.append([appendTo('warm')]);
  const outcomes: unknown[] = [];
  for (let round = 0; round < Number(leaders); round += 1) {
    const streams = (part: string) => [1, 2, 3].map((number) => appendTo(`${part}-${round}-${number}`));
    const arrived = (node: EventStoreDbDouble, part: string) =>
      node.received.filter(({ stream }) => stream.startsWith(`${part}-${round}-`)).length >= 3;
    leader.faults.holdAppends();
    const before = store.append(streams('before'));
    await until(() => arrived(leader, 'before'));
    leader.follow(next);
    // Told that another one leads, the client turns to that, and leaves what it has sent where it is.
    await store.readAll({ limit: 1 });
    const release = next.faults.holdAppends();
    const after = store.append(streams('after'));
    await until(() => arrived(next, 'after'));
    await leader.kill();
    release();
    outcomes.push(...(await before), ...(await after));
    leader.faults.stopHolding();
    await leader.restart();
    [leader, next] = [next, leader];
  }
  await store.close();
  await Promise.all([leader.close(), next.close()]);
  return { outcomes, stored: leader.userEvents.filter(({ stream }) => stream !== 'warm') };
}

installClientRejectionHandler((line) => log.push(line));
void (mode === 'leaders' ? killLeaders() : killUnderLoad()).then(({ outcomes, stored }) => {
  const appended = outcomes.filter((outcome) => (outcome as { kind: string }).kind === 'appended').length;
  const distinct = new Set(stored.map(({ stream }) => stream)).size;
  process.stdout.write(`${JSON.stringify({ appended, stored: stored.length, distinct, log: log.length })}\n`);
});
