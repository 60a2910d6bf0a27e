import { setUpService } from '../../../tools/bench/service-setup.js';
import type { Target } from '../../../tools/bench/scenarios.js';
import { percentile } from '../../../tools/bench/statistics.js';
import { Random } from '../../system/hostile/random.js';
import { RawClient } from '../../system/hostile/raw-client.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { Lane } from './lane.js';
import { type LoadResult, runLoad } from './load.js';
import { type LoopSample, type ServiceProcess, startService } from './service-process.js';
import { openSlowClients } from './slow-clients.js';

export interface HeldLoadPlan {
  readonly ceilingSeconds: number;
  readonly seconds: number;
  /** Part of the ceiling that is held. */
  readonly share: number;
  readonly lanes: number;
  /** Clients of each slow kind. */
  readonly slow: number;
  readonly windowSeconds?: number;
}

export interface HeldLoad {
  /** Requests a second that the service took when asked as fast as it answered. */
  readonly ceiling: number;
  readonly held: LoadResult;
  /** Milliseconds of a probe of `/health` during the load. */
  readonly probe: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly samples: readonly LoopSample[];
  readonly slowClientsCut: number;
  /** Under full load and with the slow clients still there. */
  readonly stop: {
    readonly code: number | null;
    readonly milliseconds: number;
    readonly answeredMeanwhile: number;
    readonly turnedAway: number;
    readonly errors: readonly string[];
  };
  /** How much that was acknowledged was looked for after a start on the same data, and what was not found. */
  readonly remembered: number;
  readonly lost: readonly string[];
  readonly logged: readonly string[];
}

const STOP_AFTER = 1_000;

/** Finds the ceiling, holds a share of it, stops the service in the midst of it and looks for what it had promised. */
export async function holdLoad(plan: HeldLoadPlan): Promise<HeldLoad> {
  const folder = await temporaryFolder();
  let service: ServiceProcess | undefined;
  try {
    service = await startService(folder.path);
    const target = await setUpService(service.port, folder.path);
    const lanes = await lanesOf(target, plan.lanes);
    const full = await runLoad({ lanes, seconds: plan.ceilingSeconds });
    demandNoErrors(full);
    const ceiling = full.requests / full.seconds;

    const slow = await openSlowClients(target, plan.slow);
    const first = service.samples.length;
    const probing = probe(service.port, plan.seconds);
    const { seconds, windowSeconds } = plan;
    const rate = ceiling * plan.share;
    const held = await runLoad({
      lanes,
      seconds,
      rate,
      ...(windowSeconds === undefined ? {} : { windowSeconds }),
    });
    const samples = service.samples.slice(first);
    const stopped = await stopUnderLoad(service, lanes);
    const slowClientsCut = slow.cut();
    slow.close();
    const logged = [...service.logged];

    service = await startService(folder.path);
    const lost: string[] = [];
    for (const lane of lanes) lost.push(...(await lane.lost(service.port)));
    const remembered = lanes.reduce((sum, lane) => sum + lane.remembered, 0);
    await service.stop();
    return {
      ceiling,
      held,
      probe: await probing,
      samples,
      slowClientsCut,
      stop: stopped,
      remembered,
      lost,
      logged,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}\n${service?.logged.slice(-5).join('\n')}`, { cause: error });
  } finally {
    service?.kill();
    await folder.remove();
  }
}

async function lanesOf(target: Target, count: number): Promise<Lane[]> {
  const response = await fetch(`http://127.0.0.1:${target.port}/api/v2/tenant/access`, {
    headers: { Authorization: `Bearer ${target.tenant_token}` },
  });
  const { data } = (await response.json()) as { data: { units: { locks: { lock_id: string }[] }[] } };
  const { lock_id } = data.units[0]!.locks[0]!;
  return Array.from(
    { length: count },
    (_, number) => new Lane(number, { ...target, lock_id }, new Random(number)),
  );
}

function demandNoErrors({ errors, turnedAway }: LoadResult): void {
  if (errors.length + turnedAway > 0)
    throw new Error(`${turnedAway} connections ended. ${errors.join('\n')}`);
}

/** Asks for `/health` ten times a second on a connection of its own. */
async function probe(port: number, seconds: number): Promise<HeldLoad['probe']> {
  const client = new RawClient(port);
  const times: number[] = [];
  await new Promise<void>((resolve) => {
    const ends = performance.now() + seconds * 1_000;
    const ask = async (): Promise<void> => {
      const { milliseconds } = await client.exchange('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      times.push(milliseconds);
      if (performance.now() < ends) setTimeout(() => void ask().catch(resolve), 100);
      else resolve();
    };
    ask().catch(resolve);
  });
  client.close();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: percentile(times, 1) };
}

async function stopUnderLoad(service: ServiceProcess, lanes: readonly Lane[]): Promise<HeldLoad['stop']> {
  // Until the service turns everybody away.
  const loading = runLoad({ lanes, seconds: 30 });
  await new Promise((resolve) => setTimeout(resolve, STOP_AFTER));
  const { code, milliseconds } = await service.stop();
  const { requests, turnedAway, errors } = await loading;
  for (const lane of lanes) lane.close();
  return { code, milliseconds, answeredMeanwhile: requests, turnedAway, errors };
}
