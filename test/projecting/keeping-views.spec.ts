import type { Logger } from '../../src/config/logger.js';
import type { DocumentStore } from '../../src/documents/document-store.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { EmbeddedDocumentStore } from '../../src/documents/embedded/embedded-document-store.js';
import { CheckpointKeeper, type HandledEvent } from '../../src/projecting/checkpoint-keeper.js';
import { StoreUnavailableError } from '../../src/storage/store.errors.js';
import { Leadership, type LedWork } from '../../src/projecting/leadership.js';
import { ManualClock } from '../support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { waitUntil } from '../support/wait-until.js';
import { withMembers } from '../support/with-members.js';

const LEASE = 9_000;
const TAKEN_OVER = 'Another process moves the checkpoint of the views.';

let folder: TemporaryFolder;
let clock: ManualClock;
let views: DocumentStore;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  const database = await openEmbeddedDatabase({ folder: folder.path, durable: false, clock });
  views = new EmbeddedDocumentStore(database, clock);
});
afterEach(async () => {
  await views.close();
  await folder.remove();
});

/** The same store with another way to write. */
function withWrite(write: DocumentStore['write']): DocumentStore {
  return withMembers(views, { write });
}

/** An event that was handled, at a position. */
function handled(position: number): HandledEvent {
  return { id: `id-${position}`, stream: 'counter-a', revision: position, position: BigInt(position) };
}

describe('the checkpoint', () => {
  const keeper = (store = views) => new CheckpointKeeper(store, clock);

  test('is where the next one goes on', async () => {
    const first = keeper();
    expect(await first.open(1)).toEqual({ position: undefined, event: undefined });
    await first.move(handled(7));
    await first.close();
    expect(await keeper().read()).toBe(7n);
    const { position, ...event } = handled(7);
    expect(await keeper().open(2)).toEqual({ position, event });
  });

  test('is refused to whoever holds an earlier lease, before the first event too', async () => {
    const [stale, next] = [keeper(), keeper()];
    await stale.open(1);
    await next.open(2);
    clock.advance(1_000);
    await expect(stale.move(handled(9))).rejects.toThrow(TAKEN_OVER);
    await expect(keeper().open(1)).rejects.toThrow(TAKEN_OVER);
    clock.advance(1_000);
    await next.move(handled(3));
    expect(await next.read()).toBe(3n);
  });

  test('is written over where the predecessor saved once more after it was followed', async () => {
    const [stale, next] = [keeper(), keeper()];
    await stale.open(1);
    let isFirst = true;
    const late = withWrite(async (writes) => {
      if (isFirst) {
        isFirst = false;
        clock.advance(1_000);
        await stale.move(handled(5));
      }
      return views.write(writes);
    });
    await new CheckpointKeeper(late, clock).open(2);
    await next.open(2);
    clock.advance(1_000);
    await next.move(handled(6));
    expect(await next.read()).toBe(6n);
  });

  test('goes on after a save that was stored and whose answer was lost', async () => {
    let isLosing = false;
    const losing = withWrite(async (writes) => {
      const outcomes = await views.write(writes);
      if (isLosing) throw new StoreUnavailableError('The answer is lost, as the test wants it.', true);
      return outcomes;
    });
    const kept = keeper(losing);
    await kept.open(1);
    clock.advance(1_000);
    isLosing = true;
    await expect(kept.move(handled(4))).rejects.toThrow('lost');
    isLosing = false;
    clock.advance(1_000);
    await kept.move(handled(5));
    expect(await kept.read()).toBe(5n);
  });
});

describe('leadership', () => {
  const warned: unknown[] = [];
  const nothing = () => undefined;
  const logger: Logger = {
    error: nothing,
    warn: (details) => warned.push(details),
    info: nothing,
    debug: nothing,
  };

  /** Work that tells what was asked of it, and is done with `lead` when `taken` says so. */
  function worker(owner: string, taken: Promise<void> = Promise.resolve()) {
    const told: string[] = [];
    const work: LedWork = {
      lead: ({ fence }) => {
        told.push(`leads ${fence}`);
        return taken;
      },
      retire: () => {
        told.push('retires');
        return Promise.resolve();
      },
    };
    const options = { leases: views, clock, logger, name: 'views', owner, milliseconds: LEASE };
    return { told, leadership: new Leadership(options, work) };
  }

  /** Lets a third of the lease pass, and what is due in it be done. */
  async function third(...workers: { readonly leadership: Leadership }[]): Promise<void> {
    clock.advance(LEASE / 3);
    // Each of them has its next turn scheduled again once this one is over.
    await waitUntil(
      () => clock.pending,
      (pending) => pending >= workers.length,
    );
  }

  test('is one process at a time, and passes on without a wait where it is given back', async () => {
    const [a, b] = [worker('a'), worker('b')];
    await a.leadership.start();
    await b.leadership.start();
    for (let turn = 0; turn < 9; turn += 1) await third(a, b);
    expect([a.told, b.told]).toEqual([['leads 1'], []]);
    await a.leadership.stop();
    await third(b);
    await waitUntil(
      () => b.told,
      (told) => told.length > 0,
    );
    expect([a.told, b.told]).toEqual([['leads 1', 'retires'], ['leads 2']]);
    await b.leadership.stop();
  });

  test('is kept while the work takes longer to take up than the lease lasts', async () => {
    let taken: () => void = nothing;
    const [a, b] = [worker('a', new Promise((resolve) => (taken = resolve))), worker('b')];
    const starting = a.leadership.start();
    await waitUntil(
      () => a.told,
      (told) => told.length === 1,
    );
    await b.leadership.start();
    for (let turn = 0; turn < 9; turn += 1) await third(a, b);
    taken();
    await starting;
    expect([a.told, b.told]).toEqual([['leads 1'], []]);
    await Promise.all([a.leadership.stop(), b.leadership.stop()]);
  });

  test('ends where another took the lease of one that was silent', async () => {
    const a = worker('a');
    await a.leadership.start();
    // As another does that has waited for as long as the lease lasts.
    const taken = await views.takeLease('views', 'b', 0);
    expect(taken).toMatchObject({ owner: 'b', fence: 2 });
    clock.advance(LEASE / 3);
    await waitUntil(
      () => a.told,
      (told) => told.includes('retires'),
    );
    expect(a.leadership.leading).toBe(false);
    await a.leadership.stop();
  });

  test('is tried again where the work could not be taken up', async () => {
    const a = worker('a', Promise.reject(new Error('The views are down, as the test wants it.')));
    await expect(a.leadership.start()).rejects.toThrow('as the test wants it');
    expect(a.told).toEqual(['leads 1', 'retires']);
    await third(a);
    await waitUntil(
      () => a.told,
      (told) => told.length === 4,
    );
    expect(a.told).toEqual(['leads 1', 'retires', 'leads 2', 'retires']);
    await a.leadership.stop();
  });

  test('is not taken up anew by a process that is still laying it down', async () => {
    let retired: () => void = nothing;
    const told: string[] = [];
    const work: LedWork = {
      lead: () => {
        told.push('leads');
        return told.length === 1
          ? Promise.reject(new Error('It fails, as the test wants it.'))
          : Promise.resolve();
      },
      retire: () => {
        told.push('retires');
        return new Promise((resolve) => (retired = resolve));
      },
    };
    const options = { leases: views, clock, logger, name: 'views', owner: 'a', milliseconds: LEASE };
    const leadership = new Leadership(options, work);
    const starting = leadership.start();
    starting.catch(nothing);
    await waitUntil(
      () => told,
      (all) => all.includes('retires'),
    );
    await third({ leadership });
    expect(told).toEqual(['leads', 'retires']);
    retired();
    await expect(starting).rejects.toThrow('as the test wants it');
    await third({ leadership });
    await waitUntil(
      () => told,
      (all) => all.length === 3,
    );
    const stopping = leadership.stop();
    await waitUntil(
      () => told,
      (all) => all.length === 4,
    );
    retired();
    await stopping;
    expect(told).toEqual(['leads', 'retires', 'leads', 'retires']);
  });
});
