import type { Target } from '../../../tools/bench/scenarios.js';
import type { Random } from '../../system/hostile/random.js';
import { RawClient } from '../../system/hostile/raw-client.js';

/** The facts of a unit that the traffic changes. */
interface Facts {
  readonly occupied: boolean;
  readonly pms_tenant_id: string | null;
  readonly balance_due: number;
}

interface Step {
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: object;
  readonly expected: readonly number[];
  /** The facts after it, by unit. */
  readonly changes?: ReadonlyMap<string, Facts>;
  /** A further condition on the answer. */
  readonly verify?: (body: string) => string | undefined;
}

export interface Outcome {
  readonly kind: string;
  readonly milliseconds: number;
}

/** The service has turned the lane away: 503 with the end of the connection, or no connection at all. */
export class TurnedAway extends Error {}

const UNITS = 20;
const LEDGER: readonly (readonly [number, string])[] = [
  [28, 'patch'],
  [10, 'move in'],
  [5, 'move out'],
  [25, 'read'],
  [4, 'list'],
  [3, 'bulk'],
  [15, 'tenant access'],
  [10, 'lock log'],
];

/**
 * A connection with units of its own, one request at a time: what its units must be like is known after every answer.
 */
export class Lane {
  readonly #client: RawClient;
  readonly #acknowledged = new Map<string, Facts>();
  /** The units after an unanswered request, if it took effect. */
  #pending: ReadonlyMap<string, Facts> = new Map();
  readonly #logs = new Map<string, string>();
  #made = 0;

  constructor(
    private readonly number: number,
    private readonly target: Target & { readonly lock_id: string },
    private readonly random: Random,
  ) {
    this.#client = new RawClient(target.port);
  }

  /** Sends the next request of the mix. @throws TurnedAway; Error for an answer that is not as it must be. */
  async next(): Promise<Outcome> {
    const step = this.#step();
    this.#pending = step.changes ?? new Map<string, Facts>();
    const answer = await this.#send(this.#client, step);
    if (answer.status === 0 || answer.status === 503) {
      if (answer.status === 503) this.#pending = new Map();
      throw new TurnedAway();
    }
    if (!step.expected.includes(answer.status)) {
      throw new Error(`${step.method} ${step.path}: ${answer.status} ${answer.body.slice(0, 300)}`);
    }
    for (const [crm_unit_id, facts] of this.#pending) this.#acknowledged.set(crm_unit_id, facts);
    this.#pending = new Map();
    const fault = step.verify?.(answer.body);
    if (fault !== undefined) throw new Error(`${step.method} ${step.path}: ${fault}`);
    return { kind: step.kind, milliseconds: answer.milliseconds };
  }

  /** Acknowledged writes of this lane that the service has lost after a restart. */
  async lost(port: number): Promise<string[]> {
    const client = new RawClient(port);
    const lost: string[] = [];
    for (const [crm_unit_id, facts] of this.#acknowledged) {
      const step = this.#read(crm_unit_id);
      const { status, body } = await this.#send(client, step);
      const found = status === 200 ? factsIn(body) : `${status} ${body}`;
      const allowed = [JSON.stringify(facts), JSON.stringify(this.#pending.get(crm_unit_id))];
      if (!allowed.includes(found)) lost.push(`${crm_unit_id}: ${found}, not ${allowed.join(' or ')}`);
    }
    for (const [client_log_id, log_id] of this.#logs) {
      const { body } = await this.#send(client, this.#log(client_log_id));
      if (!body.includes(log_id)) lost.push(`log ${client_log_id}: ${body}, not ${log_id}`);
    }
    client.close();
    return lost;
  }

  /** How many units and reports `lost` looks for. */
  get remembered(): number {
    return this.#acknowledged.size + this.#logs.size;
  }

  close(): void {
    this.#client.close();
  }

  async #send(client: RawClient, { method, path, token, body }: Step) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const content = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
    try {
      return await client.exchange(`${head}${body === undefined ? '' : content}\r\n${text}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw new TurnedAway();
      throw error;
    }
  }

  #step(): Step {
    const crm_unit_id = this.#unit(this.random.below(UNITS));
    const facts = this.#acknowledged.get(crm_unit_id);
    if (facts === undefined) return this.#moveIn(crm_unit_id, undefined);
    const weight = LEDGER.reduce((sum, [part]) => sum + part, 0);
    let drawn = this.random.below(weight);
    const kind = LEDGER.find(([part]) => (drawn -= part) < 0)![1];
    switch (kind) {
      case 'patch':
        return this.#patch(crm_unit_id, facts);
      case 'move in':
        return this.#moveIn(crm_unit_id, facts);
      case 'move out':
        return this.#moveOut(crm_unit_id, facts);
      case 'read':
        return this.#read(crm_unit_id, facts);
      case 'bulk':
        return this.#bulk();
      case 'lock log':
        return this.#log(`${this.number}-${++this.#made}`);
      default:
        return kind === 'list' ? this.#list() : this.#tenantAccess();
    }
  }

  #patch(crm_unit_id: string, facts: Facts): Step {
    const balance_due = ++this.#made;
    return {
      ...this.#push('patch', 'PATCH', `/${crm_unit_id}`, [200]),
      body: { balance_due },
      changes: new Map([[crm_unit_id, { ...facts, balance_due }]]),
    };
  }

  #moveIn(crm_unit_id: string, facts: Facts | undefined): Step {
    const pms_tenant_id = `${crm_unit_id}-${this.random.pick(['a', 'b'])}`;
    const after = { occupied: true, pms_tenant_id, balance_due: facts?.balance_due ?? 0 };
    return {
      ...this.#push('move in', 'PUT', `/${crm_unit_id}/tenancy`, [facts === undefined ? 201 : 200]),
      body: { pms_tenant_id, move_in_date: '2025-11-01' },
      changes: new Map([[crm_unit_id, after]]),
    };
  }

  #moveOut(crm_unit_id: string, facts: Facts): Step {
    // On a vacant unit it changes nothing, a balance that was written since included.
    const vacant = facts.occupied ? { occupied: false, pms_tenant_id: null, balance_due: 0 } : facts;
    return {
      ...this.#push('move out', 'DELETE', `/${crm_unit_id}/tenancy`, [200]),
      changes: new Map([[crm_unit_id, vacant]]),
    };
  }

  #bulk(): Step {
    const units = [...this.#acknowledged.keys()].map((crm_unit_id) => {
      const balance_due = ++this.#made;
      const pms_tenant_id = `${crm_unit_id}-a`;
      return { crm_unit_id, occupied: true, pms_tenant_id, move_in_date: '2025-11-01', balance_due };
    });
    const changes = new Map<string, Facts>();
    for (const { crm_unit_id, occupied, pms_tenant_id, balance_due } of units) {
      changes.set(crm_unit_id, { occupied, pms_tenant_id, balance_due });
    }
    const verify = (body: string) => (body.includes('"errors":[]') ? undefined : body.slice(0, 300));
    return { ...this.#push('bulk', 'PATCH', '', [200]), body: { units }, changes, verify };
  }

  #read(crm_unit_id: string, facts?: Facts): Step {
    const wanted = JSON.stringify(facts);
    const verify = (body: string) =>
      facts === undefined || factsIn(body) === wanted ? undefined : `${factsIn(body)}, not ${wanted}`;
    return { ...this.#push('read', 'GET', `/${crm_unit_id}`, [200]), verify };
  }

  #list(): Step {
    return this.#push('list', 'GET', '?limit=50', [200]);
  }

  #tenantAccess(): Step {
    const { tenant_token: token } = this.target;
    return { kind: 'tenant access', method: 'GET', path: '/api/v2/tenant/access', token, expected: [200] };
  }

  #log(client_log_id: string): Step {
    const { tenant_token: token, lock_id } = this.target;
    const verify = (body: string) => {
      const { log_id } = (JSON.parse(body) as { data: { log_id: string } }).data;
      // The latest few are asked for again in the end.
      if (this.#logs.size >= 5) this.#logs.delete(this.#logs.keys().next().value!);
      this.#logs.set(client_log_id, log_id);
      return undefined;
    };
    const path = `/api/v2/locks/${lock_id}/logs`;
    return {
      kind: 'lock log',
      method: 'POST',
      path,
      token,
      body: { event: 'unlock', result: 'success', client_log_id },
      expected: [201],
      verify,
    };
  }

  #push(kind: string, method: string, rest: string, expected: readonly number[]): Step {
    return { kind, method, path: `/api/v2/units${rest}`, token: this.target.api_token, expected };
  }

  #unit(count: number): string {
    return `load-${this.number}-${count}`;
  }
}

function factsIn(body: string): string {
  const { occupied, pms_tenant_id, balance_due } = (JSON.parse(body) as { data: { facts: Facts } }).data
    .facts;
  return JSON.stringify({ occupied, pms_tenant_id, balance_due });
}
