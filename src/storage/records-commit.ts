import type { Environment } from '../config/environment.js';

/**
 * What the records are durable with. `log`: they and the event log commit together what one turn asks of them, in the order
 * asked. `each_other`: nobody but this process writes them, they commit like that among themselves, and the log is elsewhere.
 * `nothing`: others write them, or a network is between, so that each write is settled before the next is made.
 */
export type RecordsCommit = 'log' | 'each_other' | 'nothing';

/** Of the stores that the environment names. */
export function recordsCommitWith(
  environment: Pick<Environment, 'eventstore_url' | 'mongodb_url'>,
): RecordsCommit {
  if (environment.mongodb_url !== undefined) return 'nothing';
  return environment.eventstore_url === undefined ? 'log' : 'each_other';
}
