import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../support/http-client.js';
import { Random } from '../random.js';
import { ServiceProcess, type Setup, setUpCompany } from '../service-process.js';
import { type Expected, Oracle } from './oracle.js';
import { type Planned, planned, requestOf } from './plan.js';

export interface CampaignOptions {
  readonly folder: string;
  readonly seed: number;
  readonly writers: number;
  readonly kills: number;
  /** No further kill after so many seconds. */
  readonly seconds: number;
  /** A life ends after up to so many answers, 40 when absent. */
  readonly answers?: number;
  readonly log?: (line: string) => void;
}

/** An answer that a client has received. Its request can be planned again. */
export interface Acknowledged {
  readonly writer: number;
  readonly turn: number;
  readonly status: number;
  readonly text: string;
}

export interface Tally {
  kills: number;
  /** Kills that hit the start, before the service listened. */
  killsAtStart: number;
  requests: number;
  units: number;
  /** Attempts that got no answer, or 503. */
  unanswered: number;
  /** Answers that came after at least one attempt without, */
  answeredLater: number;
  /** and of those the ones that the killed process had already stored. */
  storedBefore: number;
}

/** A life ends at a random instant after a random number of answers, however fast the machine is. */
const MOST_ANSWERS = 40;
const LONGEST_WAIT = 6_000;
const LAST_INSTANTS = 120;
const START_TIME = 2_000;
const STARTS_KILLED = 0.1;

/** Writers that never stop, and a service that is killed under them. */
export class CrashCampaign {
  readonly acknowledged: Acknowledged[] = [];
  readonly oracles: readonly Oracle[];
  readonly tally: Tally = {
    kills: 0,
    killsAtStart: 0,
    requests: 0,
    units: 0,
    unanswered: 0,
    answeredLater: 0,
    storedBefore: 0,
  };
  setup!: Setup;
  #service!: ServiceProcess;
  #running!: Promise<ServiceProcess>;
  #markRunning: (service: ServiceProcess) => void = () => undefined;
  #ending = false;
  readonly #random: Random;

  constructor(private readonly options: CampaignOptions) {
    this.oracles = Array.from({ length: options.writers }, () => new Oracle());
    this.#random = new Random(options.seed, 0x6b696c6c);
  }

  /** Runs the writers under all kills, and answers the service, which still runs when every request was answered. */
  async run(): Promise<ServiceProcess> {
    this.#service = (await ServiceProcess.start(this.options.folder))!;
    this.setup = await setUpCompany(this.#service);
    this.#running = Promise.resolve(this.#service);
    const writing = Promise.all(this.oracles.map((oracle, writer) => this.#write(writer, oracle)));
    // A writer's failure ends the kills as well.
    const failed = writing.then(() => undefined);
    await Promise.race([failed, this.#killAndRestart()]);
    this.#ending = true;
    await writing;
    return this.#service;
  }

  async close(): Promise<void> {
    this.#ending = true;
    await this.#service.kill();
  }

  async #killAndRestart(): Promise<void> {
    const until = Date.now() + this.options.seconds * 1_000;
    while (this.tally.kills < this.options.kills && Date.now() < until && !this.#ending) {
      await this.#answers(this.#random.whole(0, this.options.answers ?? MOST_ANSWERS));
      await pause(this.#random.whole(0, LAST_INSTANTS));
      await this.#kill();
      await this.#restart();
    }
  }

  /** Waits for so many more answers, but not for ever. */
  async #answers(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count;
    const until = Date.now() + LONGEST_WAIT;
    while (this.acknowledged.length < wanted && Date.now() < until && !this.#ending) await pause(5);
  }

  async #kill(): Promise<void> {
    this.#running = new Promise((resolve) => (this.#markRunning = resolve));
    await this.#service.kill();
    this.#tellKill();
  }

  async #restart(): Promise<void> {
    for (;;) {
      const killed = this.#random.chance(STARTS_KILLED);
      const fate = killed ? { killAfter: this.#random.whole(0, START_TIME) } : {};
      const service = await ServiceProcess.start(this.options.folder, fate);
      if (service !== undefined && killed) await service.kill();
      else if (service !== undefined) this.#service = service;
      if (service !== undefined && !killed) break;
      this.tally.killsAtStart += 1;
      this.#tellKill();
    }
    this.#markRunning(this.#service);
  }

  #tellKill(): void {
    this.tally.kills += 1;
    if (this.tally.kills % 10 === 0) this.options.log?.(`${JSON.stringify(this.tally)}`);
  }

  async #write(writer: number, oracle: Oracle): Promise<void> {
    for (let turn = 0; !this.#ending; turn += 1) {
      const plan = planned(this.options.seed, writer, turn);
      const answer = await this.#untilAnswered(plan);
      const { status, text } = answer;
      this.acknowledged.push({ writer, turn, status, text });
      if (plan.own) expectAnswer(plan, answer, oracle.apply(plan.action));
      else if (status >= 400 && status !== 404) throw unexpected(plan, answer, 'a success, or 404');
    }
  }

  async #untilAnswered(plan: Planned): Promise<Answer> {
    const { action } = plan;
    this.tally.requests += 1;
    this.tally.units += action.kind === 'bulk' ? action.body.units.length : 1;
    for (let attempt = 1; ; attempt += 1) {
      const service = await this.#running;
      const answer = await send(service, this.setup, plan);
      if (answer !== undefined && answer.status !== 503) {
        if (attempt > 1) this.tally.answeredLater += 1;
        if (attempt > 1 && isReplay(answer)) this.tally.storedBefore += 1;
        return answer;
      }
      this.tally.unanswered += 1;
      service.demandAlive();
    }
  }
}

/** Sends a planned request with its key; undefined where no whole answer came. */
export async function send(
  service: ServiceProcess,
  setup: Setup,
  { action, key }: Pick<Planned, 'action' | 'key'>,
): Promise<Answer | undefined> {
  const { method, path, body } = requestOf(action);
  const headers = { 'Idempotency-Key': key, 'X-Request-Id': key };
  try {
    return await service.client.call(method, path, { body, token: setup.token, headers, mayFail: true });
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return undefined;
    throw error;
  }
}

export function isReplay({ headers }: Answer): boolean {
  return headers['idempotency-replayed'] === 'true';
}

function expectAnswer(plan: Planned, answer: Answer, expected: Expected): void {
  if (answer.status !== expected.status) throw unexpected(plan, answer, JSON.stringify(expected));
  if (expected.counts === undefined) return;
  const { total, created, updated, unchanged, errors } = answer.body.data;
  const counts = { total, created, updated, unchanged, errors: errors.length };
  if (JSON.stringify(counts) !== JSON.stringify(expected.counts)) {
    throw unexpected(plan, answer, JSON.stringify(expected));
  }
}

function unexpected({ key, action }: Planned, { status, text }: Answer, expected: string): Error {
  const asked = JSON.stringify(action).slice(0, 300);
  return new Error(
    `${key} was answered with ${status} ${text.slice(0, 600)}; expected ${expected}: ${asked}`,
  );
}
