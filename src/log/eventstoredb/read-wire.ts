import { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { RecordedEvent } from '../event-store.js';
import { type FoundEvent, recordedEvent } from './event-format.js';
import { MessageReader } from './protobuf.js';
import { type Place, readPlace, readStreamName, readUuid } from './shared-wire.js';

/** What a subscription brings, in the order of the log. */
export type Delivery =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /** How far the server has searched. */
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  /** The server has sent all that was stored. */
  | { readonly kind: 'caught_up' }
  /** The server has accepted the subscription. */
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'other' };

/** Numbers of fields, of `ReadResp`, its `ReadEvent` and of that its `RecordedEvent`, as the server's protocol gives them. */
const ANSWER = { event: 1, confirmation: 2, checkpoint: 3, caughtUp: 8 } as const;
const READ_EVENT = { event: 1 } as const;
const RECORDED = {
  id: 1,
  stream: 2,
  revision: 3,
  position: 5,
  metadata: 6,
  customMetadata: 7,
  data: 8,
} as const;
const ENTRY = { key: 1, value: 2 } as const;

/** What the server leaves out, as it is empty. */
const NO_BYTES = Buffer.alloc(0);

const OTHER = { kind: 'other' } as const;
/** Every event but those of the server's own. */
const NOT_OF_THE_SERVER = '^[^$].*';

/** Asks for what is stored after a position, and for what is stored from then on. @param streamPrefix only streams whose names begin with it, where given */
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
  const place = new ReadReq.Options.Position();
  place.setCommitPosition(String(position));
  place.setPreparePosition(String(position));
  return place;
}

function filterBy(streamPrefix: string | undefined): ReadReq.Options.FilterOptions {
  const filter = new ReadReq.Options.FilterOptions();
  const expression = new ReadReq.Options.FilterOptions.Expression();
  if (streamPrefix === undefined) filter.setEventType(expression.setRegex(NOT_OF_THE_SERVER));
  else filter.setStreamIdentifier(expression.setPrefixList([streamPrefix]));
  filter.setCount(new Empty());
  filter.setCheckpointintervalmultiplier(1);
  return filter;
}

/** What one message brings. @throws RangeError where it is none */
export function readDelivery(message: Buffer): Delivery {
  const reader = new MessageReader(message);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === ANSWER.event) return deliveredEvent(reader.inner());
    if (field === ANSWER.confirmation) return { kind: 'confirmed' };
    if (field === ANSWER.checkpoint) return checkpoint(readPlace(reader.inner()));
    if (field === ANSWER.caughtUp) return { kind: 'caught_up' };
    reader.skip();
  }
  return OTHER;
}

/** Where commit and prepare differ, the server means no event that it searched, but where the next one may yet stand. */
function checkpoint({ commit, prepare }: Place): Delivery {
  return commit === prepare ? { kind: 'checkpoint', position: commit } : OTHER;
}

function deliveredEvent(reader: MessageReader): Delivery {
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === READ_EVENT.event) {
      const event = recordedEvent(readFound(reader.inner()));
      return event === undefined ? OTHER : { kind: 'event', event };
    }
    reader.skip();
  }
  return OTHER;
}

type Written<T> = { -readonly [Key in keyof T]: T[Key] };

function readFound(reader: MessageReader): FoundEvent {
  const event: Written<FoundEvent> = {
    id: '',
    type: '',
    data: NO_BYTES,
    metadata: NO_BYTES,
    stream: '',
    revision: 0,
    position: 0n,
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) readFoundField(event, field, reader);
  return event;
}

function readFoundField(event: Written<FoundEvent>, field: number, reader: MessageReader): void {
  switch (field) {
    case RECORDED.id:
      event.id = readUuid(reader.inner());
      break;
    case RECORDED.stream:
      event.stream = readStreamName(reader.inner());
      break;
    case RECORDED.revision:
      event.revision = reader.number();
      break;
    case RECORDED.position:
      event.position = reader.bigint();
      break;
    case RECORDED.metadata:
      event.type = typeIn(reader.inner()) ?? event.type;
      break;
    case RECORDED.customMetadata:
      event.metadata = reader.bytes();
      break;
    case RECORDED.data:
      event.data = reader.bytes();
      break;
    default:
      reader.skip();
  }
}

/** What an entry of the server's own metadata says of the type; undefined where it says something else. */
function typeIn(reader: MessageReader): string | undefined {
  let key = '';
  let value = '';
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === ENTRY.key) key = reader.text();
    else if (field === ENTRY.value) value = reader.text();
    else reader.skip();
  }
  return key === 'type' ? value : undefined;
}
