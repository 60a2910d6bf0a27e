import { isDeepStrictEqual } from 'node:util';
import type { EventStore, RecordedEvent } from '../../log/event-store.js';
import { LogChain } from './log-chain.js';
import { eventsOf } from './log-reader.js';
import { MigrationError } from './migration-error.js';

/**
 * Reads both logs to their ends and demands that the target holds exactly the source's streams, event for event and in
 * the same order, and that their hash chains fit as the target tells them. Streams of others are passed over.
 * @throws MigrationError @throws StoreUnavailableError
 */
export async function compareLogs(
  source: EventStore,
  target: EventStore,
  progress: (line: string) => void,
): Promise<void> {
  const known = await streamsOf(source);
  const wanted = one(eventsOf(source));
  const chain = new LogChain();
  let compared = 0;
  for await (const page of eventsOf(target)) {
    for (const event of page) {
      if (!known.has(event.stream)) continue;
      expectSame((await wanted.next()).value, event);
      chain.take(event);
      compared += 1;
    }
    progress(`${compared} events compared`);
  }
  const { value: missing } = await wanted.next();
  if (missing !== undefined) {
    throw new MigrationError(`The target lacks revision ${missing.revision} of ${missing.stream}.`);
  }
}

function expectSame(source: RecordedEvent | undefined, target: RecordedEvent): void {
  const place = `revision ${target.revision} of ${target.stream}`;
  if (source === undefined) {
    throw new MigrationError(`The target holds ${place}, which the source does not: it has been worked on.`);
  }
  if (!isDeepStrictEqual({ ...source, position: 0 }, { ...target, position: 0 })) {
    throw new MigrationError(
      `The target holds ${place} where revision ${source.revision} of ${source.stream} was to stand, or not as it was.`,
    );
  }
}

async function streamsOf(store: EventStore): Promise<Set<string>> {
  const streams = new Set<string>();
  for await (const page of eventsOf(store)) for (const { stream } of page) streams.add(stream);
  return streams;
}

async function* one(pages: AsyncIterable<RecordedEvent[]>): AsyncGenerator<RecordedEvent, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}
