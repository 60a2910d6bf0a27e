import { join } from 'node:path';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { EmbeddedStoreLockedError } from '#stores/embedded/database/writer-lock.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { startChild, type Child } from '../../../support/child-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';
import { waitUntil } from '../../../support/wait-until.js';

const writerScript = join(__dirname, 'embedded-writer.child.ts');
const readerScript = join(__dirname, 'embedded-reader.child.ts');

let folder: TemporaryFolder;
let children: Child[];

beforeEach(async () => {
  folder = await temporaryFolder();
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await folder.remove();
});

function start(script: string, ...parameters: string[]): Child {
  const child = startChild(script, folder.path, ...parameters);
  children.push(child);
  return child;
}

function open(): Promise<EmbeddedDatabase> {
  return openEmbeddedDatabase({ folder: folder.path, durable: true, clock: systemClock });
}

function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function openAndClose(): Promise<void> {
  const database = await open();
  await database.close();
}

describe('the right to write a folder', () => {
  test('a second process is refused with the folder and the process that holds it', async () => {
    const holder = start(writerScript);
    await holder.line('open');
    const error = await rejectionOf(open());
    expect(error instanceof EmbeddedStoreLockedError).toBe(true);
    expect((error as Error).message).toContain(folder.path);
    expect((error as Error).message).toContain(String(holder.pid));
    const second = start(writerScript);
    expect(await second.line('failed')).toContain('embedded_store_locked');
  });

  test('a holder that was killed does not stand in the way', async () => {
    const holder = start(writerScript);
    await holder.line('open');
    await holder.kill();
    await expect(openAndClose()).resolves.toBeUndefined();
  });

  test('a second opening in one process is refused, and allowed once the first has closed', async () => {
    const first = await open();
    expect((await rejectionOf(open())) instanceof EmbeddedStoreLockedError).toBe(true);
    await first.close();
    await expect(openAndClose()).resolves.toBeUndefined();
  });

  test('of several processes that start at once one gets the folder', async () => {
    const rivals = Array.from({ length: 3 }, () => start(writerScript));
    const first = await Promise.all(
      rivals.map((rival) =>
        waitUntil(
          () => rival.lines[0],
          (line) => line !== undefined,
        ),
      ),
    );
    expect(first.filter((line) => line === 'open')).toHaveLength(1);
    expect(first.filter((line) => line?.includes('embedded_store_locked'))).toHaveLength(2);
  });
});

describe('a reader beside the writer', () => {
  test('reads what another process writes, as it is written, and may not write', async () => {
    const database = await open();
    const events = new EmbeddedEventStore(database);
    const records = new EmbeddedDocumentStore(database, systemClock);
    await records.collection({ name: 'commands', indexes: { by_stream: { fields: ['stream'] } } });
    const write = async (id: string): Promise<void> => {
      const document = { _id: id, stream: id } as { _id: string };
      const put = records.write([{ kind: 'put', collection: 'commands', document }]);
      await events.append([
        { stream: id, expected: 'no_stream', events: [{ id, type: 'Read', data: {}, metadata: {} }] },
      ]);
      await put;
    };
    await write('before');
    const reader = start(readerScript);
    expect(await reader.line('refused')).toContain('open for reading only');
    expect(await reader.line('read before')).toBe('read before true');
    await write('during');
    expect(await reader.line('read during')).toBe('read during true');
    await events.close();
    await records.close();
  });

  test('is told where there is no store', async () => {
    const opening = openEmbeddedDatabase({
      folder: join(folder.path, 'none'),
      durable: true,
      clock: systemClock,
      readOnly: true,
    });
    expect((await rejectionOf(opening)) instanceof StoreUnavailableError).toBe(true);
  });
});

interface Stored {
  readonly all: RecordedEvent[];
  readonly byStream: ReadonlyMap<string, RecordedEvent[]>;
  readonly records: ReadonlySet<string>;
}

async function readEverything(): Promise<Stored> {
  const database = await open();
  const events = new EmbeddedEventStore(database);
  const records = new EmbeddedDocumentStore(database, systemClock);
  const commands = await records.collection({
    name: 'commands',
    indexes: { by_stream: { fields: ['stream'] } },
  });
  const all = await events.readAll({ limit: 1_000_000 });
  const byStream = new Map<string, RecordedEvent[]>();
  for (const stream of new Set(all.map((event) => event.stream)))
    byStream.set(stream, await events.readStream(stream));
  const found = await commands.find('by_stream', { equals: [], limit: 1_000_000 });
  await events.close();
  await records.close();
  return { all, byStream, records: new Set(found.documents.map(({ _id }) => _id)) };
}

function expectConsistent({ all, byStream, records }: Stored, acknowledged: readonly string[]): void {
  for (const [stream, events] of byStream) {
    expect(events).toEqual(all.filter((event) => event.stream === stream));
    expect(events.map(({ revision }) => revision)).toEqual([...events.keys()]);
  }
  const stored = new Map(all.map((event) => [event.id, event]));
  for (const line of acknowledged) {
    const [, stream, revision, position, id] = line.split(' ');
    const event = stored.get(id!);
    expect(`${event?.stream} ${event?.revision} ${event?.position}`).toBe(
      `${stream} ${revision} ${position}`,
    );
  }
  // The record was queued before the append, hence it is in the same commit or an earlier one.
  expect(all.filter(({ id }) => !records.has(id))).toEqual([]);
}

describe('a writer that is killed', () => {
  test('three times: no acknowledged append is missing, and the indexes agree', async () => {
    const acknowledged: string[] = [];
    for (const written of [1, 20, 100]) {
      const writer = start(writerScript, 'write');
      await waitUntil(
        () => writer.lines.length,
        (lines) => lines > written,
      );
      await writer.kill();
      acknowledged.push(...writer.lines.filter((line) => /^ack \S+ \d+ \d+ \S{36}$/.test(line)));
    }
    const stored = await readEverything();
    expectConsistent(stored, acknowledged);
    expect(acknowledged.length).toBeGreaterThanOrEqual(1 + 20 + 100);
  });
});
