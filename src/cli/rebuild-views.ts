import { openEmbeddedViews } from '#app/adapters.js';
import { openViewsBuilder } from '#app/app.module.js';
import { systemClock } from '#kernel/clock.js';
import { type Environment, isOnServers } from '#kernel/environment/environment.js';
import { silentLogger } from '#kernel/logger.js';
import { assertStreamPrefix } from '#eventsourcing/documents/stream-prefix-record.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { DamageRecords } from '#eventsourcing/projecting/damage-records.js';
import { takeLease } from '#eventsourcing/documents/take-lease.js';
import { VIEWS_LEASE } from '#eventsourcing/projecting/leadership.js';
import { RebuildRecord } from '#eventsourcing/projecting/rebuild-record.js';
import { type Filled, NO_WRITERS_HERE } from '#eventsourcing/projecting/views-fill.js';
import { ViewsFiller } from '#eventsourcing/projecting/views-filler.js';
import { rebuildUnderLease, thisProcess } from '#eventsourcing/projecting/views-rebuild.js';
import { CommandError, type Output, progressOn } from './output.js';
import { closeStores, commandPorts, openEmbeddedAlone, openServers, type Stores } from './stores.js';

/**
 * Makes the views again from the log (decisions §7). On servers it works beside a running service. On embedded stores the
 * service must be stopped, because it would have to do this itself.
 */
export async function rebuildViews(environment: Environment, output: Output): Promise<number> {
  const stores = isOnServers(environment) ? await openServers(environment) : await openEmbedded(environment);
  try {
    await assertStreamPrefix(stores.records, environment.eventstore_stream_prefix);
    const { events } = await rebuild(environment, stores, output);
    output.stdout.write(`ok: the views hold ${events} events\n`);
    return 0;
  } finally {
    await closeStores(stores);
  }
}

async function rebuild(environment: Environment, stores: Stores, output: Output): Promise<Filled> {
  const { records, views } = stores;
  const clock = systemClock;
  const tell = (line: string): void => void output.stderr.write(`${line}\n`);
  const damaged = new DamagedStreams(new DamageRecords(views, tell));
  const eventStore = new SoundStreams(stores.eventStore, damaged);
  const ports = commandPorts(environment, { ...stores, eventStore });
  const filler = new ViewsFiller({
    store: eventStore,
    damaged,
    records,
    views,
    clock,
    logger: silentLogger,
    withoutWriters: NO_WRITERS_HERE,
    openBuilder: (replaced) => openViewsBuilder({ ...ports, views: replaced }),
  });
  const show = progressOn(output, 'applied');
  const filled = await rebuildUnderLease({ records, clock, leases: views, show }, (progress, lost) =>
    fillUnderLease(environment, stores, filler, { progress, lost }),
  );
  if (filled !== undefined) return filled;
  const { by = null, share = 0 } = (await new RebuildRecord(records).read()) ?? {};
  throw new CommandError(
    `The views are being rebuilt already, by ${by ?? 'another process'} (${Math.floor(100 * share)} %).`,
  );
}

/** Sets the checkpoint to the end of the fill, unless another process keeps it. */
async function fillUnderLease(
  environment: Environment,
  { views }: Stores,
  filler: ViewsFiller,
  {
    progress,
    lost,
  }: { readonly progress: (events: number, share: number) => void; readonly lost: AbortSignal },
): Promise<Filled> {
  if (!isOnServers(environment)) return filler.fillFirst(undefined, lost, progress);
  const lease = await takeLease({
    leases: views,
    clock: systemClock,
    name: VIEWS_LEASE,
    owner: thisProcess(),
  });
  if (lease === undefined) return filler.fill(progress, lost);
  try {
    return await filler.fillFirst(lease.fence, lost, progress);
  } finally {
    await lease.release();
  }
}

async function openEmbedded(environment: Environment): Promise<Stores> {
  const { data_dir } = environment;
  const stores = await openEmbeddedAlone(
    environment,
    (pid) =>
      `The service (process ${pid}) works on ${data_dir} and rebuilds the views itself: ` +
      'press "Rebuild the views" under Operators in the dashboard, or send POST /api/operator/views/rebuild.',
  );
  return { ...stores, views: await openEmbeddedViews(data_dir, systemClock) };
}
