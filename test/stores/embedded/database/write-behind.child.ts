/** Counts on in a folder from the checkpoint that it finds: puts a document, and behind it the checkpoint. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '#kernel/clock.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';

interface Counted {
  readonly _id: string;
  readonly number: number;
}

async function main(): Promise<void> {
  const options = { folder: process.argv[2]!, durable: false, writeBehind: true, clock: systemClock };
  const store = new EmbeddedDocumentStore(await openEmbeddedDatabase(options), systemClock);
  const indexes = { by_number: { fields: ['number'] } };
  const samples = await store.collection<Counted>({ name: 'samples', indexes });
  const put = (document: Counted) => store.write([{ kind: 'put', collection: 'samples', document }]);
  const start = (await samples.get('checkpoint'))?.number ?? 0;
  for (let number = start + 1; ; number += 1) {
    await put({ _id: `id-${number}`, number });
    await put({ _id: 'checkpoint', number });
    if (number % 10 === 0) await nextTurn();
    if (number === start + 3_000) process.stdout.write('far\n');
  }
}

main().catch((error: unknown) => {
  process.stdout.write(`failed ${String(error)}\n`);
  process.exit(1);
});
