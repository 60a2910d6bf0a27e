import http2 from 'node:http2';
import { randomUUID } from 'node:crypto';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { HUNG } from '../../support/wait-until.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';

/** Let it be much more than what a bulk takes beside the log. */
const ROUND_TRIP_MS = Number(process.argv[2] ?? 2_000);
const STREAMS = 500;
const RUNS = 3;
const PATIENT = { appendAttempt: HUNG, appendDeadline: HUNG, readDeadline: HUNG, readSilence: HUNG };
/** What a real server takes ahead on a connection (Kestrel of .NET 8). Node's default is 64 KiB. */
const SERVER_WINDOW_BYTES = 1_048_576;

/** As large as those of a unit. */
function someEvents(count: number) {
  const metadata = { text: 'm'.repeat(450) };
  const data = { text: 'd'.repeat(100) };
  return Array.from({ length: count }, () => ({ id: randomUUID(), type: 'Happened', data, metadata }));
}

async function main(): Promise<void> {
  const { createServer } = http2;
  http2.createServer = ((...parameters: Parameters<typeof createServer>) => {
    const server = createServer(...parameters);
    server.on('session', (session) => session.setLocalWindowSize(SERVER_WINDOW_BYTES));
    return server;
  }) as typeof createServer;
  const double = await EventStoreDbDouble.start({ longestDeadline: HUNG });
  const store = new EventStoreDbEventStore({ url: double.url(), timings: PATIENT });
  let seen = 0;
  const subscription = store.subscribe(undefined, {
    handle: (events) => {
      seen += events.length;
      return Promise.resolve();
    },
  });
  await store.head();
  for (const events of [1, 3]) {
    const bulk = () =>
      store.append(
        Array.from({ length: STREAMS }, () => {
          return {
            stream: `unit-${randomUUID()}`,
            expected: 'no_stream' as const,
            events: someEvents(events),
          };
        }),
      );
    double.delay(0);
    const near = await shortestOf(bulk);
    double.delay(ROUND_TRIP_MS / 2);
    const far = await shortestOf(bulk);
    const trips = ((far - near) / ROUND_TRIP_MS).toFixed(1);
    console.log(
      `${STREAMS} appends of ${events}: ${Math.round(near)} ms beside the log, ${Math.round(far)} ms from ${ROUND_TRIP_MS} ms away: ${trips} round trips`,
    );
  }
  console.log(`Meanwhile a subscription was sent ${seen} events.`);
  await subscription.stop();
  await store.close();
  await double.close();
}

/** In milliseconds. The first run, which connects, does not count. */
async function shortestOf(run: () => Promise<unknown>): Promise<number> {
  let shortest = Infinity;
  for (let turn = 0; turn <= RUNS; turn += 1) {
    const began = performance.now();
    await run();
    if (turn > 0) shortest = Math.min(shortest, performance.now() - began);
  }
  return shortest;
}

void main();
