import { createHash } from 'node:crypto';
import { type ByteString, utf8Bytes } from '../../storage/key-encoding.js';
import type { Json, JsonObject, RecordedEvent, StreamAppend } from '../event-store.js';
import { EventTooLargeError, UnreadableEventError } from '../event-store.errors.js';

/*
 * Storage format: add, never change.
 *
 *   events     position                → JSON [stream, revision, id, type, data, metadata]
 *   revisions  stream number, revision → position in decimal
 *   streams    stream name             → "stream number,head revision"
 *   meta       next_stream             → the next free stream number
 *
 * Numbers in keys are six bytes, names UTF-8.
 */

const maximumStreamBytes = 1_048_576;

/**
 * An event's text without stream and revision, which are known only when the append is decided.
 * @throws EventTooLargeError
 */
export function encodeEvents(append: StreamAppend): string[] {
  let bytes = 0;
  return append.events.map((event) => {
    const data = JSON.stringify(event.data);
    bytes += Buffer.byteLength(data);
    if (bytes > maximumStreamBytes) throw new EventTooLargeError(append.stream);
    return `${JSON.stringify(event.id)},${JSON.stringify(event.type)},${data},${JSON.stringify(event.metadata)}]`;
  });
}

export function storedEvent(stream: string, revision: number, encoded: string): string {
  return `[${JSON.stringify(stream)},${revision},${encoded}`;
}

/** @throws UnreadableEventError */
export function decodeEvent(position: number, text: string): RecordedEvent {
  const [stream, revision, id, type, data, metadata] = parsed(position, text);
  return {
    id: id as string,
    type: type as string,
    data: data as JsonObject,
    metadata: metadata as JsonObject,
    stream: stream as string,
    revision: revision as number,
    position: BigInt(position),
  };
}

/** A number with an exponent or some hundred digits, or text that looks like one. We write neither of what is not finite. */
const MAY_BE_INFINITE = /[,:[]\s*-?(?:\d[\d.]*[eE]|\d{300})/;

/** JSON has no infinity, but is read as one where a number is too large. */
function demandFinite(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number is too large.');
  return value;
}

function parsed(position: number, text: string): readonly Json[] {
  try {
    const members = JSON.parse(text, MAY_BE_INFINITE.test(text) ? demandFinite : undefined) as Json;
    if (Array.isArray(members) && members.length === 6) return members;
    throw new TypeError('It has not the form of an event.');
  } catch (cause) {
    const described = /^\["([^"]*)",(\d+),/.exec(text);
    const name = described === null ? 'unknown stream' : `stream ${described[1]}, revision ${described[2]}`;
    throw new UnreadableEventError(BigInt(position), name, { cause });
  }
}

const longestPlainName = 1_000;

/** Names beyond what is usual keep their beginning and are told apart by a hash. */
export function streamKey(stream: string): ByteString {
  const name = utf8Bytes(stream);
  if (name.length <= longestPlainName) return name;
  return (
    name.slice(0, longestPlainName) + createHash('sha256').update(name, 'latin1').digest().toString('latin1')
  );
}

export interface StreamHead {
  readonly number: number;
  readonly revision: number;
}

export function encodeHead(head: StreamHead): string {
  return `${head.number},${head.revision}`;
}

export function decodeHead(text: string): StreamHead {
  const comma = text.indexOf(',');
  return { number: Number(text.slice(0, comma)), revision: Number(text.slice(comma + 1)) };
}
