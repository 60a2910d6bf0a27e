import { isOnServers } from '../config/environment.js';
import type { Environment } from '../config/environment.js';

/**
 * `log`: the records and the event log commit together, in the order asked (embedded stores). `nothing`: every write is
 * settled before the next one is made (servers).
 */
export type RecordsCommit = 'log' | 'nothing';

/** The form that belongs to the stores of the environment. */
export function recordsCommitWith(
  environment: Pick<Environment, 'eventstore_url' | 'mongodb_url'>,
): RecordsCommit {
  return isOnServers(environment) ? 'nothing' : 'log';
}
