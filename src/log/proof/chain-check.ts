import type { EventStore, RecordedEvent } from '../event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '../hash-chain.js';
import type { EventMetadata } from '../domain-event.js';
import { headOf, type StreamHead } from './stream-heads.js';

/** The first event that does not fit, and what is wrong with it. */
export interface ChainFault {
  readonly stream: string;
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  /**
   * `revision`: events before it are missing; `previous_hash`: it does not link to the event before it; `hash`: it
   * does not say what it said when it was written; `stream`: where the stream is read, another event stands in its place
   * (which `found` names), or none; `log`: the stream holds it where it is read, the log does not.
   */
  readonly problem: 'revision' | 'previous_hash' | 'hash' | 'stream' | 'log';
  readonly expected: string | number;
  readonly found: string | number | null;
}

/** How many streams' heads are remembered at least; those of twice as many take some hundred megabytes. */
const REMEMBERED = 400_000;

/** Recomputes the chains of streams whose events are taken in the order of each. */
export class ChainCheck {
  /** Heads in two generations: what is not used while the younger one fills up is forgotten, and read again if it must be. */
  #young = new Map<string, StreamHead>();
  #old = new Map<string, StreamHead>();
  streams = 0;
  events = 0;

  /** @param store where a forgotten head is read again; without one nothing is forgotten */
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

/** Recomputes an event that follows a head (undefined: it begins its stream); null where it fits. */
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

/** An event that only its stream holds. */
export function unlogged({ stream, revision, id, type }: RecordedEvent): ChainFault {
  return { stream, revision, event_id: id, type, problem: 'log', expected: id, found: null };
}

/** An event in whose place another was read, or none. */
export function misplaced(
  { id, type, revision }: RecordedEvent,
  stream: string,
  found?: RecordedEvent,
): ChainFault {
  const place = found === undefined ? 'nothing' : `revision ${found.revision} of ${found.stream}`;
  return { stream, revision, event_id: id, type, problem: 'stream', expected: stream, found: place };
}
