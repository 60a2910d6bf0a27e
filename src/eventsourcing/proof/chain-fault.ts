import type { ChainFault } from './chain-check.js';

/** A fault in one line for people. */
export function describeFault({
  stream,
  revision,
  event_id,
  type,
  problem,
  expected,
  found,
}: ChainFault): string {
  const problemText = {
    revision: `events before it are missing (revision ${expected} was expected)`,
    previous_hash: `it does not link to the event before it (expected ${expected}, found ${found})`,
    hash: `its content changed after it was written (hash computed ${expected}, stored ${found})`,
    stream: `a read of its stream returns ${found} instead`,
    log: 'a read of its stream returns it, but the log does not contain it',
  }[problem];
  return `stream ${stream}, revision ${revision}, event ${event_id} (${type}): ${problemText}.`;
}
