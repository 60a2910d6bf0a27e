import { createHash } from 'node:crypto';
import { hashEvent, NO_PREVIOUS_HASH } from '#eventsourcing/log/hash-chain.js';
import type { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { decodeAppend } from '#stores/embedded/log/event-log.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import type {
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '#eventsourcing/log/event-store.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';

const PREFIX = 'storage_access.';

/** A store that answers reads from a list, for logs that no real store would let anybody write. */
export function storeOf(events: readonly RecordedEvent[]): EventStore {
  const read = {
    readStream: (stream: string, { from, limit = Infinity, backwards = false }: ReadStreamOptions = {}) => {
      const isAsked = (revision: number) =>
        from === undefined || (backwards ? revision <= from : revision >= from);
      const found = events.filter((event) => event.stream === stream && isAsked(event.revision));
      return Promise.resolve((backwards ? found.reverse() : found).slice(0, limit));
    },
    readAll: ({ after = -1n, before, limit, backwards = false, scan }: ReadAllOptions) => {
      const found = events.filter(
        ({ position }) => position > after && (before === undefined || position < before),
      );
      const page = (backwards ? found.reverse() : found).slice(0, limit);
      if (page.length > 0) scan?.upTo(page.at(-1)!.position);
      return Promise.resolve(page);
    },
    head: () => Promise.resolve(events.at(-1)?.position),
  };
  return read as unknown as EventStore;
}

/** The same of the texts that the embedded store keeps, read as that store reads them. @throws UnreadableEventError on reading */
export function storeOfTexts(texts: readonly string[]): EventStore {
  const read = () => texts.flatMap((text, place) => decodeAppend(place + 1, text));
  const { readStream, readAll } = {
    readStream: (...call: Parameters<EmbeddedEventStore['readStream']>) =>
      storeOf(read()).readStream(...call),
    readAll: (...call: Parameters<EmbeddedEventStore['readAll']>) => storeOf(read()).readAll(...call),
  };
  const failing =
    <Call extends unknown[], Answer>(call: (...values: Call) => Promise<Answer>) =>
    async (...values: Call) =>
      call(...values);
  return new OwnStreams(
    { readStream: failing(readStream), readAll: failing(readAll) } as unknown as EventStore,
    PREFIX,
  );
}

/** What the embedded store keeps of an append of one event. */
export function textOf({ stream, revision, id, type, data, metadata }: RecordedEvent): string {
  return JSON.stringify([PREFIX + stream, revision, [id, type, data, metadata]]);
}

/** A sound log: each stream's events in turn, with whatever a stream is to hold. */
export function soundLog(...streams: readonly string[]): RecordedEvent[] {
  return rechained(
    streams.map((stream, place) => ({
      id: createHash('md5').update(`event ${place}`).digest('hex'),
      stream,
      revision: streams.slice(0, place).filter((other) => other === stream).length,
      position: BigInt(place + 1),
      type: 'UnitRenamed',
      data: { unit_name: `name ${place}` },
      metadata: {
        command_id: `command-${place}`,
        request_id: 'request',
        actor: { kind: 'system', id: 'test' },
        occurred_at: '2026-01-01T00:00:00.000Z',
        schema: 1,
        part: { n: 1, of: 1 },
      },
    })),
  );
}

/** The log with every hash computed anew, as somebody would who could rewrite all of it. */
export function rechained(log: readonly RecordedEvent[]): RecordedEvent[] {
  const heads = new Map<string, { revision: number; hash: string }>();
  return log.map((event) => {
    const head = heads.get(event.stream) ?? { revision: -1, hash: NO_PREVIOUS_HASH };
    const metadata = { ...(event.metadata as unknown as EventMetadata), previous_hash: head.hash };
    delete (metadata as { hash?: string }).hash;
    const revision = head.revision + 1;
    const hash = hashEvent({ ...event, revision, metadata });
    heads.set(event.stream, { revision, hash });
    return { ...event, revision, metadata: { ...metadata, hash } as unknown as RecordedEvent['metadata'] };
  });
}
