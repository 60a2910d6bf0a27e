import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { afterAll, integerBytes, integerFromBytes } from '../../storage/key-encoding.js';
import type { Table } from '../../storage/table.js';
import type { WriteGroup } from '../../storage/write-group.js';
import { UnreadableEventError } from '../event-store.errors.js';
import type { AppendOutcome, ReadStreamOptions, RecordedEvent, StreamAppend } from '../event-store.js';
import {
  decodeEvent,
  decodeHead,
  encodeHead,
  storedEvent,
  streamKey,
  type StreamHead,
} from './event-encoding.js';

const largestPosition = 2 ** 48 - 1;

/** An append whose events are encoded already, so that deciding it within a group is cheap. */
export interface PreparedAppend {
  readonly append: StreamAppend;
  readonly encoded: readonly string[];
}

/** The tables of the event log: reads of committed events, and the appends of a write group. */
export class EventLog {
  private readonly events: Table;
  private readonly revisions: Table;
  private readonly streams: Table;
  private readonly meta: Table;
  /** Grows in memory alone: a failed commit leaves a gap, which the port allows. */
  private lastPosition: number;

  constructor(private readonly database: EmbeddedDatabase) {
    this.events = database.table('events');
    this.revisions = database.table('revisions');
    this.streams = database.table('streams');
    this.meta = database.table('meta');
    this.lastPosition = this.head();
  }

  /** The position of the last committed event, 0 where there is none. */
  head(): number {
    for (const { key } of this.events.entries({ start: afterAll, end: '\0', reverse: true, limit: 1 })) {
      return integerFromBytes(key);
    }
    return 0;
  }

  count(): number {
    return this.database.count('events');
  }

  append(group: WriteGroup, { append, encoded }: PreparedAppend): AppendOutcome {
    const { stream, expected } = append;
    const key = streamKey(stream);
    const stored = group.get(this.streams, key);
    const head = stored === undefined ? undefined : decodeHead(stored);
    const actual = head?.revision ?? 'no_stream';
    if (actual !== expected) return { kind: 'conflict', stream, actual };
    const number = head?.number ?? this.nextStreamNumber(group);
    let revision = head?.revision ?? -1;
    for (const event of encoded) {
      revision += 1;
      this.lastPosition += 1;
      group.put(this.events, integerBytes(this.lastPosition), storedEvent(stream, revision, event));
      group.put(this.revisions, integerBytes(number) + integerBytes(revision), String(this.lastPosition));
    }
    group.put(this.streams, key, encodeHead({ number, revision }));
    return { kind: 'appended', stream, revision, position: BigInt(this.lastPosition) };
  }

  private nextStreamNumber(group: WriteGroup): number {
    const number = Number(group.get(this.meta, 'next_stream') ?? 1);
    group.put(this.meta, 'next_stream', String(number + 1));
    return number;
  }

  readStream(stream: string, options: ReadStreamOptions): RecordedEvent[] {
    const stored = this.streams.get(streamKey(stream));
    if (stored === undefined) return [];
    const events: RecordedEvent[] = [];
    for (const { value } of this.revisions.entries(streamRange(decodeHead(stored), options))) {
      events.push(this.eventAt(value, stream));
    }
    return events;
  }

  /** Events after a position; at least one where there is one, then no more than the limits. */
  readAfter(position: number, limit: number, maximumCharacters = Infinity): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    let characters = 0;
    const first = Math.min(Math.max(position, 0) + 1, largestPosition);
    const range = { start: integerBytes(first), end: afterAll, limit };
    for (const { key, value } of this.events.entries(range)) {
      characters += value.length;
      if (characters > maximumCharacters && events.length > 0) break;
      events.push(decodeEvent(integerFromBytes(key), value));
    }
    return events;
  }

  /** The newest events first, none at or before a position. */
  readBackTo(position: number, limit: number): RecordedEvent[] {
    const range = {
      start: afterAll,
      end: integerBytes(Math.min(Math.max(position, 0) + 1, largestPosition)),
      reverse: true,
      limit,
    };
    return [...this.events.entries(range)].map(({ key, value }) => decodeEvent(integerFromBytes(key), value));
  }

  private eventAt(stored: string, stream: string): RecordedEvent {
    // What is no position is none at which anything stands.
    const position = /^\d{1,14}$/.test(stored) ? Number(stored) : 0;
    const text = this.events.get(integerBytes(position));
    if (text === undefined) throw new UnreadableEventError(BigInt(position), `of stream ${stream}`);
    return decodeEvent(position, text);
  }
}

function streamRange(head: StreamHead, options: ReadStreamOptions) {
  const prefix = integerBytes(head.number);
  const limit = options.limit;
  const from = Math.max(0, options.from ?? (options.backwards ? head.revision : 0));
  const end = options.backwards ? prefix : prefix + afterAll;
  const start = prefix + integerBytes(Math.min(from, head.revision + 1));
  const range = { start, end, reverse: options.backwards === true };
  return limit === undefined ? range : { ...range, limit };
}
