import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { afterAll, integerBytes, integerFromBytes } from '../../storage/key-encoding.js';
import type { Table } from '../../storage/table.js';
import type { WriteGroup } from '../../storage/write-group.js';
import { UnreadableEventError } from '../event-store.errors.js';
import type { AppendOutcome, ReadStreamOptions, RecordedEvent, StreamAppend } from '../event-store.js';
import { RecentEvents, type StoredText } from './recent-events.js';
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
  /** Absent where another process writes. */
  private readonly recent: RecentEvents | undefined;

  constructor(database: EmbeddedDatabase) {
    this.events = database.table('events');
    this.revisions = database.table('revisions');
    this.streams = database.table('streams');
    this.meta = database.table('meta');
    this.lastPosition = this.head();
    this.recent = database.readOnly ? undefined : new RecentEvents(this.lastPosition);
  }

  /** The position of the last committed event, 0 where there is none. */
  head(): number {
    for (const { key } of this.events.entries({ start: afterAll, end: '\0', reverse: true, limit: 1 })) {
      return integerFromBytes(key);
    }
    return 0;
  }

  append(group: WriteGroup, { append, encoded }: PreparedAppend): AppendOutcome {
    const { stream, expected } = append;
    const key = streamKey(stream);
    const known = group.get(this.streams, key);
    const head = known === undefined ? undefined : decodeHead(known);
    const actual = head?.revision ?? 'no_stream';
    if (actual !== expected) return { kind: 'conflict', stream, actual };
    const number = head?.number ?? this.nextStreamNumber(group);
    let revision = head?.revision ?? -1;
    const stored = encoded.map((text, place): StoredText => {
      revision += 1;
      this.lastPosition += 1;
      group.put(this.events, integerBytes(this.lastPosition), storedEvent(stream, revision, text));
      group.put(this.revisions, integerBytes(number) + integerBytes(revision), String(this.lastPosition));
      const { id, type, data, metadata } = append.events[place]!;
      const position = BigInt(this.lastPosition);
      return { event: { id, type, data, metadata, stream, revision, position }, characters: text.length };
    });
    group.put(this.streams, key, encodeHead({ number, revision }));
    group.afterCommit(() => this.recent?.add(stored));
    // What a failed commit wrote may stand none the less.
    group.afterFailure(() => this.recent?.forgetTo(this.lastPosition));
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

  /** Events after a position; at least one where there is one, then no more than the limits. Those that are still in memory are few. */
  readAfter(position: number, limit: number, maximumCharacters = Infinity): RecordedEvent[] {
    const recent = this.recent?.readAfter(position, limit);
    if (recent !== undefined) return recent;
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

  /** The newest events before a position first, none at or before another. */
  readBackTo(position: number, limit: number, before: bigint | undefined): RecordedEvent[] {
    const range = {
      start: before === undefined ? afterAll : integerBytes(Math.max(Number(before) - 1, 0)),
      end: integerBytes(Math.min(Math.max(position, 0) + 1, largestPosition)),
      reverse: true,
      limit,
    };
    return [...this.events.entries(range)].map(({ key, value }) => decodeEvent(integerFromBytes(key), value));
  }

  private eventAt(stored: string, stream: string): RecordedEvent {
    // Positions begin at 1: whatever was put at 0 is in no reading of the log.
    const position = /^\d{1,14}$/.test(stored) ? Number(stored) : 0;
    const text = position === 0 ? undefined : this.events.get(integerBytes(position));
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
