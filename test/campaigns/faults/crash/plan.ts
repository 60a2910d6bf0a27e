import type { Method } from '../../../support/http-client.js';
import { Random } from '../random.js';

/** Entry of a bulk, as it is sent. */
export interface Entry {
  readonly crm_unit_id: string;
  readonly occupied: boolean;
  readonly pms_location_code: string;
  readonly tenant?: {
    readonly pms_tenant_id: string;
    readonly first_name: string;
    readonly last_name: string;
  };
  readonly move_in_date?: string;
  readonly balance_due?: number;
  readonly pms_lockout?: boolean;
  readonly pms_unrentable?: boolean;
}

export interface MoveIn {
  readonly pms_tenant_id: string;
  readonly move_in_date: string;
  readonly pms_location_code: string;
}

export interface Facts {
  readonly balance_due?: number;
  readonly pms_lockout?: boolean;
  readonly paid_through_date?: string | null;
}

/** The n-th action of a writer. */
export type Action =
  | { readonly kind: 'move_in'; readonly unit: string; readonly body: MoveIn }
  | { readonly kind: 'patch'; readonly unit: string; readonly body: Facts }
  | { readonly kind: 'move_out'; readonly unit: string }
  | { readonly kind: 'bulk'; readonly body: { readonly units: readonly Entry[] } };

export interface Planned {
  readonly writer: number;
  readonly turn: number;
  readonly key: string;
  /** Whether the units belong to this writer alone, so that an oracle knows the answer. */
  readonly own: boolean;
  readonly action: Action;
}

const OWN_UNITS = 600;
const SHARED_UNITS = 200;
const TENANTS = 600;
const DATES = ['2025-01-01', '2025-06-01', '2026-03-01'];

/** The n-th request of a writer: the same for the same seed, so that it need not be kept to be sent again. */
export function planned(seed: number, writer: number, turn: number): Planned {
  const random = new Random(seed, writer, turn);
  const own = random.chance(0.75);
  const kind = random.next();
  const key = `crash-${seed}-${writer}-${turn}`;
  const index = random.whole(0, (own ? OWN_UNITS : SHARED_UNITS) - 1);
  const unit = unitName(own, writer, index);
  return { writer, turn, key, own, action: actionOf(kind) };

  function actionOf(choice: number): Action {
    if (choice < 0.35) return { kind: 'move_in', unit, body: moveIn(random, index) };
    if (choice < 0.6) return { kind: 'patch', unit, body: facts(random) };
    if (choice < 0.75) return { kind: 'move_out', unit };
    const count = own ? random.whole(50, 500) : random.whole(50, SHARED_UNITS);
    const chosen = random.sample(count, own ? OWN_UNITS : SHARED_UNITS);
    return {
      kind: 'bulk',
      body: { units: chosen.map((one) => entry(random, unitName(own, writer, one), one)) },
    };
  }
}

/** Identifiers as integrators have them: with what a path must encode. */
function unitName(own: boolean, writer: number, index: number): string {
  return own ? `w${writer}/unit ${index}` : `shared #${index} é`;
}

function moveIn(random: Random, index: number): MoveIn {
  return {
    pms_tenant_id: `t-${random.whole(1, TENANTS)}`,
    move_in_date: random.pick(DATES),
    pms_location_code: locationOf(index),
  };
}

function facts(random: Random): Facts {
  return {
    balance_due: random.whole(0, 3) * 10.5,
    ...(random.chance(0.3) ? { pms_lockout: random.chance(0.5) } : {}),
    ...(random.chance(0.3) ? { paid_through_date: random.pick([null, '2025-12-31', '2027-01-31']) } : {}),
  };
}

/** About one in a hundred is faulty: a tenant without the date of moving in. */
function entry(random: Random, crm_unit_id: string, index: number): Entry {
  const base = { crm_unit_id, pms_location_code: locationOf(index) };
  if (random.chance(0.3)) {
    return { ...base, occupied: false, ...(random.chance(0.3) ? { pms_unrentable: true } : {}) };
  }
  const number = random.whole(1, TENANTS);
  const tenant = { pms_tenant_id: `t-${number}`, first_name: 'Tenant', last_name: `No ${number}` };
  return {
    ...base,
    occupied: true,
    tenant,
    ...(random.chance(0.99) ? { move_in_date: random.pick(DATES) } : {}),
    ...(random.chance(0.5) ? { balance_due: random.whole(0, 3) * 10.5 } : {}),
    ...(random.chance(0.2) ? { pms_lockout: random.chance(0.5) } : {}),
  };
}

function locationOf(index: number): string {
  return index % 2 === 0 ? 'A' : 'B';
}

/** An action as it goes over the wire. */
export function requestOf(action: Action): { method: Method; path: string; body?: unknown } {
  if (action.kind === 'bulk') return { method: 'patch', path: '/api/v2/units', body: action.body };
  const path = `/api/v2/units/${encodeURIComponent(action.unit)}`;
  switch (action.kind) {
    case 'move_in':
      return { method: 'put', path: `${path}/tenancy`, body: action.body };
    case 'patch':
      return { method: 'patch', path, body: action.body };
    case 'move_out':
      return { method: 'delete', path: `${path}/tenancy` };
  }
}
