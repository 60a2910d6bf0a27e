import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess, Setup } from '../../../support/service-process.js';
import { Random } from '../random.js';
import { whileItLives } from '../service-under-kills.js';

/** One request to a unit's balance. Instants are microseconds: when it was first sent, when its answer had come. */
export interface RegisterOperation {
  readonly client: number;
  readonly unit: string;
  readonly write: boolean;
  readonly value: number;
  readonly call: number;
  readonly return: number;
}

/** Whom the clients ask: a process of the service, as soon as one runs. */
export interface BreakableService {
  readonly running: Promise<ServiceProcess>;
  /** No further request shall be begun. */
  readonly ending: boolean;
}

export interface LoadSize {
  readonly clients: number;
  readonly units: number;
  /** The longest that a client waits between two requests, in milliseconds. */
  readonly pause: number;
}

/** How long who was told to come back stays away, in milliseconds: many who do not only keep everybody from being served. */
const LONGEST_REST = 1_000;

/** Clients that write and read the balances of a few units, and what they were answered. */
export class RegisterClients {
  readonly operations: RegisterOperation[] = [];
  #lastValue = 0;

  constructor(
    private readonly service: BreakableService,
    private readonly setup: Setup,
    private readonly seed: number,
    private readonly size: LoadSize = { clients: 12, units: 6, pause: 0 },
  ) {}

  async makeUnits(): Promise<void> {
    const { client } = await this.service.running;
    const { token } = this.setup;
    const body = { pms_tenant_id: 't-1', move_in_date: '2025-01-01', pms_location_code: 'A' };
    for (let unit = 0; unit < this.size.units; unit += 1) {
      await client.call('put', `/api/v2/units/register-${unit}/tenancy`, { body, token });
    }
  }

  /** All clients at once, until the service is ending. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.size.clients }, (_, client) => this.#run(client)));
  }

  async #run(client: number): Promise<void> {
    const random = new Random(this.seed, client);
    while (!this.service.ending) {
      if (this.size.pause > 0) await pause(random.whole(0, this.size.pause));
      const unit = `register-${random.whole(0, this.size.units - 1)}`;
      if (random.chance(0.5)) await this.#write(client, unit, random);
      else await this.#read(client, unit);
    }
  }

  async #write(client: number, unit: string, random: Random): Promise<void> {
    const value = (this.#lastValue += 1);
    const call = now();
    const headers = { 'Idempotency-Key': `write ${value}` };
    for (;;) {
      const service = await this.service.running;
      const options = { body: { balance_due: value }, token: this.setup.token, headers, mayFail: true };
      const answer = await whileItLives(service, () =>
        service.client.call('patch', `/api/v2/units/${unit}`, options),
      );
      if (answer === undefined) continue;
      if (answer.status === 503) {
        await pause(random.whole(0, LONGEST_REST));
        continue;
      }
      if (answer.status !== 200)
        throw new Error(`A write was answered with ${answer.status}: ${answer.text}`);
      this.operations.push({ client, unit, write: true, value, call, return: now() });
      return;
    }
  }

  async #read(client: number, unit: string): Promise<void> {
    const service = await this.service.running;
    const call = now();
    const { token } = this.setup;
    const answer = await whileItLives(service, () =>
      service.client.call('get', `/api/v2/units/${unit}`, { token, mayFail: true }),
    );
    if (answer === undefined || answer.status === 503) return;
    if (answer.status !== 200) throw new Error(`A read was answered with ${answer.status}: ${answer.text}`);
    const value = Number(answer.body.data.facts.balance_due);
    this.operations.push({ client, unit, write: false, value, call, return: now() });
  }
}

function now(): number {
  return Math.round(performance.now() * 1_000);
}
