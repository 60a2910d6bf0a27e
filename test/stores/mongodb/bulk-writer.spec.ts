import { setImmediate as turn } from 'node:timers/promises';
import { MongoServerError } from 'mongodb';
import type { DocumentWrite, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import { BulkWriter } from '#stores/mongodb/bulk-writer.js';
import { CollectionPlan } from '#stores/mongodb/collection-plan.js';
import { CallDeadline } from '#stores/mongodb/call-deadline.js';
import { prepare } from '#stores/mongodb/pending-write.js';
import { ServerPresence } from '#kernel/server-presence.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { ManualClock } from '../../support/manual-clock.js';
import { longestStretch } from '../../support/turns.js';
import { RacingMongoCollection, wordings } from './racing-mongo-collection.js';

const collection = 'samples';
const plan = new CollectionPlan({
  name: collection,
  indexes: { by_code: { fields: ['code'], unique: true } },
});
const written: WriteOutcome = { kind: 'written' };
const versionConflict: WriteOutcome = { kind: 'version_conflict' };

function deadlineOf(milliseconds: number): CallDeadline {
  return new CallDeadline(milliseconds, new ServerPresence(new ManualClock()));
}

function insert(_id: string, fields: object = {}): DocumentWrite {
  return { kind: 'insert', collection, document: { _id, ...fields } };
}

function putIfNewer(_id: string, revision: number): DocumentWrite {
  return { kind: 'put_if_newer', collection, document: { _id, revision } };
}

function replace(_id: string, expected: number | null, version = (expected ?? 0) + 1): DocumentWrite {
  return { kind: 'compare_and_set', collection, expected, document: { _id, version } };
}

async function write(
  double: RacingMongoCollection,
  writes: readonly DocumentWrite[],
  deadline = deadlineOf(4_000),
): Promise<WriteOutcome[]> {
  const wave = writes.map((one) => prepare(plan, one));
  await new BulkWriter(double.asCollection, plan, () => 0, deadline).write(wave);
  return wave.map(({ outcome }) => outcome!);
}

/** A document that another writer stored. */
function others(double: RacingMongoCollection, _id: string, fields: object, writer = 'r-another'): void {
  double.records.set(_id, { _id, ...fields, __writer: writer });
}

async function failureOf(call: Promise<unknown>): Promise<{ outcomeUnknown: boolean }> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreUnavailableError)) throw new Error('Expected a StoreUnavailableError.');
  return error;
}

describe('a race of first writes (choice 1)', () => {
  test('of four first writes at once of each of 100 documents the newest stands in the end', async () => {
    const double = new RacingMongoCollection();
    double.letAllLook(4);
    const outcomes = await resultsAtOnce(
      [3, 1, 4, 2].map(
        (revision) => () =>
          write(
            double,
            Array.from({ length: 100 }, (_, number) => putIfNewer(`id-${number}`, revision)),
          ),
      ),
    );
    expect(double.lostRaces).toBeGreaterThan(0);
    expect([...double.records.values()].map(({ revision }) => revision)).toEqual(Array(100).fill(4));
    expect(outcomes[2]).toEqual(Array(100).fill(written));
  });

  test('what is not newer is sent once, and of the stored document only what tells that is read', async () => {
    const double = new RacingMongoCollection();
    others(double, 'a', { revision: 5, zones: ['large'] });
    expect(await write(double, [putIfNewer('a', 5), putIfNewer('b', 1)])).toEqual([
      { kind: 'not_newer' },
      written,
    ]);
    expect([double.bulks, double.fieldsRead]).toEqual([1, ['_id', 'revision', '__writer']]);
  });

  test('of two first puts at once both are written', async () => {
    const double = new RacingMongoCollection();
    double.letAllLook(2);
    const put = (n: number): DocumentWrite => ({
      kind: 'put',
      collection,
      document: { _id: 'a', n } as { _id: string },
    });
    const outcomes = await resultsAtOnce([1, 2].map((n) => () => write(double, [put(n)])));
    expect(double.lostRaces).toBe(1);
    expect(outcomes).toEqual([[written], [written]]);
  });
});

test('every bulk is in one order, whatever its writes came in: two of them never wait for each other', async () => {
  const double = new RacingMongoCollection();
  const sent = jest.spyOn(double, 'bulkWrite');
  const writes = ['c', 'a', 'b'].map((_id) => replace(_id, null));
  others(double, 'b', { version: 7 });
  const conflict = { kind: 'version_conflict' };
  expect(await write(double, writes)).toEqual([written, written, conflict]);
  expect(await write(double, [...writes].reverse())).toEqual([conflict, conflict, conflict]);
  const idsOf = ([operations]: Parameters<typeof double.bulkWrite>) =>
    operations.map(
      (operation) => (operation as { insertOne: { document: { _id: string } } }).insertOne.document._id,
    );
  expect(sent.mock.calls.map(idsOf)).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
});

describe.each(Object.entries(wordings))('a taken key in the words of %s', (_server, wording) => {
  test('is told by the index that it belongs to', async () => {
    const double = new RacingMongoCollection();
    Object.assign(double, { wording, uniqueFields: ['code'] });
    others(double, 'a', { code: "x' index: _id_ ", revision: 1, version: 1 });
    const taken = { code: "x' index: _id_ " };
    expect(
      await write(double, [
        insert('a'),
        insert('b', taken),
        { kind: 'put', collection, document: { _id: 'c', ...taken } },
        replace('d', null),
      ]),
    ).toEqual([
      { kind: 'duplicate', index: '_id' },
      { kind: 'duplicate', index: 'by_code' },
      { kind: 'duplicate', index: 'by_code' },
      written,
    ]);
    expect(await write(double, [putIfNewer('a', 2)])).toEqual([written]);
  });
});

describe('a connection cut in the middle of a bulk (choices 2 and 10)', () => {
  const mixed = [insert('a'), putIfNewer('b', 2), replace('c', 1), replace('d', null)];
  const removal: DocumentWrite = { kind: 'delete', collection, id: 'e', expected: 7 };

  test.each(['cut_before', 'cut_after'] as const)(
    '%s: every write is settled as written, once',
    async (fault) => {
      const double = new RacingMongoCollection();
      others(double, 'b', { revision: 1 });
      others(double, 'c', { version: 1 });
      others(double, 'e', { version: 7 });
      double.faults.push(fault, fault);
      expect(await write(double, [...mixed, removal])).toEqual(Array(5).fill(written));
      expect([...double.records.keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(double.records.get('c')).toMatchObject({ version: 2 });
    },
  );

  test('what others hold is still refused', async () => {
    const double = new RacingMongoCollection();
    others(double, 'a', {}, 'i-another');
    others(double, 'b', { revision: 2 });
    others(double, 'c', { version: 2 });
    others(double, 'd', { version: 1 }, 'i-another');
    double.faults.push('cut_after');
    expect(await write(double, mixed)).toEqual([
      { kind: 'duplicate', index: '_id' },
      { kind: 'not_newer' },
      versionConflict,
      versionConflict,
    ]);
  });

  test.each([
    ['a compare-and-set', replace('a', 1), { version: 1 }, { version: 3 }],
    ['an insert', insert('a'), undefined, { version: 3 }],
  ])('%s that others may have overtaken has an unknown outcome', async (_name, one, before, after) => {
    const double = new RacingMongoCollection();
    if (before !== undefined) others(double, 'a', before);
    double.faults.push('cut_after');
    double.meanwhile = () => others(double, 'a', after);
    expect(await failureOf(write(double, [one]))).toMatchObject({ outcomeUnknown: true });
  });

  test('a server that stays away ends the call in time, with an unknown outcome', async () => {
    const double = new RacingMongoCollection();
    double.faults.push(...Array<'cut_after'>(1_000).fill('cut_after'));
    const failure = await failureOf(write(double, [replace('a', 1)], deadlineOf(300)));
    expect(failure).toMatchObject({ outcomeUnknown: true });
  });

  test('a retry that the driver sent and the server did not recognise is settled by reading', async () => {
    const double = new RacingMongoCollection();
    const wave = [insert('a'), replace('b', 1)].map((one) => prepare(plan, one));
    // The driver's first attempt was stored; the answer is that to its second.
    for (const { record } of wave) double.records.set(record!._id, record!);
    await new BulkWriter(double.asCollection, plan, () => 0, deadlineOf(1_000)).write(wave);
    expect(wave.map(({ outcome }) => outcome)).toEqual([written, written]);
  });
});

describe('many compare-and-sets in one bulk (choice 3)', () => {
  test('one that was stored and overtaken before it was read is written, by the count', async () => {
    const double = new RacingMongoCollection();
    others(double, 'a', { version: 1 });
    others(double, 'b', { version: 2 });
    double.meanwhile = () => others(double, 'a', { version: 3 });
    expect(await write(double, [replace('a', 1), replace('b', 1)])).toEqual([written, versionConflict]);
  });

  test('ones that were never stored conflict, by the count, however far others are', async () => {
    const double = new RacingMongoCollection();
    others(double, 'a', { version: 9 });
    others(double, 'c', { version: 1 });
    expect(await write(double, [replace('a', 1), replace('b', 1), replace('c', 1)])).toEqual([
      versionConflict,
      versionConflict,
      written,
    ]);
  });

  test('where neither documents nor counts tell, the outcome is unclear for those alone', async () => {
    const double = new RacingMongoCollection();
    others(double, 'a', { version: 1 });
    others(double, 'b', { version: 9 });
    others(double, 'c', { version: 1 });
    double.meanwhile = () => others(double, 'a', { version: 3 });
    expect(await write(double, [replace('a', 1), replace('b', 1), replace('c', 1)])).toEqual([
      { kind: 'unclear' },
      { kind: 'unclear' },
      written,
    ]);
  });

  test('an attempt that was cut off, and then overtaken, has an unknown outcome', async () => {
    const double = new RacingMongoCollection();
    others(double, 'a', { version: 1 });
    others(double, 'b', { version: 9 });
    double.faults.push('cut_after');
    double.meanwhile = () => others(double, 'a', { version: 3 });
    expect(await failureOf(write(double, [replace('a', 1), replace('b', 1)]))).toMatchObject({
      outcomeUnknown: true,
    });
  });
});

describe('a refusal that is no conflict', () => {
  test('is a StoreUnavailableError that quotes the server', async () => {
    const double = new RacingMongoCollection();
    Object.assign(double, { wording: () => 'no index named' });
    others(double, 'a', {});
    const failure = await failureOf(write(double, [insert('a')]));
    expect(failure).toMatchObject({ outcomeUnknown: false });
    expect(failure).toHaveProperty('message', expect.stringContaining('no index named'));
  });

  test('the driver’s own errors stay inside', async () => {
    const double = new RacingMongoCollection();
    double.bulkWrite = () => Promise.reject(new MongoServerError({ message: 'not allowed', code: 13 }));
    const failure = await failureOf(write(double, [insert('a')]));
    expect(failure).toMatchObject({ outcomeUnknown: false, message: 'MongoDB: not allowed' });
    expect((failure as { cause?: unknown }).cause).toBeUndefined();
  });
});

test('bulks that take long to encode are encoded in turns of their own', async () => {
  const now = performance.now.bind(performance);
  let ahead = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  const double = new RacingMongoCollection();
  let encoded = 0;
  const bulkWrite = double.asCollection.bulkWrite.bind(double.asCollection);
  jest.spyOn(double.asCollection, 'bulkWrite').mockImplementation((...bulk) => {
    encoded += 1;
    ahead += 10;
    return bulkWrite(...bulk);
  });
  const ids = Array.from({ length: 40 }, (_, n) => `id-${n}`);
  const longest = await longestStretch(
    () => encoded,
    () => Promise.all(ids.map((id) => write(double, [insert(id)], deadlineOf(2_000_000_000)))),
  );
  expect(encoded).toBe(ids.length);
  expect(longest).toBeLessThanOrEqual(2);
  jest.restoreAllMocks();
  await turn();
});
