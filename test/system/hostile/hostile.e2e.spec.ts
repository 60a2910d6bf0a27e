import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PrincipalKind } from '#kernel/principals.js';
import { routesOf, tenantsFirst } from '../isolation/support/routes.js';
import { learnRequest, type ValidRequest } from '../isolation/support/valid-requests.js';
import { World } from '../isolation/support/world.js';
import { baseOf, type HostileRequest, mutated, refusedRequests, toBytes } from './generator.js';
import { IN_CAMPAIGN, SEED, upTo } from '../../support/campaign.js';
import { Random } from './random.js';
import { RawClient } from './raw-client.js';
import { faultsOf } from './verdict.js';

const MUTATED = upTo(200, 5_000);
/** Every so many routes take the same fault: in a campaign each of them. */
const SHARE = upTo(3, 1);
/** Bytes. Larger bodies go to every eighth route alone, for one parser reads them all; in a campaign to each. */
const LARGE = 20_000;
const MOST_FAULTS = 20;
const MEGABYTE = 1024 * 1024;
/** Generous, and held to in campaigns alone: a short run is over before a leak shows. */
const HEAP_GROWTH = 64 * MEGABYTE;

let world: World;
let client: RawClient;
let requests: ValidRequest[];
const credentials = new Map<PrincipalKind, string>();

beforeAll(async () => {
  world = await (await World.open()).settle();
  requests = [];
  for (const route of tenantsFirst(routesOf(world.app.application).routes))
    requests.push(await learnRequest(world, route));
  client = new RawClient(world.app.port);
});
afterAll(async () => {
  client.close();
  await world.close();
  expect(world.app.failures).toEqual([]);
});

async function base(request: ValidRequest): Promise<HostileRequest> {
  const [kind] = request.route.admitted;
  if (kind === undefined) return baseOf(request, undefined);
  const held = credentials.get(kind) ?? (await world.credential(kind));
  credentials.set(kind, held);
  return baseOf(request, held);
}

/** Sends a request and tells what is wrong with the answer, and with what was written meanwhile. */
async function attempt(request: HostileRequest): Promise<{ status: number; faults: string[] }> {
  world.writes.take();
  const answer = await client.exchange(toBytes(request), { bodiless: request.method === 'HEAD' });
  // A route that ends its caller's session did so.
  if (answer.status === 200 && /(logout|\/sessions)$/.test(request.route)) credentials.clear();
  return { status: answer.status, faults: faultsOf(request, answer, world.writes.take()) };
}

async function digestOfLog(): Promise<string> {
  const hash = createHash('sha256');
  for (const { stream, revision, type, data } of await world.app.events()) {
    hash.update(JSON.stringify([stream, Number(revision), type, data]));
  }
  return hash.digest('hex');
}

/** What every GET answers, but for those of which each call stands in the log. */
async function answersToReads(): Promise<string[]> {
  const read: string[] = [];
  for (const request of requests) {
    if (request.route.method !== 'get' || request.path.endsWith('/provisioning')) continue;
    const { status, body } = await client.exchange(toBytes(await base(request)));
    read.push(`${request.path} ${status} ${withoutRefusals(String(body))}`);
  }
  return read;
}

/** Refused bulks are told to operators: nothing else may change. */
function withoutRefusals(body: string): string {
  if (!body.includes('rejected_bulk')) return body;
  return JSON.stringify(
    JSON.parse(body, (name, value: unknown) =>
      name.endsWith('rejected_bulk') || name === 'rejected_bulks' ? null : value,
    ),
  );
}

function heap(): { heap: number; rss: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, rss, external, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed + external + arrayBuffers, rss };
}

describe('every route', () => {
  it('refuses every body and every type that is not good, and nothing changes', async () => {
    const answers = await answersToReads();
    const digest = await digestOfLog();
    const faults: string[] = [];
    let sent = 0;
    for (const [place, request] of requests.entries()) {
      for (const [number, hostile] of refusedRequests(await base(request)).entries()) {
        if ((place + number) % SHARE !== 0) continue;
        const isLarge = (hostile.body?.length ?? 0) > LARGE;
        if (isLarge && place % upTo(8, 1) !== 0) continue;
        faults.push(...(await attempt(hostile)).faults);
        sent++;
      }
      if (faults.length > MOST_FAULTS) break;
    }
    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThan(requests.length * upTo(8, 40));
    expect(await digestOfLog()).toBe(digest);
    expect(await answersToReads()).toEqual(answers);
  });

  it(`keeps its form for ${MUTATED} good requests with one thing wrong, seed ${SEED}`, async () => {
    const random = new Random(SEED);
    const statuses: Record<number, number> = {};
    const faults: string[] = [];
    let sent = 0;
    let warm: ReturnType<typeof heap> | undefined;
    for (; sent < MUTATED && faults.length < MOST_FAULTS; sent++) {
      const outcome = await attempt(mutated(random, await base(random.pick(requests))));
      faults.push(...outcome.faults);
      statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1;
      if (IN_CAMPAIGN && sent === MUTATED / 2) warm = heap();
    }
    expect(faults).toEqual([]);
    const end = warm && heap();
    process.stdout.write(`${JSON.stringify({ sent, seed: SEED, statuses, warm, end })}\n`);
    if (warm !== undefined) expect(end!.heap - warm.heap).toBeLessThan(HEAP_GROWTH);
  });

  it('still serves as before', async () => {
    const { status } = await client.exchange(toBytes(await base(requests[0]!)));
    expect(status).toBe(200);
  });
});
