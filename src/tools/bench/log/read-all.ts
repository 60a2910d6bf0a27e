import { EventStoreDBClient } from '@eventstore/db-client';

/** Reads all of the log at the address it is given by the log's own client, and counts what is not the server's own. */
async function readAll(url: string): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  let events = 0;
  for await (const { event } of client.readAll()) if (event?.type.startsWith('$') === false) events += 1;
  await client.dispose();
  process.stdout.write(`ok: ${events} events\n`);
}

readAll(process.argv[2]!).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
