import { StreamIdentifier, UUID, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb.js';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb.js';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { AppendOutcome, ExpectedRevision, NewEvent, StreamAppend } from '../event-store.js';
import type { AppendFailure } from './client-errors.js';

/** What one try of an append came to. */
export type Attempt =
  /** Without an outcome where the server has not told the position. */
  { readonly kind: 'acknowledged'; readonly outcome: AppendOutcome | undefined } | AppendFailure;

/** A request larger than this is sent in parts. */
const MOST_REQUEST_BYTES = 3 * 1_048_576;

const WRONG_VERSION = 'event_store.client.WrongExpectedVersion';
const FAILURES: Readonly<Record<string, AppendFailure>> = {
  'event_store.client.MaximumAppendSizeExceeded': { kind: 'too_large' },
  'event_store.client.StreamDeleted': { kind: 'refused', reason: 'the stream was deleted' },
  'event_store.client.AccessDenied': { kind: 'refused', reason: 'access denied' },
  'event_store.client.Timeout': { kind: 'unknown', reason: 'the server ran out of time' },
};

/** The messages of one append, which an answer with the same correlation id ends. @param deadline milliseconds since the epoch */
export function requestsOf(append: StreamAppend, correlation: string, deadline: number): BatchAppendReq[] {
  const requests = [requestFor(correlation)];
  requests[0]!.setOptions(optionsOf(append, deadline));
  let bytes = 0;
  for (const event of append.events) {
    const [message, size] = proposedMessage(event);
    if (bytes > 0 && bytes + size > MOST_REQUEST_BYTES) {
      requests.push(requestFor(correlation));
      bytes = 0;
    }
    bytes += size;
    requests.at(-1)!.addProposedMessages(message);
  }
  requests.at(-1)!.setIsFinal(true);
  return requests;
}

function requestFor(correlation: string): BatchAppendReq {
  const request = new BatchAppendReq();
  request.setCorrelationId(uuid(correlation));
  request.setIsFinal(false);
  return request;
}

function optionsOf({ stream, expected }: StreamAppend, deadline: number): BatchAppendReq.Options {
  const options = new BatchAppendReq.Options();
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  options.setStreamIdentifier(identifier);
  options.setDeadline(Timestamp.fromDate(new Date(deadline)));
  if (expected === 'no_stream') options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  return options;
}

function proposedMessage(event: NewEvent): [message: BatchAppendReq.ProposedMessage, bytes: number] {
  const message = new BatchAppendReq.ProposedMessage();
  const data = Buffer.from(JSON.stringify(event.data), 'utf8');
  const metadata = Buffer.from(JSON.stringify(event.metadata), 'utf8');
  message.setId(uuid(event.id));
  message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
  message.setData(data);
  message.setCustomMetadata(metadata);
  return [message, data.length + metadata.length];
}

function uuid(text: string): UUID {
  const id = new UUID();
  id.setString(text);
  return id;
}

/** Which append an answer is to; a server may write an id as text or as two numbers. */
export function correlationOf(answer: BatchAppendResp): string {
  const id = answer.getCorrelationId();
  const structured = id?.getStructured();
  if (structured === undefined) return id?.getString() ?? '';
  const half = (bits: string) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const text = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** What the server says became of an append. */
export function attemptOf({ stream }: StreamAppend, answer: BatchAppendResp): Attempt {
  if (answer.hasError()) return failureOf(answer);
  const success = answer.getSuccess()!;
  const position = success.getPosition();
  if (position === undefined) return { kind: 'acknowledged', outcome: undefined };
  const revision = Number(success.getCurrentRevision());
  return {
    kind: 'acknowledged',
    outcome: { kind: 'appended', stream, revision, position: BigInt(position.getCommitPosition()) },
  };
}

function failureOf(answer: BatchAppendResp): AppendFailure {
  const error = answer.getError()!;
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
