/** The revision of a tombstone: no event of its stream follows. */
const TOMBSTONE_REVISION = 9_223_372_036_854_775_807n;
/** What a soft delete writes as `$tb`, as JSON: no number of this language is equal to it. */
const ALL_ARE_GONE = '9223372036854775807';

/** An event as the double stores it. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  readonly stream: string;
  /** A tombstone's is beyond what a number holds. */
  readonly revision: number | bigint;
  readonly position: bigint;
  readonly created: number;
}

export type ProposedEvent = Pick<StoredEvent, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;
export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

export type Verdict =
  | { readonly kind: 'success'; readonly revision: number | bigint; readonly position: bigint }
  | { readonly kind: 'wrong'; readonly current: number | undefined }
  /** An id or a type that is none, or no stream's name. */
  | { readonly kind: 'bad' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too_large' };

interface StreamState {
  readonly events: StoredEvent[];
  tombstoned: boolean;
}

/** The metadata of a stream that hide events from who reads it. They stay in `$all`, as they do until a scavenge. */
interface Retention {
  /** Events before this revision are hidden. */
  readonly $tb?: number;
  readonly $maxCount?: number;
  /** In seconds. */
  readonly $maxAge?: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Bytes of event data in one append; the server's default. */
export const MOST_DATA_BYTES = 1_048_576;
/** The server remembers so many ids for ANY and STREAM_EXISTS, in memory only. */
const ID_MEMORY = 200_000;
/** After so many events of users, the server writes one of its own. */
const NOISE_EVERY = 3;

/** The log behind the double: revisions, positions and idempotency as the server has them. No wire, no time-outs. */
export class EventLog {
  readonly events: StoredEvent[] = [];
  private readonly streams = new Map<string, StreamState>();
  private readonly rememberedIds = new Map<string, StoredEvent>();
  private readonly listeners = new Set<() => void>();
  /** `$all` begins with events of the server's own, and not at 0. */
  private nextPosition = 1_319n;
  private sinceNoise = 0;
  /** The clock of the server, in milliseconds. */
  now: () => number = Date.now;

  constructor(private readonly mostDataBytes = MOST_DATA_BYTES) {
    this.noise();
  }

  /** Appends, or says why not, with the server's rules for repeated appends. */
  append(stream: string, expected: Expected, proposed: readonly ProposedEvent[]): Verdict {
    return this.refusal(stream, proposed) ?? this.decided(stream, expected, proposed);
  }

  /** Revisions go on after a soft delete; the events before are gone. */
  softDelete(stream: string, expected: Expected = 'any'): Verdict {
    const refusal = this.refusalToDelete(stream, expected);
    if (refusal !== undefined) return refusal;
    const metadata = this.hideBefore(stream, ALL_ARE_GONE);
    this.tell();
    return success(metadata);
  }

  /** The events before stay in `$all`, and the tombstone follows them there. */
  tombstone(stream: string, expected: Expected = 'any'): Verdict {
    const state = this.state(stream);
    if (state.tombstoned) return { kind: 'deleted' };
    const head = state.events.length === 0 ? undefined : state.events.length - 1;
    if (typeof expected === 'number' && expected !== head) return { kind: 'wrong', current: head };
    state.tombstoned = true;
    const event = { ...binary(new Uint8Array()), type: '$streamDeleted' };
    const tombstone = this.place(stream, TOMBSTONE_REVISION, event);
    this.tell();
    return success(tombstone);
  }

  /** Whether another stream had this id before. */
  hasElsewhere(stream: string, id: string): boolean {
    const known = this.rememberedIds.get(id);
    return known !== undefined && known.stream !== stream;
  }

  isTombstoned(stream: string): boolean {
    return this.streams.get(stream)?.tombstoned === true;
  }

  /** Where the next event will stand. */
  get end(): bigint {
    return this.nextPosition;
  }

  /** The readable events of a stream; undefined where there is none (never written, or soft-deleted). */
  streamEvents(stream: string): StoredEvent[] | undefined {
    if (!this.isThere(stream)) return undefined;
    const { $tb = 0, $maxCount = Infinity, $maxAge = Infinity } = this.retention(stream);
    const from = this.now() - $maxAge * 1_000;
    const kept = this.streams.get(stream)!.events.slice($tb).slice(-$maxCount);
    return kept.filter(({ created }) => created >= from);
  }

  /** Sets the metadata of a stream, as whoever has rights to it does. */
  setMetadata(stream: string, metadata: Retention): void {
    this.write(`$$${stream}`, { ...blank(), type: '$metadata', data: Buffer.from(JSON.stringify(metadata)) });
    this.tell();
  }

  private retention(stream: string): Retention {
    const metadata = this.streams.get(`$$${stream}`)?.events.at(-1);
    if (metadata === undefined) return {};
    try {
      return JSON.parse(Buffer.from(metadata.data).toString()) as Retention;
    } catch {
      return {};
    }
  }

  /** Sets `$tb`, which is JSON, and keeps the other metadata. */
  private hideBefore(stream: string, $tb: string): StoredEvent {
    const others = Object.entries(this.retention(stream)).filter(([name]) => name !== '$tb');
    const members = [...others.map(([name, value]) => `${JSON.stringify(name)}:${value}`), `"$tb":${$tb}`];
    const data = Buffer.from(`{${members.join()}}`);
    return this.write(`$$${stream}`, { ...blank(), type: '$metadata', data });
  }

  /** What a restart forgets: the ids that make ANY idempotent. */
  restart(): void {
    this.rememberedIds.clear();
  }

  /** Calls back after every write. @returns stops it. */
  onWrite(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** False for a stream that was softly deleted. One whose events are all hidden otherwise is there. */
  private isThere(stream: string): boolean {
    const { events = [] } = this.streams.get(stream) ?? {};
    return events.length > 0 && !this.isSoftlyDeleted(stream);
  }

  private isSoftlyDeleted(stream: string): boolean {
    return this.retention(stream).$tb === Number(ALL_ARE_GONE);
  }

  private accepts(stream: string, expected: Expected, head: number | undefined): boolean {
    if (expected === 'any') return true;
    if (expected === 'no_stream') return !this.isThere(stream);
    if (expected === 'stream_exists') return this.isThere(stream);
    return expected === head;
  }

  /** Whatever is expected. */
  private refusal(stream: string, proposed: readonly ProposedEvent[]): Verdict | undefined {
    if (stream === '' || proposed.some(({ id, type }) => !UUID.test(id) || type === ''))
      return { kind: 'bad' };
    if (this.isTombstoned(stream)) return { kind: 'deleted' };
    const bytes = proposed.reduce((sum, { data }) => sum + data.length, 0);
    return bytes > this.mostDataBytes ? { kind: 'too_large' } : undefined;
  }

  private decided(stream: string, expected: Expected, proposed: readonly ProposedEvent[]): Verdict {
    const state = this.streams.get(stream);
    const head = state && state.events.length > 0 ? state.events.length - 1 : undefined;
    // The server answers success at revision 0 where there is no stream.
    if (proposed.length === 0)
      return { kind: 'success', revision: head ?? 0, position: this.events.at(-1)!.position };
    const repeated = this.repeated(stream, expected, proposed, head);
    if (repeated === 'partly') return { kind: 'wrong', current: head };
    if (repeated) return success(repeated);
    if (!this.accepts(stream, expected, head)) return { kind: 'wrong', current: head };
    return this.store(stream, proposed);
  }

  /** Without a stream there is nothing to delete, whatever is expected. */
  private refusalToDelete(stream: string, expected: Expected): Verdict | undefined {
    if (this.isTombstoned(stream)) return { kind: 'deleted' };
    if (!this.isThere(stream)) return { kind: 'wrong', current: undefined };
    const head = this.streams.get(stream)!.events.length - 1;
    return typeof expected === 'number' && expected !== head ? { kind: 'wrong', current: head } : undefined;
  }

  /**
   * The last stored event of an append that was stored before, compared by ids alone; `partly` where one follows that was
   * not.
   */
  private repeated(
    stream: string,
    expected: Expected,
    proposed: readonly ProposedEvent[],
    head: number | undefined,
  ) {
    if (head === undefined || expected === head) return undefined;
    if (expected === 'any' || expected === 'stream_exists') return this.allRemembered(stream, proposed);
    const first = typeof expected === 'number' ? expected + 1 : 0;
    const stored = this.streams.get(stream)!.events.slice(first, first + proposed.length);
    const same =
      stored.length === proposed.length && stored.every((event, index) => event.id === proposed[index]!.id);
    return same ? stored.at(-1) : undefined;
  }

  /** Where nothing exact is expected: the server looks for each id, in memory, and not at their order. */
  private allRemembered(stream: string, proposed: readonly ProposedEvent[]) {
    const known = proposed
      .map(({ id }) => this.rememberedIds.get(id))
      .map((event) => event?.stream === stream && event);
    if (!known[0]) return undefined;
    return known.every((event) => event) ? (known.at(-1) as StoredEvent) : ('partly' as const);
  }

  private store(stream: string, proposed: readonly ProposedEvent[]): Verdict {
    const isAnew = this.isSoftlyDeleted(stream);
    const stored = proposed.map((event) => this.write(stream, event));
    if (isAnew) this.hideBefore(stream, String(stored[0]!.revision));
    // The first that has an id stays the one that has it.
    for (const event of stored) {
      if (!this.rememberedIds.has(event.id)) this.rememberedIds.set(event.id, event);
    }
    for (const id of this.rememberedIds.keys()) {
      if (this.rememberedIds.size <= ID_MEMORY) break;
      this.rememberedIds.delete(id);
    }
    this.sinceNoise += proposed.length;
    if (this.sinceNoise >= NOISE_EVERY) this.noise();
    const last = stored.at(-1)!;
    this.tell();
    return { kind: 'success', revision: last.revision, position: last.position };
  }

  private noise(): void {
    this.sinceNoise = 0;
    this.write('$$$stats-127.0.0.1:2113', { ...blank(), type: '$metadata' });
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  private write(stream: string, event: ProposedEvent): StoredEvent {
    const { events } = this.state(stream);
    const stored = this.place(stream, events.length, event);
    events.push(stored);
    return stored;
  }

  /** Puts an event at the end of `$all`. */
  private place(stream: string, revision: number | bigint, event: ProposedEvent): StoredEvent {
    const stored = { ...event, stream, revision, position: this.nextPosition, created: this.now() };
    this.nextPosition += BigInt(120 + event.data.length + event.metadata.length);
    this.events.push(stored);
    return stored;
  }

  private state(stream: string): StreamState {
    const state = this.streams.get(stream) ?? { events: [], tombstoned: false };
    this.streams.set(stream, state);
    return state;
  }
}

/** The place of the first event at a position or behind it, as a server finds it: without going through what is before. */
export function placeOf(events: readonly StoredEvent[], position: bigint): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle]!.position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an event stands at the position. */
export function standsAt(events: readonly StoredEvent[], position: bigint): boolean {
  return events[placeOf(events, position)]?.position === position;
}

function success({ revision, position }: StoredEvent): Verdict {
  return { kind: 'success', revision, position };
}

function blank(): ProposedEvent {
  return { ...binary(Buffer.from('{}')), contentType: 'application/json' };
}

function binary(data: Uint8Array): ProposedEvent {
  const metadata = new Uint8Array();
  return { id: crypto.randomUUID(), type: '', contentType: 'application/octet-stream', data, metadata };
}
