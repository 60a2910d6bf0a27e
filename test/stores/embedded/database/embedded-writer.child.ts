/**
 * Opens the store in a folder and says so; with `write`, appends events to ten streams and puts a record before each,
 * saying what was acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';

const [folder, mode] = process.argv.slice(2);

/** At once: what a killed process had still to flush must not count as acknowledged, nor the reverse. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

async function writeFor(
  stream: string,
  events: EmbeddedEventStore,
  records: EmbeddedDocumentStore,
): Promise<void> {
  const stored = await events.readStream(stream, { backwards: true, limit: 1 });
  for (let head = stored[0]?.revision ?? -1; ; head += 1) {
    const id = randomUUID();
    const record = records.write([
      { kind: 'put', collection: 'commands', document: { _id: id, stream } as { _id: string } },
    ]);
    const event = { id, type: 'Counted', data: { number: head + 1 }, metadata: {} };
    const append = events.append([{ stream, expected: head < 0 ? 'no_stream' : head, events: [event] }]);
    const [outcome] = await append;
    await record;
    if (outcome?.kind !== 'appended')
      throw new Error(`Stream ${stream} has moved: ${JSON.stringify(outcome)}`);
    say(`ack ${stream} ${outcome.revision} ${outcome.position} ${id}`);
  }
}

async function main(): Promise<void> {
  const database = await openEmbeddedDatabase({ folder: folder!, durable: true, clock: systemClock });
  const events = new EmbeddedEventStore(database);
  const records = new EmbeddedDocumentStore(database, systemClock);
  await records.collection({ name: 'commands', indexes: { by_stream: { fields: ['stream'] } } });
  say('open');
  if (mode === 'write') {
    await Promise.all(Array.from({ length: 10 }, (_, number) => writeFor(`s${number}`, events, records)));
  }
  setInterval(() => undefined, 60_000);
}

main().catch((error: unknown) => {
  say(`failed ${(error as { code?: string }).code} ${String(error)}`);
  process.exit(1);
});
