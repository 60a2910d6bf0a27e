import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb.js';
import { StreamIdentifier, UUID, type UUID as WireUuid } from '@eventstore/db-client/generated/shared_pb.js';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { ProposedEvent, StoredEvent } from './event-log.js';

/** A failed call, as the server words it: the client tells errors apart by the `exception` entry. */
export function callError(code: status, details: string, entries: Record<string, string> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(entries)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export const invalidArgument = (details: string): ServiceError => callError(status.INVALID_ARGUMENT, details);

export const streamDeleted = (stream: string): ServiceError =>
  callError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const notLeader = (host: string, port: number): ServiceError =>
  callError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

/** The error inside an answer on the batch path. */
export function answerError(
  message: string,
  typeName?: string,
  details: Uint8Array = new Uint8Array(),
): Status {
  const error = new Status();
  error.setMessage(message);
  if (typeName !== undefined) {
    const any = new Any();
    any.pack(Uint8Array.from(details), typeName);
    error.setDetails(any);
  } else {
    error.setDetails(new Any());
  }
  return error;
}

export function streamName(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

export function streamIdentifier(stream: string): StreamIdentifier {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Uint8Array.from(Buffer.from(stream, 'utf8')));
  return identifier;
}

/** What both kinds of proposed message have in common. */
interface ProposedMessage {
  getId(): WireUuid | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

export function proposedEvent(message: ProposedMessage): ProposedEvent {
  return {
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function readEvent(event: StoredEvent): ReadResp {
  const record = new ReadResp.ReadEvent.RecordedEvent();
  const id = new UUID();
  id.setString(event.id);
  record.setId(id);
  record.setStreamIdentifier(streamIdentifier(event.stream));
  record.setStreamRevision(String(event.revision));
  record.setCommitPosition(String(event.position));
  record.setPreparePosition(String(event.position));
  record.getMetadataMap().set('type', event.type);
  record.getMetadataMap().set('content-type', event.contentType);
  record.getMetadataMap().set('created', String(BigInt(event.created) * 10_000n));
  record.setData(event.data);
  record.setCustomMetadata(event.metadata);
  const wrapped = new ReadResp.ReadEvent();
  wrapped.setEvent(record);
  wrapped.setCommitPosition(String(event.position));
  const answer = new ReadResp();
  answer.setEvent(wrapped);
  return answer;
}
