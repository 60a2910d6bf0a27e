import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDbDouble } from '../../../support/eventstoredb-double/index.js';
import type { Random } from '../random.js';

const ANSWERS_LOST = 3;
/** So long a leader waits for the append after which it dies; there may be none. */
const PATIENCE = 2_000;

/** Two nodes of one log, doubles of EventStoreDB, of which now one and now the other leads. */
export class Cluster {
  leadersKilled = 0;
  connectionsCut = 0;
  answersLost = 0;

  private constructor(
    private leader: EventStoreDbDouble,
    private next: EventStoreDbDouble,
  ) {}

  static async start(): Promise<Cluster> {
    const leader = await EventStoreDbDouble.start();
    return new Cluster(leader, await EventStoreDbDouble.start({ leader }));
  }

  /** Names both nodes. */
  get url(): string {
    const hosts = [this.leader, this.next].map(({ port }) => `127.0.0.1:${port}`).join();
    return `esdb://${hosts}?tls=false&discoveryInterval=50`;
  }

  get userEvents() {
    return this.leader.userEvents;
  }

  /** Does one thing to the cluster that clusters meet, and undoes it. */
  async break(random: Random): Promise<void> {
    await random.pick([
      () => this.#killLeader(),
      () => this.#killLeader(),
      () => this.#cutConnections(),
      () => this.#loseAnswers(),
    ])();
  }

  async close(): Promise<void> {
    await Promise.all([this.leader.close(), this.next.close()]);
  }

  /** It dies with an append that it has stored and not answered, where one comes. */
  async #killLeader(): Promise<void> {
    const { leader, next } = this;
    const deaths = leader.killed;
    leader.faults.loseAnswers = 0;
    leader.faults.killAfterStoring = 1;
    for (const until = Date.now() + PATIENCE; leader.killed === deaths && Date.now() < until;) await pause(5);
    leader.faults.killAfterStoring = 0;
    if (leader.killed === deaths) await leader.kill();
    leader.follow(next);
    [this.leader, this.next] = [next, leader];
    await leader.restart();
    this.leadersKilled += 1;
  }

  #cutConnections(): Promise<void> {
    this.connectionsCut += 1;
    this.leader.cutConnections();
    return Promise.resolve();
  }

  #loseAnswers(): Promise<void> {
    this.leader.faults.loseAnswers += ANSWERS_LOST;
    this.answersLost += ANSWERS_LOST;
    return Promise.resolve();
  }
}
