/**
 * Runs in a process of its own (see client-process.spec.ts), because what it provokes ends the process: rejections
 * that nobody holds, and an exception from inside the client. Prints one line of JSON.
 */
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import {
  EventStoreDbEventStore,
  installClientRejectionHandler,
  isWedgedClientError,
} from '../../../src/log/eventstoredb/index.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';

const WEDGED_EXIT_CODE = 70;
/** Milliseconds. */
const PATIENCE = 90_000;
const log: string[] = [];

function report(result: object): void {
  process.stdout.write(`${JSON.stringify({ ...result, log: log.length })}\n`);
}

function fatal(error: unknown): never {
  report({ fatal: String(error), wedged: isWedgedClientError(error) });
  process.exit(WEDGED_EXIT_CODE);
}

/** Kills the server under a bulk, so that the client drops all its pending calls at once. */
async function killUnderLoad(): Promise<void> {
  const double = await EventStoreDbDouble.start();
  // How long a busy machine takes is not what is asked here.
  const timings = { appendAttempt: PATIENCE / 6, appendDeadline: PATIENCE, readDeadline: PATIENCE };
  const store = new EventStoreDbEventStore({ url: double.url(), fatal, concurrency: 1_000, timings });
  double.faults.killAfterStoring = 50;
  const text = 'x'.repeat(20_000);
  const appends = Array.from({ length: 200 }, (_, number) => ({
    stream: `s-${number}`,
    expected: 'no_stream' as const,
    events: [{ id: randomUUID(), type: 'SampleHappened', data: { text }, metadata: {} }],
  }));
  const pending = store.append(appends);
  while (double.killed === 0) await new Promise((resolve) => setImmediate(resolve));
  await double.restart();
  const outcomes = await pending;
  await store.close();
  report({
    appended: outcomes.filter(({ kind }) => kind === 'appended').length,
    stored: double.userEvents.length,
  });
  await double.close();
}

/** What the adapter refuses to send: the server answers it twice, and the client's bookkeeping breaks. */
async function wedge(): Promise<void> {
  const double = await EventStoreDbDouble.start();
  const client = EventStoreDBClient.connectionString(double.url());
  const bad = jsonEvent({ id: 'no-uuid', type: 'SampleHappened', data: {} });
  await client.appendToStream('s', bad, { expectedRevision: NO_STREAM }).catch(() => undefined);
  // The client keeps the process alive until the second answer comes.
}

installClientRejectionHandler({ log: (line) => log.push(line), fatal });
void (process.argv[2] === 'wedge' ? wedge() : killUnderLoad());
