import { createHash } from 'node:crypto';
import type { EmbeddedDatabase } from '../database/embedded-database.js';
import {
  afterAll,
  type ByteString,
  integerBytes,
  integerFromBytes,
  utf8Bytes,
} from '../database/key-encoding.js';
import type { Entry, StoreTable } from '../database/table.js';
import type { WriteGroup } from '../database/group-commit.js';
import { EventTooLargeError, UnreadableEventError } from '#eventsourcing/log/event-store.errors.js';
import type {
  AppendOutcome,
  Json,
  JsonObject,
  ReadStreamOptions,
  RecordedEvent,
  StreamAppend,
} from '#eventsourcing/log/event-store.js';

/*
 * Storage format: add, never change. All events of one append to a stream are one entry, under its last event.
 *
 *   events     position of the last event     → JSON [stream, revision of the last event, event, …]
 *                                               event: [id, type, data, metadata]
 *   revisions  stream number, revision of the last event → its position in decimal
 *   streams    stream name                    → "stream number,head revision"
 *
 * Numbers in keys are six bytes, names UTF-8. An entry has the key of its last event. So the first key at or after a
 * bound contains the first event from there on, and the newest key is the end of the log.
 */

const maximumStreamBytes = 1_048_576;
const largestPosition = 2 ** 48 - 1;

/** An append that was encoded before its group commit, which blocks the event loop. */
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
  const span = events.length - 1;
  return events.map(([id, type, data, metadata], index) => ({
    id: id as string,
    type: type as string,
    data: data as JsonObject,
    metadata: metadata as JsonObject,
    stream,
    revision: last - span + index,
    position: BigInt(position - span + index),
  }));
}

/** Finds texts in which `JSON.parse` may read a number as infinity: numbers with an exponent or hundreds of digits. */
const MAY_BE_INFINITE = /[,:[]\s*-?(?:\d[\d.]*[eE]|\d{300})/;

function assertFinite(_: string, value: unknown): unknown {
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
    const value: unknown = JSON.parse(text, MAY_BE_INFINITE.test(text) ? assertFinite : undefined);
    if (isStoredAppend(value)) return value;
    throw new TypeError('It does not have the form of an append.');
  } catch (cause) {
    const described = /^\["([^"]*)",(\d+),/.exec(text);
    const name = described === null ? 'unknown stream' : `stream ${described[1]}, revision ${described[2]}`;
    throw new UnreadableEventError(BigInt(position), name, { cause });
  }
}

const longestPlainName = 1_000;

/** A very long name is cut, and a hash keeps it unique. */
function streamKey(stream: string): ByteString {
  const name = utf8Bytes(stream);
  if (name.length <= longestPlainName) return name;
  return (
    name.slice(0, longestPlainName) + createHash('sha256').update(name, 'latin1').digest().toString('latin1')
  );
}

/** An entry of the table `streams`. */
interface StreamEntry {
  readonly number: number;
  readonly revision: number;
}

function decodeStreamEntry(text: string): StreamEntry {
  const comma = text.indexOf(',');
  return { number: Number(text.slice(0, comma)), revision: Number(text.slice(comma + 1)) };
}

/** Reads committed events, and appends within a group commit. */
export class EventLog {
  readonly #events: StoreTable;
  readonly #revisions: StoreTable;
  readonly #streams: StoreTable;
  /** Counted in memory: a failed commit leaves a gap, which the port allows. */
  #lastPosition: number;
  #lastStream: number;

  constructor(database: EmbeddedDatabase) {
    this.#events = database.table('events');
    this.#revisions = database.table('revisions');
    this.#streams = database.table('streams');
    this.#lastPosition = this.head();
    this.#lastStream = newestNumber(this.#revisions);
  }

  /** The position of the last committed event; 0 if there is none. */
  head(): number {
    return newestNumber(this.#events);
  }

  append(group: WriteGroup, { append, text }: PreparedAppend): AppendOutcome {
    const { stream, expected, events } = append;
    const key = streamKey(stream);
    const known = group.get(this.#streams, key);
    const head = known === undefined ? undefined : decodeStreamEntry(known);
    const actual = head?.revision ?? 'no_stream';
    if (actual !== expected) return { kind: 'conflict', stream, actual };
    const number = head?.number ?? (this.#lastStream += 1);
    const revision = (head?.revision ?? -1) + events.length;
    this.#lastPosition += events.length;
    group.put(this.#events, integerBytes(this.#lastPosition), text);
    group.put(this.#revisions, integerBytes(number) + integerBytes(revision), String(this.#lastPosition));
    group.put(this.#streams, key, `${number},${revision}`);
    return { kind: 'appended', stream, revision, position: BigInt(this.#lastPosition) };
  }

  /** At least `limit` events if there are so many: the append that reaches it is read whole, to be decoded once. */
  readStream(
    stream: string,
    { from, backwards = false, limit = Infinity }: ReadStreamOptions,
  ): RecordedEvent[] {
    const stored = this.#streams.get(streamKey(stream));
    if (stored === undefined) return [];
    const { number, revision: head } = decodeStreamEntry(stored);
    // A caller may name any revision, but a key has six bytes for it. Behind the head, every bound finds the same events.
    const bound = Math.min(Math.max(0, from ?? (backwards ? head : 0)), head + 1);
    const isAsked = ({ revision }: RecordedEvent) => (backwards ? revision <= bound : revision >= bound);
    const events: RecordedEvent[] = [];
    for (const { value } of entriesFrom(this.#revisions, bound, backwards, integerBytes(number))) {
      for (const event of inOrder(this.#appendAt(value, stream), backwards))
        if (isAsked(event)) events.push(event);
      if (events.length >= limit) break;
    }
    return events;
  }

  /** Events after a position up to the append that reaches a limit, which is read whole. At least one if there is one. */
  readAfter(position: number, limit: number, maximumCharacters = Infinity): RecordedEvent[] {
    const first = Math.min(Math.max(position, 0) + 1, largestPosition);
    const events: RecordedEvent[] = [];
    let characters = 0;
    for (const { key, value } of entriesFrom(this.#events, first)) {
      characters += value.length;
      if (characters > maximumCharacters && events.length > 0) break;
      for (const event of decodeAppend(integerFromBytes(key), value)) {
        if (event.position >= first) events.push(event);
      }
      if (events.length >= limit) break;
    }
    return events;
  }

  /** Events before the position `before` and after `position`, the newest first. Ends as {@link readAfter} does. */
  readBackTo(position: number, limit: number, before: bigint | undefined): RecordedEvent[] {
    const newest = before === undefined ? largestPosition : Math.max(Number(before) - 1, 0);
    const oldest = Math.max(position, 0) + 1;
    const events: RecordedEvent[] = [];
    for (const { key, value } of entriesFrom(this.#events, newest, true)) {
      for (const event of inOrder(decodeAppend(integerFromBytes(key), value), true)) {
        if (event.position > newest) continue;
        if (event.position < oldest) return events;
        events.push(event);
      }
      if (events.length >= limit) break;
    }
    return events;
  }

  #appendAt(stored: string, stream: string): RecordedEvent[] {
    // Positions begin at 1. No read of the log returns an entry at 0.
    const position = /^\d{1,14}$/.test(stored) ? Number(stored) : 0;
    const text = position === 0 ? undefined : this.#events.get(integerBytes(position));
    if (text === undefined) throw new UnreadableEventError(BigInt(position), `of stream ${stream}`);
    return decodeAppend(position, text);
  }
}

/** The number at the beginning of the last key of a table; 0 if the table is empty. */
function newestNumber(table: StoreTable): number {
  const [newest] = table.keys({ start: afterAll, end: '\0', reverse: true, limit: 1 });
  return newest === undefined ? 0 : integerFromBytes(newest);
}

/** Entries from the one that contains the bound, forwards or backwards. @param prefix of their keys */
function entriesFrom(table: StoreTable, bound: number, backwards = false, prefix = ''): Iterable<Entry> {
  const start = prefix + integerBytes(bound);
  const end = prefix + afterAll;
  if (!backwards) return table.entries({ start, end });
  const [containing = end] = table.keys({ start, end, limit: 1 });
  return table.entries({ start: containing, end: prefix, reverse: true });
}

function inOrder(events: RecordedEvent[], backwards: boolean): RecordedEvent[] {
  return backwards ? events.reverse() : events;
}
