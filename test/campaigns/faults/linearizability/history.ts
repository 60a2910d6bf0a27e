import { Random } from '../random.js';
import { setUpCompany, type Setup } from '../../../support/service-process.js';
import { type KillOptions, ServiceUnderKills, whileItLives } from '../service-under-kills.js';

/** One request to a unit's balance. Instants are microseconds: when it was first sent, when its answer had come. */
export interface RegisterOperation {
  readonly client: number;
  readonly unit: string;
  readonly write: boolean;
  readonly value: number;
  readonly call: number;
  readonly return: number;
}

const UNITS = 6;
const CLIENTS = 12;

/**
 * Clients that write and read the balances of a few units while the service is killed under them. A write is sent again
 * with its key until it is answered; a read that is cut off has had no effect and is left out.
 */
export async function recordHistory(options: KillOptions): Promise<readonly RegisterOperation[]> {
  const service = await ServiceUnderKills.start(options);
  try {
    const setup = await setUpCompany(await service.running);
    const recorder = new Recorder(service, setup, options.seed);
    await recorder.makeUnits();
    const clients = Array.from({ length: CLIENTS }, (_, client) => recorder.run(client));
    await service.during(
      Promise.all(clients),
      () => recorder.operations.length,
      () => undefined,
    );
    return recorder.operations;
  } finally {
    await service.close();
  }
}

class Recorder {
  readonly operations: RegisterOperation[] = [];
  #lastValue = 0;

  constructor(
    private readonly service: ServiceUnderKills,
    private readonly setup: Setup,
    private readonly seed: number,
  ) {}

  async makeUnits(): Promise<void> {
    const { client } = await this.service.running;
    const { token } = this.setup;
    const body = { pms_tenant_id: 't-1', move_in_date: '2025-01-01', pms_location_code: 'A' };
    for (let unit = 0; unit < UNITS; unit += 1) {
      await client.call('put', `/api/v2/units/register-${unit}/tenancy`, { body, token });
    }
  }

  async run(client: number): Promise<void> {
    const random = new Random(this.seed, client);
    while (!this.service.ending) {
      const unit = `register-${random.whole(0, UNITS - 1)}`;
      if (random.chance(0.5)) await this.#write(client, unit);
      else await this.#read(client, unit);
    }
  }

  async #write(client: number, unit: string): Promise<void> {
    const value = (this.#lastValue += 1);
    const call = now();
    const headers = { 'Idempotency-Key': `write ${value}` };
    for (;;) {
      const service = await this.service.running;
      const options = { body: { balance_due: value }, token: this.setup.token, headers, mayFail: true };
      const answer = await whileItLives(service, () =>
        service.client.call('patch', `/api/v2/units/${unit}`, options),
      );
      if (answer === undefined || answer.status === 503) continue;
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
      service.client.call('get', `/api/v2/units/${unit}`, { token }),
    );
    if (answer === undefined) return;
    const value = Number(answer.body.data.facts.balance_due);
    this.operations.push({ client, unit, write: false, value, call, return: now() });
  }
}

function now(): number {
  return Math.round(performance.now() * 1_000);
}
