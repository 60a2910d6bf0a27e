import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '#eventsourcing/log/hash-chain.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import { headOf, type StreamHead } from './stream-heads.js';

/** The first event that breaks the hash chain. */
export interface ChainFault {
  readonly stream: string;
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  /**
   * `revision`: events before it are missing. `previous_hash`: it does not link to the event before it. `hash`: its
   * content changed after it was written. `stream`: the log contains it, but a read of the stream returns another event
   * (named in `found`) or none. `log`: a read of the stream returns it, but the log does not contain it.
   */
  readonly problem: 'revision' | 'previous_hash' | 'hash' | 'stream' | 'log';
  readonly expected: string | number;
  readonly found: string | number | null;
}

/** Number of stream heads in the cache's newer half. Twice as many take some hundred megabytes. */
const REMEMBERED = 400_000;

/** Recomputes hash chains. The events of each stream must come in order. */
export class ChainCheck {
  /** A cache of heads in two generations. A full `#young` becomes `#old`, and the former `#old` is forgotten. */
  #young = new Map<string, StreamHead>();
  #old = new Map<string, StreamHead>();
  streams = 0;
  events = 0;

  /** @param store to read forgotten heads again; without it nothing is forgotten */
  constructor(
    private readonly store?: Pick<EventStore, 'readStream'>,
    private readonly remembered = REMEMBERED,
  ) {}

  /** The fault of an event, or null. @throws StoreUnavailableError */
  async fault(event: RecordedEvent): Promise<ChainFault | null> {
    const { stream, revision } = event;
    let before = this.#young.get(stream) ?? this.#old.get(stream);
    if (before === undefined && revision > 0) before = await this.#stored(stream, revision);
    const fault = faultOf(event, before);
    if (fault !== null) return fault;
    if (revision === 0) this.streams += 1;
    this.events += 1;
    this.#remember(stream, headOf(event));
    return null;
  }

  async #stored(stream: string, revision: number): Promise<StreamHead | undefined> {
    if (this.store === undefined || this.#old.size === 0) return undefined;
    const [found] = await this.store.readStream(stream, { from: revision - 1, limit: 1, backwards: true });
    return found && headOf(found);
  }

  #remember(stream: string, head: StreamHead): void {
    this.#young.set(stream, head);
    if (this.store === undefined || this.#young.size < this.remembered) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}

/** The fault of an event, or null. @param before the event before it in its stream; undefined for the first event */
export function faultOf(event: RecordedEvent, before: StreamHead | undefined): ChainFault | null {
  const { id, stream, revision, type, data } = event;
  const { hash, ...metadata } = event.metadata as unknown as EventMetadata;
  const previous = before?.hash ?? NO_PREVIOUS_HASH;
  const fault = (problem: ChainFault['problem'], expected: string | number, found: unknown): ChainFault => ({
    stream,
    revision,
    event_id: id,
    type,
    problem,
    expected,
    found: typeof found === 'string' || typeof found === 'number' ? found : null,
  });
  const next = (before?.revision ?? -1) + 1;
  if (revision !== next) return fault('revision', next, revision);
  if (metadata.previous_hash !== previous) return fault('previous_hash', previous, metadata.previous_hash);
  const computed = hashEvent({ id, stream, revision, type, data, metadata });
  return computed === hash ? null : fault('hash', computed, hash);
}

/** The fault of an event that a read of its stream returns, but the log does not contain. */
export function unlogged({ stream, revision, id, type }: RecordedEvent): ChainFault {
  return { stream, revision, event_id: id, type, problem: 'log', expected: id, found: null };
}

/** The fault of an event of the log for which a read of its stream returns another event or none. */
export function misplaced(
  { id, type, revision }: RecordedEvent,
  stream: string,
  found?: RecordedEvent,
): ChainFault {
  const foundText = found === undefined ? 'nothing' : `revision ${found.revision} of ${found.stream}`;
  return { stream, revision, event_id: id, type, problem: 'stream', expected: stream, found: foundText };
}
