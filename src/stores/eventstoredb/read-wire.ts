import { parseUUID } from '@eventstore/db-client/dist/utils/index.js';
import { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { toNumber } from './client-errors.js';
import { changeRecord, kindOf, prefixesOf, recordedEvent } from './event-format.js';

/** A message of a subscription. */
export type Delivery =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /** The server has scanned the log up to this position. */
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  /** The server has sent all that was stored. */
  | { readonly kind: 'caught_up' }
  /** The server has accepted the subscription. */
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'other' };

const OTHER = { kind: 'other' } as const;
/** Matches all event types but the server's own. */
const NOT_OF_THE_SERVER = '^[^$].*';

/**
 * Asks for all stored and future events after a position.
 * @param streamPrefix if given: only events of streams whose names begin with it
 */
export function followRequest(after: bigint | undefined, streamPrefix: string | undefined): ReadReq {
  const options = new ReadReq.Options();
  const everything = new ReadReq.Options.AllOptions();
  if (after === undefined) everything.setStart(new Empty());
  else everything.setPosition(placeAt(after));
  options.setAll(everything);
  options.setSubscription(new ReadReq.Options.SubscriptionOptions());
  const idsAsText = new ReadReq.Options.UUIDOption();
  idsAsText.setString(new Empty());
  options.setUuidOption(idsAsText);
  options.setFilter(filterBy(streamPrefix));
  const request = new ReadReq();
  request.setOptions(options);
  return request;
}

function placeAt(position: bigint): ReadReq.Options.Position {
  const wire = new ReadReq.Options.Position();
  wire.setCommitPosition(String(position));
  wire.setPreparePosition(String(position));
  return wire;
}

function filterBy(streamPrefix: string | undefined): ReadReq.Options.FilterOptions {
  const filter = new ReadReq.Options.FilterOptions();
  const expression = new ReadReq.Options.FilterOptions.Expression();
  if (streamPrefix === undefined) filter.setEventType(expression.setRegex(NOT_OF_THE_SERVER));
  else filter.setStreamIdentifier(expression.setPrefixList(prefixesOf(streamPrefix)));
  filter.setCount(new Empty());
  filter.setCheckpointintervalmultiplier(1);
  return filter;
}

/** Decodes one message. @throws RangeError for a revision beyond 2^53 */
export function readDelivery(bytes: Uint8Array, streamPrefix?: string): Delivery {
  const answer = ReadResp.deserializeBinary(bytes);
  const recorded = answer.getEvent()?.getEvent();
  if (recorded !== undefined) return deliveredEvent(recorded, streamPrefix);
  if (answer.hasConfirmation()) return { kind: 'confirmed' };
  const checkpoint = answer.getCheckpoint();
  if (checkpoint !== undefined) return deliveredCheckpoint(checkpoint);
  return answer.hasCaughtUp() ? { kind: 'caught_up' } : OTHER;
}

/** If commit and prepare position differ, it is the position of the next event, which was not scanned yet. */
function deliveredCheckpoint(checkpoint: ReadResp.Checkpoint): Delivery {
  const position = checkpoint.getCommitPosition();
  if (position !== checkpoint.getPreparePosition()) return OTHER;
  return { kind: 'checkpoint', position: BigInt(position) };
}

function deliveredEvent(
  recorded: ReadResp.ReadEvent.RecordedEvent,
  streamPrefix: string | undefined,
): Delivery {
  const type = recorded.getMetadataMap().get('type') ?? '';
  const stream = Buffer.from(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
  const found = kindOf(type, stream, streamPrefix);
  if (found.kind === 'foreign') return OTHER;
  const id = parseUUID(recorded.getId()) ?? '';
  const position = BigInt(recorded.getCommitPosition());
  const data = recorded.getData_asU8();
  if (found.kind === 'change')
    return { kind: 'event', event: changeRecord(found.stream, id, position, data) };
  const revision = toNumber(BigInt(recorded.getStreamRevision()));
  const metadata = recorded.getCustomMetadata_asU8();
  return { kind: 'event', event: recordedEvent({ id, type, stream, revision, position, data, metadata }) };
}
