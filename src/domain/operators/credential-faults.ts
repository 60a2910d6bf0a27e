import { faultsOfApiTokens } from '#domain/companies/index.js';
import type { Clock } from '#kernel/clock.js';
import { systemIds } from '#kernel/ids.js';
import { pause } from '#kernel/pause.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { faultsOfOperators } from './operator-faults.js';
import { Operators } from './operators.js';

/** Milliseconds between two comparisons. A change that was under way in the first has ended before the second. */
const PAUSE_MS = 500;

/**
 * Compares the records of API tokens and operators with the log, and finds records that somebody put into the store. It may
 * run beside the service.
 * @returns a line for each record that differs
 * @throws StoreUnavailableError
 */
export async function credentialFaults(
  { records, log }: { readonly records: DocumentStore; readonly log: EventStore },
  clock: Clock,
): Promise<readonly string[]> {
  const operators = new Operators(records, clock, systemIds);
  const compare = async () => [
    ...(await faultsOfOperators(operators, log)),
    ...(await faultsOfApiTokens(records, log)),
  ];
  const first = await compare();
  if (first.length === 0) return first;
  await pause(clock, PAUSE_MS);
  const second = new Set(await compare());
  return first.filter((fault) => second.has(fault));
}
