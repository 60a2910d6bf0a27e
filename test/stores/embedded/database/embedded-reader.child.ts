/** Reads a store beside its running writer, says what it finds, and that it may not write. */
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { waitUntil } from '../../../support/wait-until.js';

async function main(folder: string): Promise<void> {
  const database = await openEmbeddedDatabase({ folder, durable: true, clock: systemClock, readOnly: true });
  const events = new EmbeddedEventStore(database);
  const records = new EmbeddedDocumentStore(database, systemClock);
  const commands = await records.collection({
    name: 'commands',
    indexes: { by_stream: { fields: ['stream'] } },
  });
  const refusal = await events
    .append([
      { stream: 'x', expected: 'no_stream', events: [{ id: 'x', type: 'X', data: {}, metadata: {} }] },
    ])
    .catch((error: unknown) => (error as Error).message);
  console.log(`refused ${JSON.stringify(refusal)}`);
  for (const id of ['before', 'during']) {
    await waitUntil(
      () => events.readStream(id),
      (read) => read.length === 1,
    );
    const found = await commands.find('by_stream', { equals: [id], limit: 1_000 });
    console.log(`read ${id} ${found.documents.some(({ _id }) => _id === id)}`);
  }
  setInterval(() => undefined, 60_000);
}

main(process.argv[2]!).catch((error: unknown) => {
  console.log(`failed ${String(error)}`);
  process.exit(1);
});
