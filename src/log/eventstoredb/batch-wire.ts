import { WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb.js';
import { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { AppendOutcome, ExpectedRevision, StreamAppend } from '../event-store.js';
import type { AppendFailure } from './client-errors.js';
import type { CheckedAppend, CheckedEvent } from './event-format.js';
import { MessageReader, MessageWriter } from './protobuf.js';
import { readPlace, readUuid, STREAM_NAME, UUID_TEXT } from './shared-wire.js';

/** What one try of an append came to. */
export type Attempt =
  /** Without an outcome where the server has not told the position. */
  { readonly kind: 'acknowledged'; readonly outcome: AppendOutcome | undefined } | AppendFailure;

/** What the server says to one append. */
export interface BatchAnswer {
  /** Of the append that is answered. */
  readonly correlation: string;
  readonly error: Status | undefined;
  readonly revision: number;
  readonly position: bigint | undefined;
}

/** A request larger than this is sent in parts. */
const MOST_REQUEST_BYTES = 3 * 1_048_576;

/** Numbers of fields, of `BatchAppendReq`, its `Options` and its `ProposedMessage`, as the server's protocol gives them. */
const REQUEST = { correlation: 1, options: 2, proposed: 3, isFinal: 4 } as const;
const OPTIONS = { stream: 1, position: 2, noStream: 3, deadline: 6 } as const;
const PROPOSED = { id: 1, metadata: 2, customMetadata: 3, data: 4 } as const;
const TIMESTAMP = { seconds: 1, nanoseconds: 2 } as const;
const ENTRY = { key: 1, value: 2 } as const;
/** And of `BatchAppendResp` and its `Success`. */
const ANSWER = { correlation: 1, error: 2, success: 3 } as const;
const SUCCESS = { revision: 1, position: 3 } as const;

const WRONG_VERSION = 'event_store.client.WrongExpectedVersion';
const FAILURES: Readonly<Record<string, AppendFailure>> = {
  'event_store.client.MaximumAppendSizeExceeded': { kind: 'too_large' },
  'event_store.client.StreamDeleted': { kind: 'refused', reason: 'the stream was deleted' },
  'event_store.client.AccessDenied': { kind: 'refused', reason: 'access denied' },
  'event_store.client.Timeout': { kind: 'unknown', reason: 'the server ran out of time' },
};

/** The messages of one append, which an answer with the same correlation id ends. @param deadline milliseconds since the epoch */
export function requestsOf(append: CheckedAppend, correlation: string, deadline: number): Buffer[] {
  const requests = [requestFor(correlation).message(REQUEST.options, optionsOf(append, deadline))];
  let bytes = 0;
  for (const event of append.events) {
    const size = event.dataBytes.length + event.metadataBytes.length;
    if (bytes > 0 && bytes + size > MOST_REQUEST_BYTES) {
      requests.push(requestFor(correlation));
      bytes = 0;
    }
    bytes += size;
    requests.at(-1)!.message(REQUEST.proposed, proposedMessage(event));
  }
  requests.at(-1)!.number(REQUEST.isFinal, 1);
  return requests.map((request) => request.finish());
}

function requestFor(correlation: string): MessageWriter {
  return new MessageWriter().message(REQUEST.correlation, uuid(correlation));
}

function optionsOf({ stream, expected }: StreamAppend, deadline: number): MessageWriter {
  const options = new MessageWriter().message(OPTIONS.stream, new MessageWriter().text(STREAM_NAME, stream));
  if (expected === 'no_stream') options.message(OPTIONS.noStream, new MessageWriter());
  else options.number(OPTIONS.position, expected);
  return options.message(
    OPTIONS.deadline,
    new MessageWriter()
      .number(TIMESTAMP.seconds, Math.floor(deadline / 1_000))
      .number(TIMESTAMP.nanoseconds, (deadline % 1_000) * 1_000_000),
  );
}

function proposedMessage({ id, type, dataBytes, metadataBytes }: CheckedEvent): MessageWriter {
  return new MessageWriter()
    .message(PROPOSED.id, uuid(id))
    .message(PROPOSED.metadata, entry('type', type))
    .message(PROPOSED.metadata, entry('content-type', 'application/json'))
    .bytes(PROPOSED.customMetadata, metadataBytes)
    .bytes(PROPOSED.data, dataBytes);
}

function entry(key: string, value: string): MessageWriter {
  return new MessageWriter().text(ENTRY.key, key).text(ENTRY.value, value);
}

function uuid(text: string): MessageWriter {
  return new MessageWriter().text(UUID_TEXT, text);
}

/** @throws RangeError where it is none */
export function readAnswer(message: Buffer): BatchAnswer {
  const reader = new MessageReader(message);
  let correlation = '';
  let error: Status | undefined;
  let success: Pick<BatchAnswer, 'revision' | 'position'> = { revision: 0, position: undefined };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === ANSWER.correlation) correlation = readUuid(reader.inner());
    else if (field === ANSWER.error) error = Status.deserializeBinary(reader.bytes());
    else if (field === ANSWER.success) success = readSuccess(reader.inner());
    else reader.skip();
  }
  return { correlation, error, ...success };
}

function readSuccess(reader: MessageReader): Pick<BatchAnswer, 'revision' | 'position'> {
  let revision = 0;
  let position: bigint | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === SUCCESS.revision) revision = reader.number();
    else if (field === SUCCESS.position) position = readPlace(reader.inner()).commit;
    else reader.skip();
  }
  return { revision, position };
}

/** What the server says became of an append. */
export function attemptOf({ stream }: StreamAppend, { error, revision, position }: BatchAnswer): Attempt {
  if (error !== undefined) return failureOf(error);
  const outcome =
    position === undefined ? undefined : ({ kind: 'appended', stream, revision, position } as const);
  return { kind: 'acknowledged', outcome };
}

function failureOf(error: Status): AppendFailure {
  const details = error.getDetails();
  const name = details?.getTypeName() ?? '';
  if (name === WRONG_VERSION) {
    const wrong = details?.unpack((bytes) => WrongExpectedVersion.deserializeBinary(bytes), name);
    return { kind: 'conflict', actual: headOf(wrong ?? undefined) };
  }
  return FAILURES[name] ?? { kind: 'unknown', reason: error.getMessage() || name };
}

function headOf(wrong: WrongExpectedVersion | undefined): ExpectedRevision {
  return wrong?.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : 'no_stream';
}
