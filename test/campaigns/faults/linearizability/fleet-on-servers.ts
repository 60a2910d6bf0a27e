import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startStandIn } from '../../../support/mongo-server.js';
import { ServiceProcess, setUpCompany } from '../../../support/service-process.js';
import type { Round } from '../../campaign.js';
import { Random } from '../random.js';
import { Cluster } from './cluster.js';
import { RegisterClients, type RegisterOperation } from './register-clients.js';

export interface FleetRound extends Round {
  readonly folder: string;
}

export interface PlayedFleet {
  readonly history: readonly RegisterOperation[];
  readonly figures: string;
}

const PROCESSES = 3;
/** Many, as one whose write was cut off with its process waits until the reservation of its key has ended. */
const SIZE = { clients: 50, units: 20, pause: 200 };
/** Answers to the clients between two breakages of the cluster, and between the ends of two processes, */
const ANSWERS_IN_PEACE = 10;
const ANSWERS_IN_LIFE = 25;
/** or milliseconds, where they do not come: what is broken next may be why. */
const LONGEST_WAIT = 10_000;
/** Of the processes, killed or starting. */
const MOST_DOWN = 2;
/** Lines of each process, where one does not start. */
const MOST_TOLD = 12;
/** Of a minute each. */
const MOST_WAITS = 5;
const SAID_EVERY = 60_000;

/**
 * Three processes of the service on two nodes of EventStoreDB and one MongoDB. Leaders die, connections are cut and
 * answers are lost. Up to two processes at once are killed. Clients ask any process. @throws Error if a process ends
 * by itself, or a write is stored twice or not at all
 */
export async function playFleet({ seed, seconds, folder, say }: FleetRound): Promise<PlayedFleet> {
  const mongo = await startStandIn('memory');
  const cluster = await Cluster.start();
  const environment = {
    EVENTSTORE_URL: cluster.url,
    MONGODB_URL: `${mongo.url}/fleet`,
    KEY_MASTER_SECRET: 'a master secret for runs of kills, long enough',
  };
  const fleet = new Fleet(folder, environment, new Random(seed, 0x666c656574));
  try {
    await fleet.start();
    const setup = await setUpCompany(await fleet.running);
    const clients = new RegisterClients(fleet, setup, seed, SIZE);
    await clients.makeUnits();
    const until = Date.now() + seconds * 1_000;
    const figures = () =>
      `${clients.operations.length} operations, ${cluster.leadersKilled} leaders and ${fleet.kills} processes killed, ` +
      `${cluster.connectionsCut} times all connections cut, ${cluster.answersLost} answers lost`;
    const random = new Random(seed, 0x636c7573);
    /** However fast the machine is: on a slow one, what is broken by the clock is never whole for as long as a request. */
    const untilAnswers = async (more: number) => {
      const wanted = clients.operations.length + more;
      const latest = Math.min(until, Date.now() + LONGEST_WAIT);
      while (clients.operations.length < wanted && Date.now() < latest && !fleet.ending) await pause(5);
    };
    const breaking = async () => {
      for (let said = Date.now(); Date.now() < until && !fleet.ending;) {
        await untilAnswers(random.whole(0, ANSWERS_IN_PEACE));
        await cluster.break(random);
        if (Date.now() - said < SAID_EVERY) continue;
        said = Date.now();
        say(figures());
      }
    };
    const work = clients.run();
    await Promise.race([work, Promise.all([breaking(), fleet.killUntil(until, untilAnswers)])]).finally(() =>
      fleet.end(),
    );
    await work;
    demandEachStoredOnce(clients.operations, cluster.userEvents);
    return { history: clients.operations, figures: figures() };
  } finally {
    fleet.end();
    await fleet.close();
    await cluster.close();
    await mongo.stop();
  }
}

/** Processes of the service, of which now one and now another is killed and started again; one runs at every instant. */
class Fleet {
  kills = 0;
  ending = false;
  readonly #processes: ServiceProcess[] = [];
  /** All that may run, those that are starting included. */
  readonly #spawned = new Set<ServiceProcess>();
  /** Those that were killed and do not listen again yet. */
  readonly #down = new Map<number, Promise<void>>();
  #failure: Error | undefined;
  #turn = 0;

  constructor(
    private readonly folder: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly random: Random,
  ) {}

  async start(): Promise<void> {
    for (let number = 0; number < PROCESSES; number += 1) this.#processes.push(await this.#started(number));
  }

  /** One process after another, without those that are down. */
  get running(): Promise<ServiceProcess> {
    do this.#turn = (this.#turn + 1) % PROCESSES;
    while (this.#down.has(this.#turn));
    return Promise.resolve(this.#processes[this.#turn]!);
  }

  /** @param untilAnswers resolves when the clients have had so many more */
  async killUntil(instant: number, untilAnswers: (more: number) => Promise<void>): Promise<void> {
    while (Date.now() < instant && !this.ending) {
      await untilAnswers(this.random.whole(1, ANSWERS_IN_LIFE));
      while (this.#down.size === MOST_DOWN) await Promise.race(this.#down.values());
      this.#demandWell();
      const up = this.#processes.flatMap((_, number) => (this.#down.has(number) ? [] : [number]));
      const number = this.random.pick(up);
      this.kills += 1;
      this.#down.set(number, this.#replace(number));
    }
    await Promise.all(this.#down.values());
    this.#demandWell();
  }

  end(): void {
    this.ending = true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#spawned].map((process) => process.kill()));
    // One that was being killed may have been followed meanwhile.
    await Promise.all(this.#down.values());
    await Promise.all([...this.#spawned].map((process) => process.kill()));
  }

  /** @throws Error where a process ended by itself, or cannot be started */
  #demandWell(): void {
    if (this.#failure !== undefined) throw this.#failure;
    for (const process of this.#processes) process.demandAlive();
  }

  /** Never rejects: what fails is demanded later. */
  async #replace(number: number): Promise<void> {
    try {
      const killed = this.#processes[number]!;
      await killed.kill();
      this.#spawned.delete(killed);
      if (this.ending) return;
      this.#processes[number] = await this.#started(number);
    } catch (error) {
      this.#failure ??= error as Error;
    } finally {
      this.#down.delete(number);
    }
  }

  /** A start waits for whoever keeps the views, who may be killed as well, and for a cluster that breaks all the time. */
  async #started(number: number): Promise<ServiceProcess> {
    const folder = join(this.folder, String(number));
    const service = await ServiceProcess.spawn(folder, { environment: this.environment });
    this.#spawned.add(service);
    for (let waits = 1; ; waits += 1) {
      try {
        if (!(await service.listens()) && !this.ending) service.demandAlive();
        return service;
      } catch (error) {
        if (service.hasEnded) throw error;
        if (waits < MOST_WAITS) continue;
        await service.kill();
        const said = [service, ...this.#processes].map(told).join('\n\n');
        throw new Error(`A process did not start: ${said}`, { cause: error });
      }
    }
  }
}

/** The last that a process has said. */
function told({ pid, lines, errors }: ServiceProcess): string {
  return [`process ${pid}`, ...lines.slice(-MOST_TOLD), ...errors.slice(-MOST_TOLD)].join('\n');
}

/** Every write that was acknowledged stands in the log, and none of them twice. */
function demandEachStoredOnce(
  operations: readonly RegisterOperation[],
  events: readonly { readonly data: Uint8Array }[],
): void {
  const stored = new Map<number, number>();
  for (const { data } of events) {
    const { balance_due } = JSON.parse(Buffer.from(data).toString()) as { balance_due?: number };
    if (balance_due !== undefined) stored.set(balance_due / 100, (stored.get(balance_due / 100) ?? 0) + 1);
  }
  const wrong = operations.filter(({ write, value }) => write && stored.get(value) !== 1);
  if (wrong.length === 0) return;
  const { unit, value } = wrong[0]!;
  throw new Error(
    `${wrong.length} writes stand not once in the log, ${value} of ${unit} ${stored.get(value) ?? 0} times.`,
  );
}
