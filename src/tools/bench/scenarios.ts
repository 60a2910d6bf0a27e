import { bulkBody, BULK_SIZE } from './bulk-body.js';
import type { WireRequest } from './load/wire.js';

/** Where requests go, and what they need to be let in. */
export interface Target {
  readonly port: number;
  /** A company's API token. */
  readonly api_token: string;
  /** A session of the prepared tenant. */
  readonly tenant_token: string;
  /** The entity tag of the prepared tenant's answer. */
  readonly entity_tag: string;
}

/** One kind of request. */
export interface Scenario {
  readonly name: string;
  /** What the ratio is taken against; it is a scenario of the bare server. */
  readonly ceiling: 'bare' | 'bare_bulk';
  readonly expected: readonly number[];
  /** One at a time, as a PMS sends its nightly state; otherwise on all connections. */
  readonly alone: boolean;
  /** The aim: a ratio for single requests, milliseconds on the reference machine for a bulk. */
  readonly aim?: number;
  /** The request with this number, counted over the whole run. */
  readonly request: (count: number, target: Target) => WireRequest;
}

/** Units that exist before anything is measured. */
export const PREPARED_UNITS = 2_000;

/** A prepared unit's move-in, the same each time. */
export function preparedMoveIn(count: number, target: Target): WireRequest {
  const place = count % PREPARED_UNITS;
  return moveIn(`kept-${place}`, `tenant-${place}`, target);
}

/** A bulk of the prepared bulk units. @param balance whatever differs from the last one changes every unit. */
export function preparedBulk(balance: number, target: Target): WireRequest {
  return bulk(bulkBody('bulk-kept', balance), target);
}

function moveIn(unit: string, tenant: string, target: Target, more?: Record<string, string>): WireRequest {
  const body = JSON.stringify({
    pms_tenant_id: tenant,
    move_in_date: '2026-01-15',
    ledger_id: `L-${tenant}`,
  });
  return {
    method: 'PUT',
    path: `/api/v2/units/${unit}/tenancy`,
    headers: { ...bearer(target), ...more },
    body,
  };
}

function bulk(body: string, target: Target): WireRequest {
  return { method: 'PATCH', path: '/api/v2/units', headers: bearer(target), body };
}

function bearer({ api_token }: Target): Record<string, string> {
  return { Authorization: `Bearer ${api_token}` };
}

function ofTenant({ tenant_token }: Target): Record<string, string> {
  return { Authorization: `Bearer ${tenant_token}` };
}

const single = { ceiling: 'bare', alone: false } as const;
const whole = { ceiling: 'bare_bulk', alone: true, expected: [200] } as const;

/** The bare server's own, to which everything is compared. */
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

/** What the service is measured by, in the order of the table. */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...single,
    name: 'move_in_new',
    expected: [201],
    aim: 0.65,
    request: (count, target) => moveIn(`new-${count}`, `new-tenant-${count}`, target),
  },
  {
    ...single,
    name: 'move_in_repeated',
    expected: [200],
    aim: 0.65,
    request: preparedMoveIn,
  },
  {
    ...single,
    name: 'facts_changed',
    expected: [200],
    request: (count, target) => ({
      method: 'PATCH',
      path: `/api/v2/units/kept-${count % PREPARED_UNITS}`,
      headers: bearer(target),
      body: JSON.stringify({ balance_due: ((count % 100_000) + 100) / 100, paid_through_date: '2027-01-31' }),
    }),
  },
  {
    ...single,
    name: 'move_in_keyed',
    expected: [201],
    request: (count, target) =>
      moveIn(`keyed-${count}`, `keyed-tenant-${count}`, target, { 'Idempotency-Key': `key-${count}` }),
  },
  {
    ...single,
    name: 'get_unit',
    expected: [200],
    request: (count, target) => ({
      method: 'GET',
      path: `/api/v2/units/kept-${count % PREPARED_UNITS}`,
      headers: bearer(target),
    }),
  },
  {
    ...single,
    name: 'tenant_access',
    expected: [200],
    request: (_count, target) => ({
      method: 'GET',
      path: '/api/v2/tenant/access',
      headers: ofTenant(target),
    }),
  },
  {
    ...single,
    name: 'tenant_access_304',
    expected: [304],
    request: (_count, target) => ({
      method: 'GET',
      path: '/api/v2/tenant/access',
      headers: { ...ofTenant(target), 'If-None-Match': target.entity_tag },
    }),
  },
  {
    ...whole,
    name: 'bulk_new',
    aim: 12,
    request: (count, target) => bulk(bulkBody(`bulk-${count}`, 0), target),
  },
  {
    ...whole,
    name: 'bulk_changed',
    aim: 11,
    request: (count, target) => preparedBulk(count + 1, target),
  },
  {
    ...whole,
    name: 'bulk_unchanged',
    aim: 6,
    request: (_count, target) => bulk(bulkBody('bulk-same', 0), target),
  },
];

/** @throws Error where there is none of that name. */
export function scenarioNamed(name: string): Scenario {
  const found = [...CEILINGS, ...SCENARIOS].find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`There is no scenario ${name}.`);
  return found;
}

export { BULK_SIZE };
