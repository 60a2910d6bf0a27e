import { status, type ServerWritableStream, type ServiceError } from '@grpc/grpc-js';
import { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { placeOf, standsAt, type StoredEvent } from './event-log.js';
import type { NodeContext } from './node-context.js';
import { followAll } from './all-subscription.js';
import { callError, readEvent, streamDeleted, streamIdentifier, streamName } from './wire.js';

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** Reads of a stream and of `$all`, and subscriptions to `$all`. */
export function read(node: NodeContext, call: ReadCall): void {
  const options = call.request.getOptions()!;
  const requiresLeader = call.metadata.get('requires-leader').includes('true');
  const unavailable = node.faults.take('unavailable')
    ? callError(status.UNAVAILABLE, 'Unavailable')
    : undefined;
  const error = unavailable ?? node.refusal(requiresLeader) ?? countError(options);
  if (error) return void call.emit('error', error);
  if (options.hasSubscription()) return followAll(node, call, options);
  if (options.hasStream()) return readStream(node, call, options);
  send(call, readAll(node, options));
}

function countError(options: ReadReq.Options): ServiceError | undefined {
  if (options.hasSubscription() || Number(options.getCount()) > 0) return undefined;
  return failedRead(options.hasStream() ? 'ReadStreamResult: Error' : 'ReadAllResult: Error');
}

function readStream(node: NodeContext, call: ReadCall, options: ReadReq.Options): void {
  const from = options.getStream()!;
  const stream = streamName(from.getStreamIdentifier());
  if (node.log.isTombstoned(stream)) return void call.emit('error', streamDeleted(stream));
  const events = visibleEvents(node, stream);
  if (events === undefined) {
    const missing = new ReadResp.StreamNotFound();
    missing.setStreamIdentifier(streamIdentifier(stream));
    const answer = new ReadResp();
    answer.setStreamNotFound(missing);
    call.write(answer);
    return void call.end();
  }
  const backwards = options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS;
  if (from.hasEnd() && !backwards) return void call.emit('error', failedRead('ReadStreamResult: Error'));
  const revision = from.hasRevision() ? Number(from.getRevision()) : from.hasEnd() ? Infinity : 0;
  const wanted = backwards
    ? events.filter((event) => event.revision <= revision).reverse()
    : events.filter((event) => event.revision >= revision);
  send(call, wanted.slice(0, Number(options.getCount())));
}

/** Undefined where there is no such stream. */
function visibleEvents(node: NodeContext, stream: string): StoredEvent[] | undefined {
  const last = node.visible().at(-1)?.position ?? -1n;
  const events = node.log.streamEvents(stream);
  const visible = events?.filter(({ position }) => position <= last);
  // All may be hidden by metadata, and the stream is there.
  return visible?.length === 0 && events!.length > 0 ? undefined : visible;
}

/** Forwards from a position includes it, backwards does not; a filter is ignored. */
function readAll(node: NodeContext, options: ReadReq.Options): StoredEvent[] | ServiceError {
  const backwards = options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS;
  const found = backwards ? allBackwards(node, options.getAll()!) : allForwards(node, options.getAll()!);
  return Array.isArray(found) ? found.slice(0, Number(options.getCount())) : found;
}

function allForwards(node: NodeContext, from: ReadReq.Options.AllOptions): StoredEvent[] | ServiceError {
  const events = node.visible();
  if (from.hasEnd()) return failedRead('ReadAllResult: Error');
  if (from.hasStart()) return [...events];
  const position = BigInt(from.getPosition()!.getCommitPosition());
  if (BigInt(from.getPosition()!.getPreparePosition()) > position)
    return callError(status.UNKNOWN, 'Exception was thrown by handler.');
  if (position <= (events.at(-1)?.position ?? 0n) && !isKnown(events, position))
    return failedRead('ReadAllResult: InvalidPosition');
  return events.slice(placeOf(events, position));
}

/** From beyond the head, backwards starts at the head. */
function allBackwards(node: NodeContext, from: ReadReq.Options.AllOptions): StoredEvent[] | ServiceError {
  const events = node.visible();
  if (from.hasStart()) return [];
  if (from.hasEnd()) return [...events].reverse();
  const position = BigInt(from.getPosition()!.getCommitPosition());
  const beyond = position > (events.at(-1)?.position ?? 0n);
  if (!beyond && !isKnown(events, position)) return failedRead('ReadAllResult: InvalidPosition');
  return events.slice(0, placeOf(events, position)).reverse();
}

function failedRead(result: string): ServiceError {
  return callError(status.UNKNOWN, `Unexpected ${result}`);
}

function isKnown(events: readonly StoredEvent[], position: bigint): boolean {
  return position === 0n || standsAt(events, position);
}

function send(call: ReadCall, events: StoredEvent[] | ServiceError): void {
  if (!Array.isArray(events)) return void call.emit('error', events);
  for (const event of events) call.write(readEvent(event));
  call.end();
}
