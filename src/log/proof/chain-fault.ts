import type { ChainFault } from './chain-check.js';

/** Which event does not fit into its chain, and how, in one line. */
export function describeFault({
  stream,
  revision,
  event_id,
  type,
  problem,
  expected,
  found,
}: ChainFault): string {
  const said = {
    revision: `events before it are missing (revision ${expected} was expected)`,
    previous_hash: `it does not link to the event before it (expected ${expected}, found ${found})`,
    hash: `its content changed after it was written (hash computed ${expected}, stored ${found})`,
    stream: `where the stream is read, ${found} stands in its place`,
    log: 'its stream holds it, but the log does not',
  }[problem];
  return `stream ${stream}, revision ${revision}, event ${event_id} (${type}): ${said}.`;
}
