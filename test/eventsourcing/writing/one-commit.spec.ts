import { join } from 'node:path';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import type { StreamAppend } from '#eventsourcing/log/event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { commitInOrder, commitTogether } from '#eventsourcing/writing/commit.js';
import type { CommandReservation } from '#eventsourcing/writing/write-context.js';
import { command, count, CounterProjector, withTimePassing, writing } from '../../support/counter-world.js';
import { ManualClock } from '../../support/manual-clock.js';
import { commandRunnerOn, runParts } from '../../support/command-runner.js';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.js';
import { withMembers } from '../../support/with-members.js';

const A = 'counter-a';
const NOTES = { name: 'notes', indexes: {} };

let folder: TemporaryFolder;
let store: Awaited<ReturnType<typeof open>>;

/** @param isLogApart whether the log is elsewhere than the records */
async function open(isLogApart = false) {
  const clock = new ManualClock();
  const commits = { count: 0, fail: false, then: () => undefined as void };
  const interceptCommit = async (commit: () => Promise<void>): Promise<void> => {
    commits.count += 1;
    if (commits.fail) throw new StoreUnavailableError('The disk is full.', false);
    await commit();
    commits.then();
  };
  const open = (name: string) =>
    openEmbeddedDatabase({ folder: join(folder.path, name), durable: true, clock, interceptCommit });
  const database = await open('records');
  const log = new EmbeddedEventStore(isLogApart ? await open('log') : database);
  const records = new EmbeddedDocumentStore(database, clock);
  const notes = await records.collection(NOTES);
  commits.count = 0;
  const insert = (_id: string): DocumentWrite => ({
    kind: 'insert',
    collection: NOTES.name,
    document: { _id },
  });
  const told: boolean[] = [];
  const reservation: CommandReservation = {
    reserve: async () => void (await records.write([insert('reservation')])),
    wrote: (isInLog) => void told.push(isInLog),
  };
  const deadline = { isOver: false };
  const stored = async () => {
    const found = await notes.getMany(['reservation', 'account']);
    return [...found.map((note) => note?._id), (await log.readStream(A)).length];
  };
  /** What stood when the append was asked for. */
  const before: unknown[] = [];
  const watched = withMembers(log, {
    append: async (appends: readonly StreamAppend[]) => {
      before.push(...(await stored()));
      return log.append(appends);
    },
  });
  const stores = { log: isLogApart ? watched : log, records };
  const ports = { commit: isLogApart ? commitInOrder(stores) : commitTogether(stores) };
  const writer = commandRunnerOn(isLogApart ? watched : log, clock, ports);
  return {
    commits,
    told,
    deadline,
    before,
    write: (by: number) =>
      runParts(
        writer,
        writing(new CounterProjector()),
        [{ stream: A, command: count(by), account: insert('account') }],
        { ...command(), reservation, deadline },
      ),
    clock,
    makeAccount: () => records.write([insert('account')]),
    stored,
    close: () => Promise.all([log.close(), records.close()]),
  };
}

beforeEach(async () => {
  folder = await temporaryFolder();
  store = await open();
});
afterEach(async () => {
  store.commits.fail = false;
  await store.close();
  await folder.remove();
});

describe('the events of a write, its reservation and the records that its events name', () => {
  it('become durable in one commit', async () => {
    await store.write(1);
    expect([store.commits.count, store.told]).toEqual([1, [true]]);
    expect(await store.stored()).toEqual(['reservation', 'account', 1]);
  });

  it('are all absent after a commit that failed', async () => {
    store.commits.fail = true;
    await expect(store.write(1)).rejects.toThrow('The disk is full.');
    expect(await store.stored()).toEqual([undefined, undefined, 0]);
  });

  it('are not written when there is nothing to append', async () => {
    await store.write(0);
    expect([store.commits.count, store.told]).toEqual([0, [false]]);
    expect(await store.stored()).toEqual([undefined, undefined, 0]);
  });
});

describe('on another log than the records, the reservation of a write and the records that its events name', () => {
  beforeEach(async () => {
    await store.close();
    store = await open(true);
  });

  it('become durable in one commit before the events are appended', async () => {
    await store.write(1);
    expect(store.before).toEqual(['reservation', 'account', 0]);
    expect([store.commits.count, store.told]).toEqual([2, [true]]);
    expect(await store.stored()).toEqual(['reservation', 'account', 1]);
  });

  it('prevent the append when their commit fails', async () => {
    store.commits.fail = true;
    await expect(store.write(1)).rejects.toThrow('The disk is full.');
    expect([store.before, store.told]).toEqual([[], []]);
    expect(await store.stored()).toEqual([undefined, undefined, 0]);
  });

  it('prevent the append when the deadline of the request passed during their commit', async () => {
    store.commits.then = () => void (store.deadline.isOver = true);
    await expect(store.write(1)).rejects.toThrow('nothing was written');
    expect(await store.stored()).toEqual(['reservation', 'account', 0]);
  });

  it('prevent the append when another process has made the account', async () => {
    await store.makeAccount();
    await expect(withTimePassing(store.clock, store.write(1))).rejects.toThrow('changed the stream');
    expect((await store.stored())[2]).toBe(0);
  });

  it('are not written when there is nothing to append', async () => {
    await store.write(0);
    expect([store.commits.count, store.told]).toEqual([0, [false]]);
    expect(await store.stored()).toEqual([undefined, undefined, 0]);
  });
});
