import { decodeEvent, type EventTypes } from '#eventsourcing/log/codec.js';
import type { JsonObject, RecordedEvent } from '#eventsourcing/log/event-store.js';

/** A feature whose first schemas told an amount in dollars, and then its currency in words. */
const TYPES: EventTypes = {
  Paid: {
    schema: 3,
    upcasts: {
      1: ({ dollars }: JsonObject) => ({ amount: Number(dollars) * 100, currency: 'dollars' }),
      2: ({ amount }: JsonObject) => ({ amount: amount!, currency: 'USD' }),
    },
  },
  Renamed: { schema: 2 },
};

const recorded = (type: string, schema: unknown, data: JsonObject): RecordedEvent => ({
  id: 'id',
  stream: 'account-1',
  revision: 7,
  position: 9n,
  type,
  data,
  metadata: { schema } as JsonObject,
});

const decoded = (type: string, schema: unknown, data: JsonObject) =>
  decodeEvent(TYPES, recorded(type, schema, data));

describe('an event of the log', () => {
  it.each([
    [1, { dollars: 5 }],
    [2, { amount: 500, currency: 'dollars' }],
    [3, { amount: 500, currency: 'USD' }],
  ])('of schema %s is read as one of the present', (schema, data) => {
    expect(decoded('Paid', schema, data)).toMatchObject({
      type: 'Paid',
      data: { amount: 500, currency: 'USD' },
      stream: 'account-1',
      revision: 7,
      metadata: { schema },
    });
  });

  it('of a schema that did not say when is told when it was stored', () => {
    const types: EventTypes = { Moved: { schema: 2, upcasts: { 1: (data, at) => ({ ...data, at }) } } };
    const event = recorded('Moved', 1, { to: 'A' });
    const metadata = { ...event.metadata, occurred_at: '2026-01-01T00:00:00.005Z' };
    const { data } = decodeEvent(types, { ...event, metadata });
    expect(data).toEqual({ to: 'A', at: Date.UTC(2026, 0, 1) + 5 });
  });

  it.each([
    ['a type that nobody knows', 'Refunded', 1],
    ['a type that is the name of something else', 'toString', 1],
    ['a schema of a later program', 'Paid', 4],
    ['a schema from which no way leads to the present', 'Renamed', 1],
    ['no schema at all', 'Paid', undefined],
  ])('of %s stops whoever reads it, in one line that names it', (_, type, schema) => {
    const reading = () => decoded(type, schema, {});
    expect(reading).toThrow(
      `Event 7 of account-1 is a ${type} of schema ${schema}. This version of the program does not know it: use a later one.`,
    );
  });
});
