import { createStreamIdentifier, createUUID, parseUUID } from '@eventstore/db-client/dist/utils/index.js';
import { WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb.js';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { AppendOutcome, ExpectedRevision, StreamAppend } from '#eventsourcing/log/event-store.js';
import { type AppendFailure, toNumber } from './client-errors.js';
import type { CheckedAppend, CheckedEvent } from './event-format.js';

/** The result of one attempt of an append. */
export type Attempt =
  /** The outcome is undefined if the server did not send the position. */
  { readonly kind: 'acknowledged'; readonly outcome: AppendOutcome | undefined } | AppendFailure;

/** The server's answer to one append. */
export interface BatchAnswer {
  /** Id of the append. */
  readonly correlation: string;
  readonly error: Status | undefined;
  readonly revision: number;
  readonly position: bigint | undefined;
}

/** A request larger than this is sent in parts. */
const MOST_REQUEST_BYTES = 3 * 1_048_576;

const WRONG_VERSION = 'event_store.client.WrongExpectedVersion';
const FAILURES: Readonly<Record<string, AppendFailure>> = {
  'event_store.client.MaximumAppendSizeExceeded': { kind: 'too_large' },
  'event_store.client.StreamDeleted': { kind: 'conflict', actual: 'damaged' },
  'event_store.client.AccessDenied': { kind: 'refused', reason: 'access denied' },
  'event_store.client.Timeout': { kind: 'unknown', reason: 'the server ran out of time' },
};

/** The messages of one append. @param deadline in milliseconds since the epoch */
export function requestsOf(append: CheckedAppend, correlation: string, deadline: number): BatchAppendReq[] {
  const requests = [requestFor(correlation).setOptions(optionsOf(append, deadline))];
  let bytes = 0;
  for (const event of append.events) {
    const size = event.dataBytes.length + event.metadataBytes.length;
    if (bytes > 0 && bytes + size > MOST_REQUEST_BYTES) {
      requests.push(requestFor(correlation));
      bytes = 0;
    }
    bytes += size;
    requests.at(-1)!.addProposedMessages(proposedMessage(event));
  }
  requests.at(-1)!.setIsFinal(true);
  return requests;
}

function requestFor(correlation: string): BatchAppendReq {
  return new BatchAppendReq().setCorrelationId(createUUID(correlation));
}

function optionsOf({ stream, expected }: StreamAppend, deadline: number): BatchAppendReq.Options {
  const options = new BatchAppendReq.Options()
    .setStreamIdentifier(createStreamIdentifier(stream))
    .setDeadline(Timestamp.fromDate(new Date(deadline)));
  return expected === 'no_stream'
    ? options.setNoStream(new Empty())
    : options.setStreamPosition(String(expected));
}

function proposedMessage({
  id,
  type,
  dataBytes,
  metadataBytes,
}: CheckedEvent): BatchAppendReq.ProposedMessage {
  const message = new BatchAppendReq.ProposedMessage()
    .setId(createUUID(id))
    .setData(dataBytes)
    .setCustomMetadata(metadataBytes);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

/** @throws RangeError for a revision beyond 2^53 */
export function readAnswer(bytes: Uint8Array): BatchAnswer {
  const answer = BatchAppendResp.deserializeBinary(bytes);
  const success = answer.getSuccess();
  const position = success?.getPosition();
  return {
    correlation: parseUUID(answer.getCorrelationId()) ?? '',
    error: answer.getError(),
    revision: toNumber(BigInt(success?.getCurrentRevision() ?? 0)),
    position: position && BigInt(position.getCommitPosition()),
  };
}

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
    return { kind: 'conflict', actual: currentRevision(wrong ?? undefined) };
  }
  return FAILURES[name] ?? { kind: 'unknown', reason: error.getMessage() || name };
}

function currentRevision(wrong: WrongExpectedVersion | undefined): ExpectedRevision {
  return wrong?.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : 'no_stream';
}
