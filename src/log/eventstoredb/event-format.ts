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

/** An event as the port returns it; undefined for the server's own events, which no caller shall see. */
export function toRecordedEvent(event: ClientEvent | undefined): RecordedEvent | undefined {
  if (!event || event.type.startsWith('$') || event.streamId.startsWith('$')) return undefined;
  return {
    id: event.id,
    type: event.type,
    data: event.data as JsonObject,
    metadata: (event.metadata ?? {}) as JsonObject,
    stream: event.streamId,
    revision: toNumber(event.revision),
    position: demandPosition(event.position?.commit),
  };
}

/** An event's position. @throws StoreUnavailableError where the server is too old (before 22.6) to tell it. */
export function demandPosition(told: bigint | undefined): bigint {
  if (!isPosition(told)) {
    throw new StoreUnavailableError(
      'The event store does not tell positions; EventStoreDB 22.6 or newer is needed.',
      false,
    );
  }
  return told;
}
