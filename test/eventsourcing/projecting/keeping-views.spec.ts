import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '#kernel/logger.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { CheckpointKeeper, type HandledEvent } from '#eventsourcing/projecting/checkpoint-keeper.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { Leadership, type LedWork } from '#eventsourcing/projecting/leadership.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

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

  test('is read by the next keeper, with its event', async () => {
    const first = keeper();
    expect(await first.open(1)).toEqual({ position: undefined, event: undefined });
    await first.move(handled(7));
    await first.close();
    expect(await keeper().read()).toBe(7n);
    const { position, ...event } = handled(7);
    expect(await keeper().open(2)).toEqual({ position, event });
  });

  test('cannot be opened or moved under an earlier lease, even before the first event', async () => {
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

  test('is taken over although the former keeper saves while the next one opens it', async () => {
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

  test('moves again after a save that was stored but whose answer was lost', async () => {
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
  function worker(owner: string, taken: Promise<void> = Promise.resolve(), leases = views) {
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
    const options = { leases, clock, logger, name: 'views', owner, milliseconds: LEASE };
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

  test('belongs to one process at a time, and to the next at once when it is given back', async () => {
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

  /** A worker that is stopped while it takes the lease for the time given by `turn`: at its start 1, one later 2. */
  function workerStoppedInTurn(turn: number) {
    let taken = 0;
    let announceStop: (stop: Promise<void>) => void = nothing;
    const stopping = new Promise<void>((resolve) => (announceStop = resolve));
    const takeLease: DocumentStore['takeLease'] = async (...lease) => {
      taken += 1;
      const isTurn = taken === turn;
      const held = await views.takeLease(...lease);
      if (isTurn) {
        announceStop(stopped.leadership.stop());
        await nextTurn();
      }
      return held;
    };
    const stopped = worker('a', undefined, withMembers(views, { takeLease }));
    return { ...stopped, stopping };
  }

  test('is not taken up by a process that stops while it takes it at its start', async () => {
    const a = workerStoppedInTurn(1);
    expect(await a.leadership.start()).toBe(false);
    await a.stopping;
    expect(a.told).toEqual(['retires']);
  });

  test('is free at once when a process has stopped that was taking it at its start', async () => {
    const [a, b] = [workerStoppedInTurn(1), worker('b')];
    const starting = a.leadership.start();
    await a.stopping;
    expect(await b.leadership.start()).toBe(true);
    expect(await starting).toBe(false);
    await b.leadership.stop();
  });

  test('is not taken up by a process that stops while it takes it later', async () => {
    const [a, b] = [workerStoppedInTurn(2), worker('b')];
    await b.leadership.start();
    await a.leadership.start();
    await b.leadership.stop();
    clock.advance(LEASE / 3);
    await a.stopping;
    expect(a.told).toEqual(['retires']);
  });

  test('is kept while its work takes longer to start than the lease lasts', async () => {
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

  test('ends when another process has taken the lease that ran out', async () => {
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

  test('is tried again after its work failed to start', async () => {
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

  test('is kept by a process that stops until its work has ended', async () => {
    let retired: () => void = nothing;
    const work: LedWork = {
      lead: () => Promise.resolve(),
      retire: () => new Promise((resolve) => (retired = resolve)),
    };
    const options = { leases: views, clock, logger, name: 'views', owner: 'a', milliseconds: LEASE };
    const leadership = new Leadership(options, work);
    await leadership.start();
    const stopping = leadership.stop();
    await waitUntil(() => retired !== nothing);
    expect(await views.takeLease('views', 'b', LEASE)).toBeUndefined();
    retired();
    await stopping;
    expect(await views.takeLease('views', 'b', LEASE)).toMatchObject({ owner: 'b' });
  });

  test('does not begin again in a process until its work there has stopped', async () => {
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
