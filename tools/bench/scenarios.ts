import { bulkBody, BULK_SIZE, MOVED_IN, PAID_THROUGH } from './bulk-body.js';
import type { WireRequest } from './load/wire.js';

/** Address and credentials of a contestant. */
export interface Target {
  readonly port: number;
  /** A company's API token. */
  readonly api_token: string;
  /** The token of a session of the prepared tenant. */
  readonly tenant_token: string;
  /** The `ETag` of the prepared tenant's answer. */
  readonly entity_tag: string;
  /** The number of prepared units. */
  readonly units: number;
}

/** `many` clients at once, or `one` client that sends one request after the other. */
export type Clients = 'many' | 'one';

/** One kind of request. */
export interface Scenario {
  readonly name: string;
  /** The scenario of the bare server with which it is compared. */
  readonly ceiling: 'bare' | 'bare_bulk';
  readonly expected: readonly number[];
  /** A bulk has one client, because a PMS sends its bulks one after the other. */
  readonly clients: readonly Clients[];
  /** The name of the same scenario without an Idempotency-Key. */
  readonly keyless?: string;
  /** Makes a request. @param count its number in the whole run */
  readonly request: (count: number, target: Target) => WireRequest;
}

/** A prime, so that requests reach all units, and requests after each other reach distant units. */
const STRIDE = 7_919;

function preparedUnit(count: number, { units }: Target): number {
  return (count * STRIDE) % units;
}

const tenancy = (tenant: string) => ({
  pms_tenant_id: tenant,
  move_in_date: MOVED_IN,
  ledger_id: `L-${tenant}`,
});

/**
 * The bulks that make the prepared units, each rented by another tenant.
 * @param balance in dollars; given to change units that exist already
 */
export function* preparingBulks(target: Target, balance?: number): Generator<WireRequest> {
  for (let from = 0; from < target.units; from += BULK_SIZE) {
    const units = Array.from({ length: Math.min(BULK_SIZE, target.units - from) }, (_, place) => ({
      crm_unit_id: `kept-${from + place}`,
      occupied: true,
      ...tenancy(`tenant-${from + place}`),
      paid_through_date: PAID_THROUGH,
      ...(balance === undefined ? {} : { balance_due: balance }),
    }));
    yield bulk(JSON.stringify({ units }), target);
  }
  yield preparedBulk(balance ?? 0, target);
}

/** A bulk for the prepared units of bulks. @param balance another one than before changes every unit */
function preparedBulk(balance: number, target: Target): WireRequest {
  return bulk(bulkBody('bulk-kept', balance), target);
}

function moveIn(unit: string, tenant: string, target: Target): WireRequest {
  return {
    method: 'PUT',
    path: `/api/v2/units/${unit}/tenancy`,
    headers: bearer(target),
    body: JSON.stringify(tenancy(tenant)),
  };
}

/** Each request sets a new balance on its unit. @param base in cents, different for each scenario */
function changeFacts(count: number, base: number, target: Target): WireRequest {
  return {
    method: 'PATCH',
    path: `/api/v2/units/kept-${preparedUnit(count, target)}`,
    headers: bearer(target),
    body: JSON.stringify({ balance_due: (base + (count % 100_000)) / 100 }),
  };
}

function keyed(request: WireRequest, key: string): WireRequest {
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': key } };
}

function bulk(body: string, target: Target): WireRequest {
  return { method: 'PATCH', path: '/api/v2/units', headers: bearer(target), body };
}

function bearer({ api_token }: Target): Record<string, string> {
  return { Authorization: `Bearer ${api_token}` };
}

function tenantAccess({ tenant_token }: Target, more?: Record<string, string>): WireRequest {
  const headers = { Authorization: `Bearer ${tenant_token}`, ...more };
  return { method: 'GET', path: '/api/v2/tenant/access', headers };
}

const single = { ceiling: 'bare', clients: ['many', 'one'] } as const;
const whole = { ceiling: 'bare_bulk', clients: ['one'], expected: [200] } as const;

/** The scenarios of the bare server. */
const CEILINGS: readonly Scenario[] = [
  {
    ...single,
    name: 'bare',
    expected: [200],
    request: (count, target) => ({ ...moveIn('', `tenant-${count}`, target), path: `/bare/unit-${count}` }),
  },
  {
    ...whole,
    name: 'bare_bulk',
    request: (count, target) => ({
      ...bulk(bulkBody('bare', count), target),
      method: 'PUT',
      path: '/bare/bulk',
    }),
  },
];

/** The scenarios, in the order of the table. */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...single,
    name: 'move_in_new',
    expected: [201],
    request: (count, target) => moveIn(`new-${count}`, `new-tenant-${count}`, target),
  },
  {
    ...single,
    name: 'move_in_keyed',
    expected: [201],
    keyless: 'move_in_new',
    request: (count, target) =>
      keyed(moveIn(`keyed-${count}`, `keyed-tenant-${count}`, target), `move-in-${count}`),
  },
  {
    ...single,
    name: 'move_in_unchanged',
    expected: [200],
    request: (count, target) => {
      const unit = preparedUnit(count, target);
      return moveIn(`kept-${unit}`, `tenant-${unit}`, target);
    },
  },
  {
    ...single,
    name: 'facts_changed',
    expected: [200],
    request: (count, target) => changeFacts(count, 1_00, target),
  },
  {
    ...single,
    name: 'facts_changed_keyed',
    expected: [200],
    keyless: 'facts_changed',
    request: (count, target) => keyed(changeFacts(count, 2_001_00, target), `facts-${count}`),
  },
  {
    ...single,
    name: 'get_unit',
    expected: [200],
    request: (count, target) => ({
      method: 'GET',
      path: `/api/v2/units/kept-${preparedUnit(count, target)}`,
      headers: bearer(target),
    }),
  },
  {
    ...single,
    name: 'tenant_access',
    expected: [200],
    request: (_count, target) => tenantAccess(target),
  },
  {
    ...single,
    name: 'tenant_access_304',
    expected: [304],
    request: (_count, target) => tenantAccess(target, { 'If-None-Match': target.entity_tag }),
  },
  {
    ...whole,
    name: 'bulk_new',
    request: (count, target) => bulk(bulkBody(`bulk-${count}`, 0), target),
  },
  {
    ...whole,
    name: 'bulk_changed',
    request: (count, target) => preparedBulk(count + 1, target),
  },
  {
    ...whole,
    name: 'bulk_unchanged',
    request: (_count, target) => bulk(bulkBody('bulk-same', 0), target),
  },
];

/** @throws Error if there is no such scenario */
export function scenarioNamed(name: string): Scenario {
  const found = [...CEILINGS, ...SCENARIOS].find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`There is no scenario ${name}.`);
  return found;
}
