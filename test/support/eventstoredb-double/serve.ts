import { Disk } from './disk.js';
import { EventStoreDbDouble } from './eventstoredb-double.js';

/**
 * The double of EventStoreDB as a program of its own: says on which port it listens, and ends on SIGTERM. What is measured on it
 * speaks to the server itself: nobody cuts or freezes its connections here.
 */
export async function serve({ onDisk = false } = {}): Promise<void> {
  const disk = onDisk ? await Disk.open() : undefined;
  const double = await EventStoreDbDouble.start(disk && { disk });
  process.once('SIGTERM', () => process.exit(0));
  process.once('exit', () => disk?.remove());
  process.stdout.write(`The double of EventStoreDB is listening on port ${double.portBehindFront}.\n`);
}
