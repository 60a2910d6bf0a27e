import type { EventStore } from '#eventsourcing/log/event-store.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import type { LogProgress } from '#eventsourcing/log/log-progress.js';
import { ChainCheck } from '#eventsourcing/proof/chain-check.js';
import { headOf, type StreamHeads } from '#eventsourcing/proof/stream-heads.js';
import { assertFits } from './copy-log.js';
import { CommandError } from '../output.js';

/**
 * Reads the target to its end and demands that it holds exactly the source's streams: that their hash chains fit, and end
 * where the source's end. Streams of others are passed over.
 * @param source the last event of each of its streams, with checked chains
 * @throws CommandError @throws StoreUnavailableError
 */
export async function compareLogs(
  source: StreamHeads,
  target: EventStore,
  progress: LogProgress,
): Promise<void> {
  const chain = new ChainCheck();
  const missing = new Set(source.keys());
  for await (const page of pagesOf(target, progress)) {
    for (const event of page) {
      const { stream, revision } = event;
      const head = source.get(stream);
      if (head === undefined) continue;
      if (revision > head.revision) {
        throw new CommandError(
          `The target holds revision ${revision} of ${stream}, which the source does not have. A service has worked on it.`,
        );
      }
      await assertFits(chain, event);
      if (revision < head.revision) continue;
      if (headOf(event).hash !== head.hash) {
        throw new CommandError(`The target holds ${stream} otherwise than the source.`);
      }
      missing.delete(stream);
    }
  }
  const [first] = missing;
  if (first !== undefined) throw new CommandError(`The target lacks events of ${first}.`);
}
