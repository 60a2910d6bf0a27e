import { faultsOfApiTokens } from '../../companies/index.js';
import type { Clock } from '../../config/clock.js';
import { systemIds } from '../../config/ids.js';
import { pause } from '../../config/pause.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { EventStore } from '../../log/event-store.js';
import { faultsOfOperators } from '../operator-faults.js';
import { Operators } from '../operators.js';

/** A change that was under way at the first look has ended by the second. Milliseconds. */
const BETWEEN_LOOKS = 500;

/**
 * Holds the records of API tokens and operators to the log, beside a running service or alone: a planted one is named.
 * @returns a line for each
 * @throws StoreUnavailableError
 */
export async function credentialFaults(
  { records, log }: { readonly records: DocumentStore; readonly log: EventStore },
  clock: Clock,
): Promise<readonly string[]> {
  const operators = new Operators(records, clock, systemIds);
  const look = async () => [
    ...(await faultsOfOperators(operators, log)),
    ...(await faultsOfApiTokens(records, log)),
  ];
  const first = await look();
  if (first.length === 0) return first;
  await pause(clock, BETWEEN_LOOKS);
  const second = new Set(await look());
  return first.filter((fault) => second.has(fault));
}
