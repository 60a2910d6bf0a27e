import files, { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventStore, ReadAllOptions, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { addCheckpoints } from '#eventsourcing/proof/checkpoint-file.js';
import { Checkpoints } from '#eventsourcing/proof/checkpoints.js';
import { SignedHeads } from '#eventsourcing/proof/signed-heads.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { headOf } from '#eventsourcing/proof/stream-heads.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { rechained, soundLog, storeOf } from './small-log.js';

const [A, B, C] = ['unit-c.A', 'unit-c.Bé', 'location-l'];
const LOG = soundLog(C, A, B, A, A, B, A, C);
const NOW = '2026-01-01T00:00:00.000Z';

let folder: TemporaryFolder;
let file: string;
let key: SigningKey;
let told: string[];

beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'checkpoints');
  key = await SigningKey.open(undefined, folder.path);
  told = [];
});
afterEach(async () => {
  jest.restoreAllMocks();
  await folder.remove();
});

function signing(
  log: readonly RecordedEvent[],
  { store = storeOf(log) }: { readonly store?: EventStore } = {},
): Checkpoints {
  const tell = (line: string) => told.push(line);
  return new Checkpoints({ store, key, file, appends: true, now: () => NOW, warn: tell });
}

/** Everything that is said against a log that is held to the file. */
async function saidOf(log: readonly RecordedEvent[]): Promise<readonly string[]> {
  const signed = new SignedHeads(key.name);
  await addCheckpoints(signed, file);
  const { fault } = await verifyAll(storeOf(log), { signed });
  return [...(fault === null ? [] : [`${fault.problem} of ${fault.stream}`]), ...signed.differences()];
}

const contents = () => readFile(file, 'utf8');
const forged = (log: readonly RecordedEvent[], place: number) =>
  rechained(log.with(place, { ...log[place]!, data: { unit_name: 'forged' } }));

/** A store of two events a page, which `onRead` is asked before each. */
function inPages(log: readonly RecordedEvent[], onRead: (options: ReadAllOptions) => unknown): EventStore {
  const store = storeOf(log);
  const readAll = async (options: ReadAllOptions) => {
    await onRead(options);
    return store.readAll({ ...options, limit: 2 });
  };
  return { ...store, readAll };
}

/** Fails the reading that begins after a position, once. */
function failingOnce(log: readonly RecordedEvent[], position: bigint): EventStore {
  let isDue = true;
  return inPages(log, ({ after }) => {
    if (!isDue || after !== position) return;
    isDue = false;
    throw new StoreUnavailableError('The store is away.', true);
  });
}

describe('signing that failed', () => {
  it('begins anew where the first reading was cut by the store: nothing was removed', async () => {
    await signing(LOG.slice(0, 6)).next();
    const checkpoints = signing(LOG, { store: failingOnce(LOG, 2n) });
    await expect(checkpoints.next()).rejects.toThrow('The store is away.');
    expect(await checkpoints.next()).toMatchObject({ events: 8, streams: 3 });
    expect(await saidOf(LOG)).toEqual([]);
    // Three streams first, and the two that have changed since.
    expect((await contents()).match(/^\[/gm)).toHaveLength(3 + 2);
  });

  it('begins anew where the file could not be written', async () => {
    await signing(LOG.slice(0, 6)).next();
    const checkpoints = signing(LOG);
    const opening = jest.spyOn(files, 'open').mockRejectedValueOnce(new Error('ENOSPC'));
    await expect(checkpoints.next()).rejects.toThrow('ENOSPC');
    opening.mockRestore();
    expect(await checkpoints.next()).toMatchObject({ events: 8 });
    expect(await saidOf(LOG)).toEqual([]);
  });

  it('finds again what differed before the store went away, and signs none of it', async () => {
    const log = LOG.slice(0, 4);
    const checkpoints = signing(log, { store: failingOnce(log, 6n) });
    await checkpoints.next();
    const before = await contents();
    log.splice(0, log.length, ...forged(LOG, 1));
    await expect(checkpoints.next()).rejects.toThrow('The store is away.');
    await expect(checkpoints.next()).rejects.toMatchObject({
      differences: [`Stream ${A} was rewritten: at revision 1 it is not what was signed.`],
    });
    expect(await contents()).toBe(before);
  });
});

describe('an append that was cut off', () => {
  it('anywhere, counts for nothing and makes way for the next', async () => {
    await signing(LOG.slice(0, 5)).next();
    const first = await readFile(file);
    await signing(LOG).next();
    const both = await readFile(file);
    // But for the line feed at the very end: a checkpoint without one is whole.
    for (let length = first.length + 1; length < both.length - 1; length += 3) {
      await writeFile(file, both.subarray(0, length));
      const { last, unfinished } = await addCheckpoints(new SignedHeads(key.name), file);
      expect([last.events, unfinished]).toEqual([5, length - first.length]);
      if (length % 23 > 0) continue;
      expect(await saidOf(LOG)).toEqual([]);
      await signing(LOG).next();
      expect(await readFile(file)).toEqual(both);
      expect(told.pop()).toMatch(`The last ${length - first.length} bytes of the file of checkpoints`);
    }
    expect(told).toEqual([]);
  });

  it('as the first of all leaves a file that holds none, and is begun again', async () => {
    await signing(LOG).next();
    const whole = await readFile(file);
    for (let length = 0; length < whole.length - 1; length += 41) {
      await writeFile(file, whole.subarray(0, length));
      await expect(saidOf(LOG)).rejects.toThrow('The file of checkpoints holds no checkpoint.');
      await signing(LOG).next();
      expect(await readFile(file)).toEqual(whole);
    }
  });

  it('holds the log to no head whose checkpoint has not come', async () => {
    await signing(LOG).next();
    await appendFile(file, `["unit-c.D",0,"${'f'.repeat(64)}"]\n["unit-`);
    expect(await saidOf(LOG)).toEqual([]);
    expect(await signing(LOG).next()).toMatchObject({ streams: 3 });
    expect(await contents()).not.toContain('unit-c.D');
  });

  it('before the line feed alone is whole, and the next one begins a line', async () => {
    await signing(LOG.slice(0, 5)).next();
    await writeFile(file, (await contents()).trimEnd());
    expect(await saidOf(LOG)).toEqual([]);
    await signing(LOG).next();
    expect(await saidOf(LOG)).toEqual([]);
    expect((await contents()).match(/^\{/gm)).toHaveLength(2);
  });

  it.each(['a shopping list', '["none of ours"]', '{"at":1}', 'eggs\n', '["unit-c.A",0\n{'])(
    'is not what another file is taken for: %j is left as it is',
    async (text) => {
      await writeFile(file, text);
      await expect(signing(LOG).next()).rejects.toMatchObject({ code: 'checkpoint_file' });
      await expect(saidOf(LOG)).rejects.toThrow('has a line that is neither a checkpoint nor the head');
      expect(await contents()).toBe(text);
    },
  );
});

describe('processes that lead one after another', () => {
  it('go on from what the others have appended', async () => {
    const log = LOG.slice(0, 3);
    const [one, other] = [signing(log), signing(log)];
    for (const [place, turn] of [one, other, one, one, other].entries()) {
      log.push(LOG[place + 3]!);
      expect(await turn.next()).toMatchObject({ events: place + 4 });
      expect(await saidOf(log)).toEqual([]);
    }
    expect((await contents()).match(/^\[/gm)).toHaveLength(3 + 4);
  });

  it('append nothing to what they have not read', async () => {
    const other = signing(LOG);
    let before: string | undefined;
    const store = inPages(LOG, async () => {
      if (before !== undefined) return;
      await other.next();
      before = await contents();
    });
    const one = signing(LOG, { store });
    await writeFile(file, '');
    await expect(one.next()).rejects.toThrow('was written by another process since it was read');
    expect(await contents()).toBe(before);
    await one.next();
    expect(await contents()).toBe(before + before!.trimEnd().split('\n').at(-1)! + '\n');
  });
});

describe('a log held to what was signed often', () => {
  const heads = LOG.map((event) => [event.stream, headOf(event)] as const);
  const differencesOf = async (signed: SignedHeads, log: readonly RecordedEvent[]) => {
    for (const event of log) await signed.check(event);
    return signed.differences();
  };

  it.each([false, true])('is named where any of it was rewritten (newest heads only: %p)', async (only) => {
    for (const [place, { stream }] of LOG.entries()) {
      const signed = new SignedHeads(undefined, { newestOnly: only });
      for (const head of heads) signed.addHead(...head);
      const said = await differencesOf(signed, forged(LOG, place));
      expect(said).toEqual([expect.stringMatching(`^Stream ${stream} was rewritten`)]);
    }
  });

  it('is named where it was signed before and after it was rewritten, by who keeps all heads', async () => {
    const other = forged(LOG, 1);
    const said = async (only: boolean) => {
      const signed = new SignedHeads(undefined, { newestOnly: only });
      for (const event of [LOG[1]!, other[6]!]) signed.addHead(event.stream, headOf(event));
      return differencesOf(signed, other);
    };
    expect(await said(false)).toEqual([expect.stringMatching(`^Stream ${A} was rewritten`)]);
    // What is forgotten takes no memory.
    expect(await said(true)).toEqual([]);
  });

  it('is named though the first line of a bare file was signed when it was empty', async () => {
    const log: RecordedEvent[] = [];
    const bare = new Checkpoints({
      store: storeOf(log),
      key,
      file: undefined,
      now: () => NOW,
      warn: () => undefined,
    });
    const lines = [await bare.next()];
    log.push(...LOG);
    lines.push(await bare.next());
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(await saidOf(LOG)).toEqual([]);
    expect(await saidOf(forged(LOG, 1))).toEqual([`The first 8 events are not those signed at ${NOW}.`]);
  });
});
