/** Opens a store, appends one event and says so; appends another whenever it gets SIGUSR2 and says what came of it. */
import { writeSync } from 'node:fs';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

async function main(folder: string): Promise<void> {
  const database = await openEmbeddedDatabase({
    folder,
    durable: true,
    clock: systemClock,
    onLost: (error) => say(`lost ${error.message}`),
  });
  const events = new EmbeddedEventStore(database);
  let expected: number | 'no_stream' = 'no_stream';
  const append = async (): Promise<void> => {
    const id = `holder ${expected}`;
    const [outcome] = await events.append([
      { stream: 'holder', expected, events: [{ id, type: 'Appended', data: {}, metadata: {} }] },
    ]);
    if (outcome?.kind === 'appended') expected = outcome.revision;
    say(`${outcome?.kind} ${id}`);
  };
  const refused = (error: unknown): void =>
    say(
      `refused ${error instanceof StoreUnavailableError && error.outcomeUnknown} ${(error as Error).message}`,
    );
  process.on('SIGUSR2', () => void append().catch(refused));
  await append();
  setInterval(() => undefined, 60_000);
}

main(process.argv[2]!).catch((error: unknown) => {
  say(`failed ${String(error)}`);
  process.exit(1);
});
