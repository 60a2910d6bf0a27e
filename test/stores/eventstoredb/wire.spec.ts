import { randomUUID } from 'node:crypto';
import { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { convertGrpcRecord } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import { BatchAppendReq, BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { readAnswer, requestsOf } from '#stores/eventstoredb/batch-wire.js';
import { checkAppends, toRecordedEvents } from '#stores/eventstoredb/event-format.js';
import { readDelivery } from '#stores/eventstoredb/read-wire.js';
import type { ExpectedRevision, NewEvent } from '#eventsourcing/log/event-store.js';
import { streamIdentifier } from '../../support/eventstoredb-double/wire.js';

const CORRELATION = '01234567-89ab-cdef-0123-456789abcdef';
const STREAM = 'storage_access.unit-Größe 7 🔑';

function event(data: NewEvent['data'] = { name: 'Größe 🔑', empty: '', none: null }): NewEvent {
  return { id: randomUUID(), type: 'SampleHappened', data, metadata: { part: { n: 1, of: 1 } } };
}

/** The requests of an append as the generated code reads them. */
function sent(
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  deadline = 0,
): BatchAppendReq.AsObject[] {
  const [append] = checkAppends([{ stream: STREAM, expected, events }]);
  const requests = requestsOf(append!, CORRELATION, deadline);
  return requests.map((request) => BatchAppendReq.deserializeBinary(request.serializeBinary()).toObject());
}

const decoded = (bytes: unknown) => Buffer.from(bytes as string, 'base64').toString('utf8');

describe('what is written to the server, as the generated code of its client reads it', () => {
  test('an append: its stream, its events and which request is the last', () => {
    const events = [event(), event({})];
    const [request, ...more] = sent('no_stream', events, 1_700_000_000_123);
    expect(more).toEqual([]);
    expect(request).toMatchObject({ correlationId: { string: CORRELATION }, isFinal: true });
    expect(decoded(request!.options!.streamIdentifier!.streamName)).toBe(STREAM);
    expect(request!.options).toMatchObject({
      noStream: {},
      deadline: { seconds: 1_700_000_000, nanos: 123_000_000 },
    });
    const messages = request!.proposedMessagesList;
    expect(messages.map(({ id }) => id!.string)).toEqual(events.map(({ id }) => id));
    expect(messages.map(({ data }) => JSON.parse(decoded(data)) as unknown)).toEqual(
      events.map(({ data }) => data),
    );
    expect(messages.map(({ customMetadata }) => JSON.parse(decoded(customMetadata)) as unknown)).toEqual(
      events.map(({ metadata }) => metadata),
    );
    expect(Object.fromEntries(messages[0]!.metadataMap)).toEqual({
      type: 'SampleHappened',
      'content-type': 'application/json',
    });
  });

  test.each([0, 1, 127, 128, 300, 2 ** 32, Number.MAX_SAFE_INTEGER])(
    'the expected revision %d',
    (revision) => {
      expect(sent(revision, [event()])[0]!.options).toMatchObject({ streamPosition: String(revision) });
    },
  );

  test('what is too large for one request comes in parts, the last of which says so', () => {
    const metadata = { long: 'x'.repeat(1_300_000) };
    const parts = sent(
      'no_stream',
      [1, 2, 3].map(() => ({ ...event(), metadata })),
    );
    expect(parts.map(({ isFinal }) => isFinal)).toEqual([false, true]);
    expect(parts.map(({ proposedMessagesList: { length } }) => length)).toEqual([2, 1]);
    expect(parts.map(({ options }) => options !== undefined)).toEqual([true, false]);
    expect(parts.map(({ correlationId }) => correlationId!.string)).toEqual([CORRELATION, CORRELATION]);
  });
});

const halves = new UUID.Structured();
halves.setMostSignificantBits(String(BigInt.asIntN(64, 0xfedc_ba98_7654_4210n)));
halves.setLeastSignificantBits(String(BigInt.asIntN(64, 0x8123_4567_89ab_cdefn)));

describe('what the server says, as the generated code of its client writes it', () => {
  test.each([0n, 1n, 300n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 64n - 1n])(
    'a checkpoint at %s',
    (position) => {
      const checkpoint = new ReadResp.Checkpoint();
      checkpoint.setCommitPosition(String(position)).setPreparePosition(String(position));
      const message = new ReadResp().setCheckpoint(checkpoint).serializeBinary();
      expect(readDelivery(Buffer.from(message))).toEqual({ kind: 'checkpoint', position });
    },
  );

  test.each([
    ['0', 0n],
    ['an earlier one', 299n],
  ])('no checkpoint where the prepare position is %s', (_, prepare) => {
    const checkpoint = new ReadResp.Checkpoint();
    checkpoint.setCommitPosition('300').setPreparePosition(String(prepare));
    const message = new ReadResp().setCheckpoint(checkpoint).serializeBinary();
    expect(readDelivery(Buffer.from(message))).toEqual({ kind: 'other' });
  });

  test('an event with an id of two numbers', () => {
    const recorded = new ReadResp.ReadEvent.RecordedEvent()
      .setId(new UUID().setStructured(halves))
      .setStreamIdentifier(streamIdentifier(STREAM))
      .setStreamRevision('7')
      .setCommitPosition('9007199254740993')
      .setPreparePosition('9007199254740993')
      .setData(Buffer.from('{"name":"Größe 🔑"}'))
      .setCustomMetadata(Buffer.from('{"part":{"n":1,"of":1}}'));
    recorded.getMetadataMap().set('created', '1').set('type', 'SampleHappened').set('other', 'type');
    const message = new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded)).serializeBinary();
    expect(readDelivery(Buffer.from(message))).toEqual({
      kind: 'event',
      event: {
        id: 'fedcba98-7654-4210-8123-456789abcdef',
        type: 'SampleHappened',
        data: { name: 'Größe 🔑' },
        metadata: { part: { n: 1, of: 1 } },
        stream: STREAM,
        revision: 7,
        position: 9_007_199_254_740_993n,
      },
    });
  });

  test.each([
    ['null', '{}', 'null', {}, {}],
    ['absent', '{}', '', {}, {}],
    ['no JSON', '{}', 'text', {}, {}],
    ['no object', '{}', '"text"', {}, {}],
    ['a list', '[1]', '[1]', [1], {}],
    ['beside data that are no JSON', 'text', '{"part":{"n":1,"of":1}}', 'text', { part: { n: 1, of: 1 } }],
    ['beside data that are a text', '"text"', '{}', 'text', {}],
    ['beside no data', '', '{}', '', {}],
  ])('an event whose metadata are %s is the same in either read', (_, given, metadata, data, kept) => {
    for (const contentType of ['application/json', 'application/octet-stream']) {
      const recorded = new ReadResp.ReadEvent.RecordedEvent()
        .setId(new UUID().setString(CORRELATION))
        .setStreamIdentifier(streamIdentifier(STREAM))
        .setStreamRevision('7')
        .setCommitPosition('9')
        .setPreparePosition('9')
        .setData(Buffer.from(given))
        .setCustomMetadata(Buffer.from(metadata));
      recorded.getMetadataMap().set('type', 'SampleHappened').set('content-type', contentType);
      const message = new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded)).serializeBinary();
      const event = { id: CORRELATION, type: 'SampleHappened', data, metadata: kept, stream: STREAM };
      const expected = { ...event, revision: 7, position: 9n };
      expect(readDelivery(Buffer.from(message))).toEqual({ kind: 'event', event: expected });
      expect(toRecordedEvents([convertGrpcRecord(recorded)])).toEqual([expected]);
    }
  });

  const TOMBSTONE_REVISION = '9223372036854775807';

  /** A record of which nothing but type and stream can be read. */
  function unreadable(type: string, stream: string): ReadResp.ReadEvent.RecordedEvent {
    const recorded = new ReadResp.ReadEvent.RecordedEvent()
      .setId(new UUID().setString(CORRELATION))
      .setStreamIdentifier(streamIdentifier(stream))
      .setStreamRevision(TOMBSTONE_REVISION)
      .setCommitPosition('9')
      .setPreparePosition('9')
      .setData(Buffer.from([0xff, 0xfe]))
      .setCustomMetadata(Buffer.from([0xff]));
    recorded.getMetadataMap().set('type', type);
    return recorded;
  }

  test.each([
    ['a tombstone of another application', '$streamDeleted', 'orders-1'],
    ['a tombstone of one of our streams', '$streamDeleted', STREAM],
    ["a link of the server's own projections", '$>', 'orders-1'],
    ["a stream's metadata", '$metadata', '$$orders-1'],
    ['a user type in a stream of the server', 'Happened', '$settings'],
  ])('%s is dropped before its revision, metadata and data are read', (_, type, stream) => {
    const recorded = unreadable(type, stream);
    const message = new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded)).serializeBinary();
    expect(readDelivery(Buffer.from(message))).toEqual({ kind: 'other' });
    expect(toRecordedEvents([convertGrpcRecord(recorded)])).toEqual([]);
  });

  test('in a page, an event of a stream without our prefix is dropped before anything else of it is read', () => {
    const recorded = unreadable('SampleHappened', 'orders-1');
    expect(toRecordedEvents([convertGrpcRecord(recorded)], 'storage_access.')).toEqual([]);
  });

  test('that all was sent, that it listens, and what it says besides', () => {
    const all = new ReadResp().setCaughtUp(new ReadResp.CaughtUp());
    const listens = new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation());
    const besides = [new ReadResp().setFellBehind(new ReadResp.FellBehind()), new ReadResp()];
    const kinds = [all, listens, ...besides].map(
      (one) => readDelivery(Buffer.from(one.serializeBinary())).kind,
    );
    expect(kinds).toEqual(['caught_up', 'confirmed', 'other', 'other']);
  });

  test('an answer to an append with an id of two numbers and no position', () => {
    const success = new BatchAppendResp.Success().setCurrentRevision('300');
    const answer = new BatchAppendResp()
      .setCorrelationId(new UUID().setStructured(halves))
      .setSuccess(success);
    expect(readAnswer(Buffer.from(answer.serializeBinary()))).toEqual({
      correlation: 'fedcba98-7654-4210-8123-456789abcdef',
      error: undefined,
      revision: 300,
      position: undefined,
    });
  });
});

describe('an answer', () => {
  test('that tells a revision beyond 2^53 is refused, as what is rounded would be another', () => {
    const success = new BatchAppendResp.Success().setCurrentRevision(String(2n ** 53n));
    const answer = new BatchAppendResp().setSuccess(success).serializeBinary();
    expect(() => readAnswer(answer)).toThrow(RangeError);
  });
});
