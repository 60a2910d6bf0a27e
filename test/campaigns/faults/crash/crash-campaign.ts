import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../../support/http-client.js';
import { type ServiceProcess, type Setup, setUpCompany } from '../../../support/service-process.js';
import { type KillOptions, ServiceUnderKills, whileItLives } from '../service-under-kills.js';
import { type Expected, Oracle } from './oracle.js';
import { type Planned, planned, requestOf } from './plan.js';
import type { StoresUnderKills } from './stores-under-kills.js';

export interface CampaignOptions extends Omit<KillOptions, 'environment' | 'breakages' | 'patience'> {
  readonly stores: StoresUnderKills;
  readonly writers: number;
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
  killsAtStart: number;
  /** Servers ended and started again, or made to lose answers. */
  broken: number;
  requests: number;
  unitsSent: number;
  /** Attempts that got no answer, or 503. */
  unanswered: number;
  /** Answers that came after at least one attempt without, */
  answeredLater: number;
  /** and of those the ones that the killed process had already stored. */
  storedBefore: number;
  /** The longest start until the service was ready, in milliseconds. */
  longestStart: number;
}

/** Writers that never stop, and a service that is killed under them. */
export class CrashCampaign {
  readonly acknowledged: Acknowledged[] = [];
  readonly oracles: readonly Oracle[];
  readonly tally: Tally = {
    kills: 0,
    killsAtStart: 0,
    broken: 0,
    requests: 0,
    unitsSent: 0,
    unanswered: 0,
    answeredLater: 0,
    storedBefore: 0,
    longestStart: 0,
  };

  private constructor(
    private readonly options: CampaignOptions,
    private readonly service: ServiceUnderKills,
    readonly setup: Setup,
  ) {
    this.oracles = Array.from({ length: options.writers }, () => new Oracle());
  }

  static async start(options: CampaignOptions): Promise<CrashCampaign> {
    const service = await ServiceUnderKills.start({ ...options, ...options.stores });
    try {
      return new CrashCampaign(options, service, await setUpCompany(await service.running));
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  /** Runs the writers under all kills, and answers the service, which still runs when every request was answered. */
  async run(): Promise<ServiceProcess> {
    const writing = Promise.all(this.oracles.map((oracle, writer) => this.#write(writer, oracle)));
    return this.service.during(
      writing,
      () => this.acknowledged.length,
      () => this.#tellKill(),
    );
  }

  close(): Promise<void> {
    return this.service.close();
  }

  #tellKill(): void {
    this.tally.kills = this.service.kills;
    this.tally.killsAtStart = this.service.killsAtStart;
    this.tally.broken = this.service.broken;
    this.tally.longestStart = this.service.longestStart;
    if (this.tally.kills % 10 === 0) this.options.log?.(JSON.stringify(this.tally));
  }

  async #write(writer: number, oracle: Oracle): Promise<void> {
    for (let turn = 0; !this.service.ending; turn += 1) {
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
    this.tally.unitsSent += action.kind === 'bulk' ? action.body.units.length : 1;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(await this.service.running, this.setup, plan);
      if (answer !== undefined && answer.status !== 503) {
        if (attempt > 1) this.tally.answeredLater += 1;
        if (attempt > 1 && isReplay(answer)) this.tally.storedBefore += 1;
        return answer;
      }
      this.tally.unanswered += 1;
      await pause(Number(answer?.headers['retry-after'] ?? 0) * 1_000);
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
  return whileItLives(service, () =>
    service.client.call(method, path, { body, token: setup.token, headers, mayFail: true }),
  );
}

function isReplay({ headers }: Answer): boolean {
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
