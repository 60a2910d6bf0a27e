import { createHash } from 'node:crypto';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import {
  afterAll,
  type ByteString,
  integerBytes,
  integerFromBytes,
  utf8Bytes,
} from '../../storage/key-encoding.js';
import type { Entry, Table } from '../../storage/table.js';
import type { WriteGroup } from '../../storage/group-commit.js';
import { EventTooLargeError, UnreadableEventError } from '../event-store.errors.js';
import type {
  AppendOutcome,
  Json,
  JsonObject,
  ReadStreamOptions,
  RecordedEvent,
  StreamAppend,
} from '../event-store.js';

/*
 * Storage format: add, never change. All events of one append to a stream are one entry, under its last event.
 *
 *   events     position of the last event     → JSON [stream, revision of the last event, event, …]
 *                                               event: [id, type, data, metadata]
 *   revisions  stream number, revision of the last event → its position in decimal
 *   streams    stream name                    → "stream number,head revision"
 *
 * Numbers in keys are six bytes, names UTF-8. Because an entry is under its last event, the first key from a bound on
 * holds the first event from there on, and the newest key is the end of the log.
 */

const maximumStreamBytes = 1_048_576;
const largestPosition = 2 ** 48 - 1;

/** An append that is encoded already, so that it is decided quickly within a group. */
export interface PreparedAppend {
  readonly append: StreamAppend;
  readonly text: string;
}

/** @throws EventTooLargeError */
export function prepareAppend(append: StreamAppend): PreparedAppend {
  const { stream, expected, events } = append;
  const revision = (expected === 'no_stream' ? -1 : expected) + events.length;
  let text = `[${JSON.stringify(stream)},${revision}`;
  let bytes = 0;
  for (const { id, type, data, metadata } of events) {
    const encoded = JSON.stringify(data);
    bytes += Buffer.byteLength(encoded);
    if (bytes > maximumStreamBytes) throw new EventTooLargeError(stream);
    text += `,[${JSON.stringify(id)},${JSON.stringify(type)},${encoded},${JSON.stringify(metadata)}]`;
  }
  return { append, text: `${text}]` };
}

/**
 * The events of an entry.
 * @param position of the last of them
 * @throws UnreadableEventError
 */
export function decodeAppend(position: number, text: string): RecordedEvent[] {
  const [stream, last, ...events] = parsed(position, text);
  const first = events.length - 1;
  return events.map(([id, type, data, metadata], place) => ({
    id: id as string,
    type: type as string,
    data: data as JsonObject,
    metadata: metadata as JsonObject,
    stream,
    revision: last - first + place,
    position: BigInt(position - first + place),
  }));
}

/** A number with an exponent or some hundred digits, or text that looks like one. We write neither of what is not finite. */
const MAY_BE_INFINITE = /[,:[]\s*-?(?:\d[\d.]*[eE]|\d{300})/;

/** JSON has no infinity, but is read as one where a number is too large. */
function demandFinite(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number is too large.');
  return value;
}

type StoredAppend = [stream: string, last: number, ...events: Json[][]];

function isStoredAppend(value: unknown): value is StoredAppend {
  if (!Array.isArray(value) || value.length < 3) return false;
  const [stream, last, ...events] = value as unknown[];
  return (
    typeof stream === 'string' &&
    Number.isSafeInteger(last) &&
    events.every((event) => Array.isArray(event) && event.length === 4)
  );
}

function parsed(position: number, text: string): StoredAppend {
  try {
    const value: unknown = JSON.parse(text, MAY_BE_INFINITE.test(text) ? demandFinite : undefined);
    if (isStoredAppend(value)) return value;
    throw new TypeError('It has not the form of an append.');
  } catch (cause) {
    const described = /^\["([^"]*)",(\d+),/.exec(text);
    const name = described === null ? 'unknown stream' : `stream ${described[1]}, revision ${described[2]}`;
    throw new UnreadableEventError(BigInt(position), name, { cause });
  }
}

const longestPlainName = 1_000;

/** Names beyond what is usual keep their beginning and are told apart by a hash. */
function streamKey(stream: string): ByteString {
  const name = utf8Bytes(stream);
  if (name.length <= longestPlainName) return name;
  return (
    name.slice(0, longestPlainName) + createHash('sha256').update(name, 'latin1').digest().toString('latin1')
  );
}

interface StreamHead {
  readonly number: number;
  readonly revision: number;
}

function decodeHead(text: string): StreamHead {
  const comma = text.indexOf(',');
  return { number: Number(text.slice(0, comma)), revision: Number(text.slice(comma + 1)) };
}

/** The tables of the event log: reads of committed events, and the appends of a write group. */
export class EventLog {
  private readonly events: Table;
  private readonly revisions: Table;
  private readonly streams: Table;
  /** These grow in memory alone: a failed commit leaves a gap, which the port allows. */
  private lastPosition: number;
  private lastStream: number;

  constructor(database: EmbeddedDatabase) {
    this.events = database.table('events');
    this.revisions = database.table('revisions');
    this.streams = database.table('streams');
    this.lastPosition = this.head();
    this.lastStream = newestNumber(this.revisions);
  }

  /** The position of the last committed event, 0 where there is none. */
  head(): number {
    return newestNumber(this.events);
  }

  append(group: WriteGroup, { append, text }: PreparedAppend): AppendOutcome {
    const { stream, expected, events } = append;
    const key = streamKey(stream);
    const known = group.get(this.streams, key);
    const head = known === undefined ? undefined : decodeHead(known);
    const actual = head?.revision ?? 'no_stream';
    if (actual !== expected) return { kind: 'conflict', stream, actual };
    const number = head?.number ?? (this.lastStream += 1);
    const revision = (head?.revision ?? -1) + events.length;
    this.lastPosition += events.length;
    group.put(this.events, integerBytes(this.lastPosition), text);
    group.put(this.revisions, integerBytes(number) + integerBytes(revision), String(this.lastPosition));
    group.put(this.streams, key, `${number},${revision}`);
    return { kind: 'appended', stream, revision, position: BigInt(this.lastPosition) };
  }

  readStream(stream: string, { from, backwards = false, limit }: ReadStreamOptions): RecordedEvent[] {
    const stored = this.streams.get(streamKey(stream));
    if (stored === undefined) return [];
    const { number, revision: head } = decodeHead(stored);
    const bound = Math.min(Math.max(0, from ?? (backwards ? head : 0)), head + 1);
    const events: RecordedEvent[] = [];
    for (const { value } of entriesFrom(this.revisions, bound, backwards, integerBytes(number))) {
      for (const event of inOrder(this.appendAt(value, stream), backwards)) {
        if (backwards ? event.revision > bound : event.revision < bound) continue;
        events.push(event);
        if (events.length === limit) return events;
      }
    }
    return events;
  }

  /** Events after a position; at least one where there is one, then no more than the limits. */
  readAfter(position: number, limit: number, maximumCharacters = Infinity): RecordedEvent[] {
    const first = Math.min(Math.max(position, 0) + 1, largestPosition);
    const events: RecordedEvent[] = [];
    let characters = 0;
    for (const { key, value } of entriesFrom(this.events, first)) {
      characters += value.length;
      if (characters > maximumCharacters && events.length > 0) break;
      for (const event of decodeAppend(integerFromBytes(key), value)) {
        if (event.position >= first) events.push(event);
      }
      if (events.length >= limit) break;
    }
    return events.slice(0, limit);
  }

  /** The newest events before a position first, none at or before another. */
  readBackTo(position: number, limit: number, before: bigint | undefined): RecordedEvent[] {
    const newest = before === undefined ? largestPosition : Math.max(Number(before) - 1, 0);
    const oldest = Math.max(position, 0) + 1;
    const events: RecordedEvent[] = [];
    for (const { key, value } of entriesFrom(this.events, newest, true)) {
      for (const event of inOrder(decodeAppend(integerFromBytes(key), value), true)) {
        if (event.position > newest) continue;
        if (event.position < oldest) return events;
        events.push(event);
        if (events.length === limit) return events;
      }
    }
    return events;
  }

  private appendAt(stored: string, stream: string): RecordedEvent[] {
    // Positions begin at 1: whatever was put at 0 is in no reading of the log.
    const position = /^\d{1,14}$/.test(stored) ? Number(stored) : 0;
    const text = position === 0 ? undefined : this.events.get(integerBytes(position));
    if (text === undefined) throw new UnreadableEventError(BigInt(position), `of stream ${stream}`);
    return decodeAppend(position, text);
  }
}

/** The number that the last key of a table begins with; 0 where there is none. */
function newestNumber(table: Table): number {
  const [newest] = table.keys({ start: afterAll, end: '\0', reverse: true, limit: 1 });
  return newest === undefined ? 0 : integerFromBytes(newest);
}

/** The entries from the one that holds a bound on, or back from it. @param prefix of their keys */
function entriesFrom(table: Table, bound: number, backwards = false, prefix = ''): Iterable<Entry> {
  const start = prefix + integerBytes(bound);
  const end = prefix + afterAll;
  if (!backwards) return table.entries({ start, end });
  const [holder = end] = table.keys({ start, end, limit: 1 });
  return table.entries({ start: holder, end: prefix, reverse: true });
}

function inOrder(events: RecordedEvent[], backwards: boolean): RecordedEvent[] {
  return backwards ? events.reverse() : events;
}
