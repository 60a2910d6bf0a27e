import type { DamagedStreams } from './damaged-streams.js';
import type { EventStore, ReadStreamOptions, RecordedEvent } from './event-store.js';
import { isOurs } from './is-ours.js';

type StreamReader = Pick<EventStore, 'readStream'>;

/** Reads a stream backwards. Unsound events are at the stream's end, so it reads again from before them. */
export async function readSoundBackwards(
  store: StreamReader,
  damaged: DamagedStreams,
  stream: string,
  options: ReadStreamOptions,
): Promise<RecordedEvent[]> {
  let from = options.from;
  for (;;) {
    const end = Math.min(from ?? Infinity, damagedFrom(damaged, stream) - 1);
    if (end < 0) return [];
    const within = end === Infinity ? {} : { from: end };
    const events = await store.readStream(stream, { ...options, ...within });
    const foreign = events.findLast((event) => !isOurs(event));
    if (foreign === undefined) return events;
    if (!(await isForeignBefore(store, foreign)))
      await damaged.found({ stream, revision: foreign.revision, cause: 'foreign_event' });
    from = foreign.revision - 1;
  }
}

/** All events of a limited stream are sound, also those that were written at the same time as the limit. */
function damagedFrom(damaged: DamagedStreams, stream: string): number {
  const damage = damaged.findDamage(stream);
  return damage === undefined || damage.cause === 'limited' ? Infinity : damage.revision;
}

/** True if the event before is not ours either: then the damage begins earlier. */
async function isForeignBefore(
  store: StreamReader,
  { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>,
): Promise<boolean> {
  if (revision === 0) return false;
  const [before] = await store.readStream(stream, { from: revision - 1, limit: 1 });
  return before !== undefined && !isOurs(before);
}
