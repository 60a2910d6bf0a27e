import type { RecordedEvent as ClientEvent } from '@eventstore/db-client';
import { isObject } from '#kernel/core/is-object.js';
import { EventTooLargeError } from '#eventsourcing/log/event-store.errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import {
  type JsonObject,
  type NewEvent,
  type RecordedEvent,
  type StreamAppend,
  STREAM_CHANGED,
} from '#eventsourcing/log/event-store.js';
import { isPosition } from '#eventsourcing/log/position.js';
import { toNumber } from './client-errors.js';

/** The server's limit for the data of one append. It does not count metadata and types. */
const MOST_DATA_BYTES = 1_048_576;
/** For the metadata of one append. The server's limit for a whole message is 16 MiB. */
const MOST_METADATA_BYTES = 4 * 1_048_576;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A valid event and its encoded content. */
export interface CheckedEvent extends NewEvent {
  readonly dataBytes: Buffer;
  readonly metadataBytes: Buffer;
}

/** A valid append. */
export interface CheckedAppend extends StreamAppend {
  readonly events: readonly CheckedEvent[];
}

/**
 * Checks appends before the client gets them. After a malformed id or an empty type the client can never append again.
 * With a BigInt an append never ends.
 * @throws TypeError for a bug of the caller, EventTooLargeError
 */
export function checkAppends(appends: readonly StreamAppend[]): CheckedAppend[] {
  const streams = new Set<string>();
  return appends.map((append) => {
    if (streams.has(append.stream))
      throw new TypeError(`Stream ${append.stream} is named twice in one call.`);
    streams.add(append.stream);
    return checkAppend(append);
  });
}

function checkAppend({ stream, expected, events }: StreamAppend): CheckedAppend {
  if (stream === '' || stream.startsWith('$')) throw new TypeError(`"${stream}" cannot be a stream's name.`);
  if (events.length === 0) throw new TypeError(`The append to ${stream} has no events.`);
  if (expected !== 'no_stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new TypeError(`${String(expected)} cannot be the expected revision of ${stream}.`);
  }
  let dataBytes = 0;
  let metadataBytes = 0;
  const ids = new Set<string>();
  const checked = events.map((event) => {
    checkEvent(stream, event, ids);
    const one = { ...event, dataBytes: jsonBytes(event.data), metadataBytes: jsonBytes(event.metadata) };
    dataBytes += one.dataBytes.length;
    metadataBytes += one.metadataBytes.length;
    return one;
  });
  if (dataBytes > MOST_DATA_BYTES || metadataBytes > MOST_METADATA_BYTES)
    throw new EventTooLargeError(stream);
  return { stream, expected, events: checked };
}

function checkEvent(stream: string, event: NewEvent, ids: Set<string>): void {
  if (typeof event.id !== 'string' || !UUID.test(event.id)) {
    throw new TypeError(`"${String(event.id)}", an event id for ${stream}, is not a UUID.`);
  }
  if (ids.has(event.id))
    throw new TypeError(`The append to ${stream} contains the event id ${event.id} twice.`);
  ids.add(event.id);
  if (typeof event.type !== 'string' || event.type === '' || event.type.startsWith('$')) {
    throw new TypeError(`"${String(event.type)}" cannot be an event type (stream ${stream}).`);
  }
  assertJson(event.data, `data of ${event.type}`);
  assertJson(event.metadata, `metadata of ${event.type}`);
}

/** Refuses values that JSON would change, such as `undefined`, NaN, dates and BigInts. */
function assertJson(value: JsonObject, where: string): void {
  const fault = faultIn(value);
  if (fault !== undefined) throw new TypeError(`${where}${fault} is not a JSON value.`);
}

/** The path to the first member that is not a JSON value. */
function faultIn(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : '';
    case 'object':
      return value === null ? undefined : faultInside(value);
    default:
      return '';
  }
}

function faultInside(value: object): string | undefined {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return '';
  for (const [key, item] of Object.entries(value)) {
    const fault = faultIn(item);
    if (fault !== undefined) return `${Array.isArray(value) ? `[${key}]` : `.${key}`}${fault}`;
  }
  return undefined;
}

function jsonBytes(value: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** An event from the server. Data and metadata are bytes, or values that the client has decoded. */
export interface FoundEvent extends Omit<RecordedEvent, 'data' | 'metadata'> {
  readonly data: unknown;
  readonly metadata: unknown;
}

/** What a record is to the service, by its type and its stream. */
export type RecordKind =
  | { readonly kind: 'event' }
  /** Of the server or of another application. */
  | { readonly kind: 'foreign' }
  /** Somebody deleted, shortened or restored a stream of ours. */
  | { readonly kind: 'change'; readonly stream: string };

const EVENT = { kind: 'event' } as const;
const FOREIGN = { kind: 'foreign' } as const;
const TOMBSTONE = '$streamDeleted';
/** The metadata of a stream are kept in a stream with this before its name. */
const METADATA_OF = '$$';

/**
 * Ask it before anything else of a record is read: a tombstone, for example, has a revision beyond 2^53.
 * @param streamPrefix how the names of our streams begin; absent: all streams but the server's own are ours
 */
export function kindOf(type: string, stream: string, streamPrefix?: string): RecordKind {
  if (streamPrefix === undefined) return type.startsWith('$') || stream.startsWith('$') ? FOREIGN : EVENT;
  if (stream.startsWith(METADATA_OF + streamPrefix))
    return { kind: 'change', stream: stream.slice(METADATA_OF.length) };
  if (!stream.startsWith(streamPrefix)) return FOREIGN;
  return type === TOMBSTONE ? { kind: 'change', stream } : EVENT;
}

/** How the names of the streams begin whose records {@link kindOf} does not call foreign. */
export function prefixesOf(streamPrefix: string): string[] {
  return [streamPrefix, METADATA_OF + streamPrefix];
}

/** The port's record of a change of a whole stream. @param data the stream's new metadata, as bytes or decoded */
export function changeRecord(stream: string, id: string, position: bigint, data: unknown): RecordedEvent {
  const stated = jsonIn(data);
  const content = (isObject(stated) ? stated : {}) as JsonObject;
  return { id, type: STREAM_CHANGED, stream, revision: 0, position, data: content, metadata: {} };
}

/**
 * The port's event. Another application's event may be something else than JSON: then `data` is its text, and metadata
 * that are not an object become empty. Decoding such an event throws.
 */
export function recordedEvent(found: FoundEvent): RecordedEvent {
  const { id, type, stream, revision, position } = found;
  const data = jsonIn(found.data) as JsonObject;
  const stated = jsonIn(found.metadata);
  const metadata = (isObject(stated) ? stated : {}) as JsonObject;
  return { id, type, data, metadata, stream, revision, position };
}

/** The client decodes only events that are marked as JSON. */
function jsonIn(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Our events among those of the client, and the changes of our streams. @throws StoreUnavailableError */
export function toRecordedEvents(events: readonly ClientEvent[], streamPrefix?: string): RecordedEvent[] {
  return events.flatMap((event) => {
    const found = kindOf(event.type, event.streamId, streamPrefix);
    if (found.kind === 'foreign') return [];
    const position = assertPosition(event.position?.commit);
    return found.kind === 'change'
      ? changeRecord(found.stream, event.id, position, event.data)
      : toRecordedEvent(event, position);
  });
}

function toRecordedEvent(event: ClientEvent, position: bigint): RecordedEvent {
  const { id, type, data, metadata, streamId: stream } = event;
  return recordedEvent({ id, type, data, metadata, stream, revision: toNumber(event.revision), position });
}

/** @throws StoreUnavailableError if the server (before 22.6) sends no positions */
export function assertPosition(position: bigint | undefined): bigint {
  if (!isPosition(position)) {
    throw new StoreUnavailableError(
      'The event store sends no positions. Use EventStoreDB 22.6 or newer.',
      false,
    );
  }
  return position;
}
