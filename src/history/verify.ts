import type { EventStore, RecordedEvent } from '../eventing/event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '../eventing/hash-chain.js';
import type { EventMetadata } from '../eventing/stream-kind.js';

/** The first event that does not fit, and what is wrong with it. */
export interface ChainFault {
  readonly stream: string;
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  /**
   * `revision`: events before it are missing; `previous_hash`: it does not link to the event before it; `hash`: it
   * does not say what it said when it was written.
   */
  readonly problem: 'revision' | 'previous_hash' | 'hash';
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
    if (!check.take(events) || events.length < PAGE) return check.verification;
    from = events.at(-1)!.revision + 1;
  }
}

/**
 * Recomputes the chains of all streams, in the order of the log.
 * @param progress is told now and then how many events fitted so far.
 * @throws StoreUnavailableError
 */
export async function verifyAll(
  store: EventStore,
  progress?: (events: number) => void,
): Promise<Verification> {
  const check = new ChainCheck();
  for (let after: bigint | undefined; ;) {
    const events = await store.readAll({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    if (events.length === 0 || !check.take(events)) return check.verification;
    after = events.at(-1)!.position;
    progress?.(check.verification.events);
  }
}

class ChainCheck {
  readonly #heads = new Map<string, StreamHead>();
  #events = 0;
  #fault: ChainFault | null = null;

  get verification(): Verification {
    return {
      ok: this.#fault === null,
      streams: this.#heads.size,
      events: this.#events,
      fault: this.#fault,
    };
  }

  /** Takes events in order; false from the first that does not fit. */
  take(events: readonly RecordedEvent[]): boolean {
    for (const event of events) {
      this.#fault = faultOf(event, this.#heads.get(event.stream));
      if (this.#fault !== null) return false;
      this.#heads.set(event.stream, headOf(event));
      this.#events += 1;
    }
    return true;
  }
}

/** The head of a stream that ends with this event. */
export function headOf({ revision, metadata }: RecordedEvent): StreamHead {
  return { revision, hash: (metadata as unknown as EventMetadata).hash };
}

/** What is wrong with an event that follows a head (undefined: it begins its stream); null where it fits. */
function faultOf(event: RecordedEvent, before: StreamHead | undefined): ChainFault | null {
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
