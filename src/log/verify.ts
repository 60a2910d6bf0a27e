import type { EventStore, RecordedEvent } from './event-store.js';
import { type LogProgress, pagesOf } from './log-pass.js';
import { hashEvent, NO_PREVIOUS_HASH } from './hash-chain.js';
import type { EventMetadata } from './domain-event.js';

/** The first event that does not fit, and what is wrong with it. */
export interface ChainFault {
  readonly stream: string;
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  /**
   * `revision`: events before it are missing; `previous_hash`: it does not link to the event before it; `hash`: it
   * does not say what it said when it was written; `stream`: where the stream is read, another event stands in its place
   * (which `found` names), or none.
   */
  readonly problem: 'revision' | 'previous_hash' | 'hash' | 'stream';
  readonly expected: string | number;
  readonly found: string | number | null;
}

/** What a check of the chain has found. Counts go up to the fault where there is one. */
export interface Verification {
  readonly ok: boolean;
  readonly streams: number;
  readonly events: number;
  readonly fault: ChainFault | null;
}

/** Where a stream's chain stands. */
export interface StreamHead {
  readonly revision: number;
  readonly hash: string;
}

const PAGE = 1_000;

/** Recomputes the chain of one stream. @throws StoreUnavailableError */
export async function verifyStream(store: EventStore, stream: string): Promise<Verification> {
  const check = new ChainCheck();
  for (let from = 0; ;) {
    const events = await store.readStream(stream, { from, limit: PAGE });
    if (!check.take(events, stream)) return check.verification;
    if (events.length < PAGE) break;
    from = events.at(-1)!.revision + 1;
  }
  await check.compareEnd(store, stream);
  return check.verification;
}

/**
 * Recomputes the chains of all streams, in the order of the log, and holds each stream, as it is read by itself, to it.
 * @param progress is told now and then how many events fitted so far.
 * @throws StoreUnavailableError
 */
export async function verifyAll(store: EventStore, progress?: LogProgress): Promise<Verification> {
  const check = new ChainCheck();
  for await (const events of pagesOf(store, progress)) {
    if (!check.take(events)) return check.verification;
  }
  await check.compareStreams(store);
  return check.verification;
}

class ChainCheck {
  readonly #last = new Map<string, RecordedEvent>();
  #events = 0;
  #fault: ChainFault | null = null;

  get verification(): Verification {
    return {
      ok: this.#fault === null,
      streams: this.#last.size,
      events: this.#events,
      fault: this.#fault,
    };
  }

  /** Takes events in order; false from the first that does not fit. @param stream that they were read from, if from one */
  take(events: readonly RecordedEvent[], stream?: string): boolean {
    for (const event of events) {
      const isElsewhere = stream !== undefined && event.stream !== stream;
      this.#fault = isElsewhere
        ? misplaced(event, stream, event)
        : faultOf(event, this.#last.get(event.stream));
      if (this.#fault !== null) return false;
      this.#last.set(event.stream, event);
      this.#events += 1;
    }
    return true;
  }

  /** Holds the end of a stream, as a reader from there finds it, to the last that was taken, which it may follow. */
  async compareEnd(store: EventStore, stream: string): Promise<void> {
    const last = this.#last.get(stream);
    const [end] = await store.readStream(stream, { backwards: true, limit: 1 });
    const follows = end?.stream === stream && end.revision > (last?.revision ?? -1);
    if (end?.id !== last?.id && !follows) this.#fault = misplaced((last ?? end)!, stream, end);
  }

  /** Reads every stream of which an event was taken, up to the last that was. Writers may go on meanwhile. */
  async compareStreams(store: EventStore): Promise<void> {
    for (const [stream, last] of this.#last) {
      const check = await verifyStream(store, stream);
      const [there] = await store.readStream(stream, { from: last.revision, limit: 1 });
      const isThere = there?.id === last.id;
      this.#fault = check.fault ?? (isThere ? null : misplaced(last, stream, there));
      if (this.#fault !== null) return;
    }
  }
}

/** An event in whose place another was read, or none. */
function misplaced({ id, type, revision }: RecordedEvent, stream: string, found?: RecordedEvent): ChainFault {
  const place = found === undefined ? 'nothing' : `revision ${found.revision} of ${found.stream}`;
  return { stream, revision, event_id: id, type, problem: 'stream', expected: stream, found: place };
}

/** The head of a stream that ends with this event. */
export function headOf({ revision, metadata }: RecordedEvent): StreamHead {
  return { revision, hash: (metadata as unknown as EventMetadata).hash };
}

/** What is wrong with an event that follows a head (undefined: it begins its stream); null where it fits. */
function faultOf(event: RecordedEvent, last: RecordedEvent | undefined): ChainFault | null {
  const before = last === undefined ? undefined : headOf(last);
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
  const computed = hashEvent({ stream, revision, type, data, metadata });
  return computed === hash ? null : fault('hash', computed, hash);
}
