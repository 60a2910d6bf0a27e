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
    hash: `it does not say what it said when it was written (hash computed ${expected}, stored ${found})`,
    stream: `where the stream is read, ${found} stands in its place`,
    log: 'the stream holds it where it is read, but the log does not',
  }[problem];
  return `stream ${stream}, revision ${revision}, event ${event_id} (${type}): ${said}.`;
}
