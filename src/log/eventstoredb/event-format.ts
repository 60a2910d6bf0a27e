import type { RecordedEvent as ClientEvent } from '@eventstore/db-client';
import { EventTooLargeError } from '../event-store.errors.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { JsonObject, NewEvent, RecordedEvent, StreamAppend } from '../event-store.js';
import { isPosition } from '../position.js';
import { toNumber } from './client-errors.js';

/** Data of one append, all its events together (the server's limit; metadata and types are not counted). */
const MOST_DATA_BYTES = 1_048_576;
/** Metadata of one append. The server's limit for a whole message is 16 MiB, and beyond it the connection suffers. */
const MOST_METADATA_BYTES = 4 * 1_048_576;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An event that a server takes, and what of it goes there. */
export interface CheckedEvent extends NewEvent {
  readonly dataBytes: Buffer;
  readonly metadataBytes: Buffer;
}

/** An append that a server takes. */
export interface CheckedAppend extends StreamAppend {
  readonly events: readonly CheckedEvent[];
}

/**
 * Refuses what the client cannot take, before anything is sent: a malformed id or an empty type is answered twice by
 * the server and leaves the client unable to append ever again; a BigInt leaves the append pending for ever.
 * @throws TypeError for a bug of the caller, EventTooLargeError
 */
export function checkAppends(appends: readonly StreamAppend[]): CheckedAppend[] {
  const streams = new Set<string>();
  return appends.map((append) => {
    if (streams.has(append.stream))
      throw new TypeError(`The stream ${append.stream} stands twice in one append.`);
    streams.add(append.stream);
    return checkAppend(append);
  });
}

function checkAppend({ stream, expected, events }: StreamAppend): CheckedAppend {
  if (stream === '' || stream.startsWith('$')) throw new TypeError(`"${stream}" is no name for a stream.`);
  if (events.length === 0) throw new TypeError(`The append to ${stream} has no events.`);
  if (expected !== 'no_stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new TypeError(`${String(expected)} is no revision to expect of ${stream}.`);
  }
  let dataBytes = 0;
  let metadataBytes = 0;
  const ids = new Set<string>();
  const checked = events.map((event) => {
    checkEvent(stream, event, ids);
    const one = checkedEvent(event);
    dataBytes += one.dataBytes.length;
    metadataBytes += one.metadataBytes.length;
    return one;
  });
  if (dataBytes > MOST_DATA_BYTES || metadataBytes > MOST_METADATA_BYTES)
    throw new EventTooLargeError(stream);
  return { stream, expected, events: checked };
}

function checkedEvent({ id, type, data, metadata }: NewEvent): CheckedEvent {
  return { id, type, data, metadata, dataBytes: jsonBytes(data), metadataBytes: jsonBytes(metadata) };
}

function checkEvent(stream: string, event: NewEvent, ids: Set<string>): void {
  if (typeof event.id !== 'string' || !UUID.test(event.id)) {
    throw new TypeError(`"${String(event.id)}", an event id for ${stream}, is no UUID.`);
  }
  if (ids.has(event.id))
    throw new TypeError(`The event id ${event.id} stands twice in the append to ${stream}.`);
  ids.add(event.id);
  if (typeof event.type !== 'string' || event.type === '' || event.type.startsWith('$')) {
    throw new TypeError(`"${String(event.type)}" is no event type (stream ${stream}).`);
  }
  demandJson(event.data, `data of ${event.type}`);
  demandJson(event.metadata, `metadata of ${event.type}`);
}

/** Only what reads back as it was written: `undefined`, NaN, dates or BigInts do not. */
function demandJson(value: JsonObject, where: string): void {
  const fault = faultIn(value);
  if (fault !== undefined) throw new TypeError(`${where}${fault} is no JSON value.`);
}

/** The path to the first member that is no JSON value. */
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

/** An event as it was read: data and metadata as bytes, or as the client has made them. */
export interface FoundEvent extends Omit<RecordedEvent, 'data' | 'metadata'> {
  readonly data: unknown;
  readonly metadata: unknown;
}

/**
 * An event as the port returns it, the same whichever read has found it; undefined for the server's own events, which no
 * caller shall see. What is no JSON is no event of the service's: its text stands for data, and metadata that are no object
 * are empty, so that whoever decodes the event refuses it by name.
 */
export function recordedEvent(found: FoundEvent): RecordedEvent | undefined {
  const { id, type, stream, revision, position } = found;
  if (type.startsWith('$') || stream.startsWith('$')) return undefined;
  const data = jsonIn(found.data) as JsonObject;
  const metadata = jsonIn(found.metadata);
  return { id, type, data, metadata: isObject(metadata) ? metadata : {}, stream, revision, position };
}

/** The client leaves as bytes what it was not told to be JSON. */
function jsonIn(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An event of the client as the port returns it; undefined for the server's own. @throws StoreUnavailableError */
export function toRecordedEvent(event: ClientEvent | undefined): RecordedEvent | undefined {
  if (event === undefined) return undefined;
  const { id, type, data, metadata, streamId: stream } = event;
  const position = demandPosition(event.position?.commit);
  return recordedEvent({ id, type, data, metadata, stream, revision: toNumber(event.revision), position });
}

/** An event's position. @throws StoreUnavailableError where the server is too old (before 22.6) to tell it. */
export function demandPosition(told: bigint | undefined): bigint {
  if (!isPosition(told)) {
    throw new StoreUnavailableError(
      'The event store sends no positions. Use EventStoreDB 22.6 or newer.',
      false,
    );
  }
  return told;
}
