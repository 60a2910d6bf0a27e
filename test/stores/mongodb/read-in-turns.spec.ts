import { setImmediate as turn } from 'node:timers/promises';
import { BSON, type Collection as DriverCollection } from 'mongodb';
import { CallBatcher } from '#stores/mongodb/call-batcher.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { ServerPresence } from '#kernel/server-presence.js';
import { CallDeadline } from '#stores/mongodb/call-deadline.js';
import { CollectionPlan, type StoredRecord } from '#stores/mongodb/collection-plan.js';
import { MongoDbCollection } from '#stores/mongodb/mongodb-collection.js';
import { readInTurns } from '#stores/mongodb/read-in-turns.js';
import { ManualClock } from '../../support/manual-clock.js';
import { longestStretch, turnsDuring } from '../../support/turns.js';

const BATCH = 100;
const BATCHES = 3;
const ids = Array.from({ length: BATCH * BATCHES }, (_, n) => `r-${String(n).padStart(3, '0')}`);
/** Longer than any time that the tests pretend. */
const HOURS_MS = 2_000_000_000;
const deadlineOf = (milliseconds: number) =>
  new CallDeadline(milliseconds, new ServerPresence(new ManualClock()));

/** Longer than a turn may last before its work waits. */
const LONG_MS = 10;
/** What the clock is ahead of the machine's. */
let ahead = 0;

function workLong(): void {
  ahead += LONG_MS;
}

beforeEach(() => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
});

afterEach(async () => {
  jest.restoreAllMocks();
  ahead = 0;
  // The present turn was measured by the other clock.
  await turn();
});

/** A cursor of records that take long to decode. */
class Cursor {
  decoded = 0;
  isClosed = false;
  #buffered: string[] = [];
  readonly #unread: string[];

  constructor(
    wanted: readonly string[] = ids,
    private readonly damaged?: string,
  ) {
    this.#unread = [...wanted];
  }

  bufferedCount(): number {
    return this.#buffered.length;
  }

  hasNext(): Promise<boolean> {
    this.#buffered = this.#unread.splice(0, BATCH);
    return Promise.resolve(this.#buffered.length > 0);
  }

  readBufferedDocuments(number = Infinity): Uint8Array[] {
    return this.#buffered.splice(0, number).map((_id) => {
      if (_id === this.damaged) return Buffer.from('no BSON');
      this.decoded += 1;
      workLong();
      return BSON.serialize({ _id });
    });
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

const read = (cursor: Cursor, deadline = deadlineOf(HOURS_MS)) => readInTurns(cursor, deadline);

test('a read has the records of all batches, in their order', async () => {
  const cursor = new Cursor();
  expect((await read(cursor)).map(({ _id }) => _id)).toEqual(ids);
  expect(cursor.isClosed).toBe(true);
});

test('records that take long to decode are decoded in turns of their own', async () => {
  const cursor = new Cursor();
  const longest = await longestStretch(
    () => cursor.decoded,
    () => read(cursor),
  );
  expect(cursor.decoded).toBe(ids.length);
  expect(longest).toBeLessThanOrEqual(2);
});

test('large records that arrive in one turn are decoded in turns of their own', async () => {
  const cursors = ids.slice(0, 40).map((id) => new Cursor([id]));
  const decoded = () => cursors.reduce((sum, cursor) => sum + cursor.decoded, 0);
  const longest = await longestStretch(decoded, () => Promise.all(cursors.map((cursor) => read(cursor))));
  expect(decoded()).toBe(cursors.length);
  expect(longest).toBeLessThanOrEqual(2);
});

test('a record that cannot be decoded fails the read and closes the cursor', async () => {
  const cursor = new Cursor(ids, ids[7]);
  await expect(read(cursor)).rejects.toThrow(BSON.BSONError);
  expect(cursor.isClosed).toBe(true);
});

test('nothing more is decoded after the deadline', async () => {
  const cursor = new Cursor();
  await expect(read(cursor, deadlineOf(1))).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(cursor.decoded).toBeLessThanOrEqual(2);
  expect(cursor.isClosed).toBe(true);
});

/** A cursor of one record. */
function cursorOf(record: StoredRecord) {
  const buffered = [BSON.serialize(record)];
  return {
    bufferedCount: () => buffered.length,
    hasNext: () => Promise.resolve(false),
    readBufferedDocuments: () => buffered.splice(0, 1),
    close: () => Promise.resolve(),
  };
}

/** Each look at the clock finds it so much later. */
const STEP_MS = 1;

const unitsOfTenant = (from: number) => ({
  _id: `t-${from}`,
  units: Array.from({ length: 2_000 }, (_, n) => ({ name: `Unit ${from + n}`, facts: { paid: [n, { n }] } })),
});

test('a record of a megabyte is decoded in parts, and others work in between', async () => {
  const now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now + (ahead += STEP_MS));
  const record = { ...unitsOfTenant(0), none: null, of_others: { a: unitsOfTenant(5_000), b: [['x'], []] } };
  let records: readonly StoredRecord[] = [];
  const turns = await turnsDuring(async () => {
    records = await readInTurns(cursorOf(record), deadlineOf(HOURS_MS));
  });
  expect(records).toEqual([record]);
  expect(turns).toBeGreaterThan(100);
});

/** Its read ends in a turn that has lasted long. */
class LongCursor extends Cursor {
  override close(): Promise<void> {
    workLong();
    return super.close();
  }
}

test('callers whose finds were sent as one go on in turns of their own after a long read', async () => {
  const plan = new CollectionPlan({ name: 'samples', indexes: {} });
  const driver = {
    find: ({ _id }: { _id: { $in: string[] } }) => new LongCursor(_id.$in),
  } as unknown as DriverCollection<StoredRecord>;
  const reads = {
    run: <T>(send: (deadline: CallDeadline) => Promise<T>) => send(deadlineOf(HOURS_MS)),
    batcher: new CallBatcher(),
    isLinearizable: false,
  };
  const collection = new MongoDbCollection(driver, plan, () => 0, reads);
  let wentOn = 0;
  const longest = await longestStretch(
    () => wentOn,
    () => Promise.all(ids.map(async (id) => (await collection.get(id), workLong(), (wentOn += 1)))),
  );
  expect(wentOn).toBe(ids.length);
  expect(longest).toBeLessThan(64);
});
