import { isOnServers } from '../config/environment.js';
import type { Environment } from '../config/environment.js';

/**
 * `log`: records and events share one commit, in the order of the calls (embedded stores). `nothing`: each write commits
 * by itself (servers).
 */
export type RecordsCommit = 'log' | 'nothing';

export function recordsCommitWith(
  environment: Pick<Environment, 'eventstore_url' | 'mongodb_url'>,
): RecordsCommit {
  return isOnServers(environment) ? 'nothing' : 'log';
}
