import { setTimeout as pause } from 'node:timers/promises';
import { Random } from './random.js';
import { ServiceProcess } from '../../support/service-process.js';

/** Breaks something that the service needs; resolves when it is there again. */
export type Breakage = () => Promise<void>;

export interface KillOptions {
  readonly folder: string;
  /** Of every process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What breaks between the kills, as often as the service is killed. */
  readonly breakages?: readonly Breakage[];
  /** Called after each kill, while no process runs. */
  readonly whileDown?: () => Promise<void>;
  readonly seed: number;
  readonly kills: number;
  /** No further kill after so many seconds. */
  readonly seconds: number;
  /** A life ends after up to so many answers, 40 when absent, */
  readonly answers?: number;
  /** or when they have not come for so many milliseconds, 6,000 when absent. */
  readonly patience?: number;
}

/** A life ends at a random instant after a random number of answers, however fast the machine is. */
const MOST_ANSWERS = 40;
const LONGEST_WAIT = 6_000;
const LAST_INSTANTS = 120;
const START_TIME = 2_000;
const STARTS_KILLED = 0.1;

/** The service on one folder, killed at random instants and started again. */
export class ServiceUnderKills {
  kills = 0;
  /** What else was broken. */
  broken = 0;
  /** Kills that hit the start, before the service listened. */
  killsAtStart = 0;
  /** The longest time from a start to the answer that it is ready, in milliseconds. */
  longestStart = 0;
  #service: ServiceProcess;
  #running: Promise<ServiceProcess>;
  #markRunning: (service: ServiceProcess) => void = () => undefined;
  #ending = false;
  readonly #random: Random;

  private constructor(
    private readonly options: KillOptions,
    service: ServiceProcess,
  ) {
    this.#random = new Random(options.seed, 0x6b696c6c);
    this.#service = service;
    this.#running = Promise.resolve(service);
  }

  static async start(options: KillOptions): Promise<ServiceUnderKills> {
    return new ServiceUnderKills(options, await ServiceProcess.start(options.folder, options));
  }

  /** The service, as soon as it runs. */
  get running(): Promise<ServiceProcess> {
    return this.#running;
  }

  /** No further request shall be begun. */
  get ending(): boolean {
    return this.#ending;
  }

  /**
   * Kills and restarts while `work` goes on, which ends when `ending` is set, or fails.
   * @param answers how many answers the work has had so far
   * @param tell is called after each kill
   */
  async during(work: Promise<unknown>, answers: () => number, tell: () => void): Promise<ServiceProcess> {
    await Promise.race([work, this.#killAndRestart(answers, tell)]).finally(() => (this.#ending = true));
    await work;
    return this.#service;
  }

  async close(): Promise<void> {
    this.#ending = true;
    await this.#service.kill();
  }

  async #killAndRestart(answers: () => number, tell: () => void): Promise<void> {
    const { kills, seconds, answers: most = MOST_ANSWERS, breakages = [] } = this.options;
    const until = Date.now() + seconds * 1_000;
    while (this.kills < kills && Date.now() < until && !this.#ending) {
      await this.#untilAnswers(answers, answers() + this.#random.whole(0, most));
      await pause(this.#random.whole(0, LAST_INSTANTS));
      if (breakages.length > 0 && this.#random.chance(0.5)) {
        await this.#random.pick(breakages)();
        this.broken += 1;
        continue;
      }
      this.#running = new Promise((resolve) => (this.#markRunning = resolve));
      await this.#service.kill();
      this.kills += 1;
      tell();
      await this.options.whileDown?.();
      await this.#restart(tell);
    }
  }

  /** Waits for answers, but not for ever. */
  async #untilAnswers(answers: () => number, wanted: number): Promise<void> {
    const until = Date.now() + (this.options.patience ?? LONGEST_WAIT);
    while (answers() < wanted && Date.now() < until && !this.#ending) await pause(5);
  }

  async #restart(tell: () => void): Promise<void> {
    while (this.#random.chance(STARTS_KILLED)) {
      const service = await ServiceProcess.spawn(this.options.folder, this.options);
      const timer = setTimeout(() => void service.kill(), this.#random.whole(0, START_TIME));
      if (!(await service.listens())) service.demandAlive();
      clearTimeout(timer);
      await service.kill();
      this.kills += 1;
      this.killsAtStart += 1;
      tell();
    }
    const begun = Date.now();
    this.#service = await ServiceProcess.start(this.options.folder, this.options);
    this.#markRunning(this.#service);
    while ((await this.#service.client.call('get', '/health/ready')).status !== 200) await pause(20);
    this.longestStart = Math.max(this.longestStart, Date.now() - begun);
  }
}

/** Runs a call of the service; undefined where no whole answer came because it was killed. */
export async function whileItLives<T>(
  service: ServiceProcess,
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    service.demandAlive();
    return undefined;
  }
}
