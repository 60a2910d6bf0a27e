import type { Parsed } from '../../support/http-client.js';
import { waitUntil } from '../../support/wait-until.js';
import type { ProcessCompany, ServiceProcess } from './service-process.js';

export interface LoadSize {
  readonly clients: number;
  readonly bulks: number;
  readonly units: number;
}

/**
 * Clients that send bulks of their own units, one after another, each under a key of its own and again under the same
 * key until it is answered with 200. The first bulk of a client creates its units, every later one changes each.
 */
export class BulkLoad {
  /** Every answer's status, and how long it took. */
  readonly answers: { readonly status: number; readonly milliseconds: number }[] = [];
  /** Answers that break the rules: 5xx other than 503, 503 without Retry-After, wrong counts. */
  readonly faults: string[] = [];
  acknowledged = 0;

  constructor(
    private readonly service: ServiceProcess,
    private readonly company: ProcessCompany,
    private readonly size: LoadSize,
  ) {}

  async run(): Promise<void> {
    const clients = Array.from({ length: this.size.clients }, (_, client) => this.#client(client));
    await Promise.all(clients);
  }

  /** Resolves with the number of answers of this status once there are as many. */
  seen(status: number, count = 1): Promise<number> {
    return waitUntil(
      () => this.count(status),
      (found) => found >= count,
    );
  }

  count(status: number): number {
    return this.answers.filter((answer) => answer.status === status).length;
  }

  get slowest(): number {
    return Math.round(Math.max(...this.answers.map(({ milliseconds }) => milliseconds)));
  }

  /** What each client's units owe in the end, in cents, in the order of the writes. */
  get amounts(): number[] {
    return Array.from({ length: this.size.bulks - 1 }, (_, turn) => (turn + 1) * 100);
  }

  async #client(client: number): Promise<void> {
    for (let turn = 0; turn < this.size.bulks; turn += 1) {
      const units = Array.from({ length: this.size.units }, (_, unit) => entry(`C${client}-${unit}`, turn));
      const key = `bulk-${client}-${turn}`;
      const data = await waitUntil(
        () => this.#send(units, key),
        (answered) => answered !== undefined,
      );
      this.#check(data, turn);
      this.acknowledged += 1;
    }
  }

  async #send(units: readonly object[], key: string): Promise<Parsed> {
    const began = performance.now();
    const answer = await this.service.call('patch', '/api/v2/units', {
      token: this.company.token,
      body: { units },
      headers: { 'Idempotency-Key': key },
      mayFail: true,
    });
    const { status, headers, text } = answer;
    this.answers.push({ status, milliseconds: performance.now() - began });
    if (status === 200) return answer.body.data;
    if (status !== 503 || headers['retry-after'] === undefined) this.faults.push(`${status} ${text}`);
    return undefined;
  }

  #check({ total, created, updated, errors }: Parsed, turn: number): void {
    const { units } = this.size;
    const wanted = turn === 0 ? [units, units, 0, 0] : [units, 0, units, 0];
    const found = [total, created, updated, errors.length];
    if (found.join() !== wanted.join()) this.faults.push(`counts ${found.join()} of bulk ${turn}`);
  }
}

function entry(crm_unit_id: string, turn: number): object {
  const facts = { occupied: true, pms_tenant_id: `t-${crm_unit_id}`, move_in_date: '2025-12-01' };
  return { crm_unit_id, pms_location_code: 'MAIN', ...facts, ...(turn === 0 ? {} : { balance_due: turn }) };
}
