import { type Notices, type Policy, type Unit, type World, unitKey } from '../model/world.js';
import type { Random } from '../random.js';
import { type Client, demand, flow, NO_ID } from './operation.js';
import { anyPlace } from './unit-plans.js';

export const ZONES = [
  'UTC',
  'America/Chicago',
  'Asia/Beirut',
  'Pacific/Auckland',
  'Africa/Cairo',
  'America/Santiago',
];

/** What no warning of a write depends on: it may change while units are written. */
export function anyPolicy(random: Random): Partial<Policy> {
  const all: Partial<Policy>[] = [
    { grace_period_days: random.pick([0, 1, 5, 10]) },
    { blanket_delinquency: random.chance(0.6) },
    { timezone: random.pick(ZONES) },
  ];
  return Object.assign({}, ...random.sample(all, random.between(1, 2))) as Partial<Policy>;
}

interface OnPlace {
  readonly company: number;
  readonly place: string;
}

/** PATCH /locations/{id}: all units of the location are decided anew. */
export const changePolicy = flow<OnPlace & { readonly policy: Partial<Policy> }>({
  name: 'change_policy',
  weight: 3,
  beside: true,
  plan(world, random) {
    const { company, code } = anyPlace(world, random);
    return { company, place: code, policy: anyPolicy(random) };
  },
  async play({ company, place, policy }, world, client) {
    const known = world.place(company, place)!;
    const reply = await client.definite({
      method: 'PATCH',
      path: `/api/operator/locations/${known.location_id}`,
      token: world.operatorToken,
      body: policy,
    });
    demand(reply.status === 200, () => `A change of policy was answered ${reply.status} ${reply.text}`);
    known.policy = { ...known.policy, ...policy };
    for (const [name, value] of Object.entries(known.policy)) {
      demand(reply.body.data[name] === value, () => `The policy's ${name} is not ${value}: ${reply.text}`);
    }
  },
});

/** PATCH /locations/{id} of what a write's warnings depend on. */
export const changeWhatWarns = flow<
  OnPlace & { readonly policy: Pick<Policy, 'balance_threshold' | 'delinquency_mode'> }
>({
  name: 'change_what_warns',
  weight: 1,
  beside: false,
  plan(world, random) {
    const { company, code } = anyPlace(world, random);
    const delinquency_mode = random.chance(0.7) ? 'automatic' : 'pms_flag_only';
    return {
      company,
      place: code,
      policy: { balance_threshold: random.pick([0, 0.4, 50]), delinquency_mode },
    };
  },
  async play({ company, place, policy }, world, client) {
    const known = world.place(company, place)!;
    const { status, text } = await client.definite({
      method: 'PATCH',
      path: `/api/operator/locations/${known.location_id}`,
      token: world.operatorToken,
      body: policy,
    });
    demand(status === 200, () => `A change of the policy was answered ${status} ${text}`);
    known.policy = { ...known.policy, ...policy };
  },
});

export function anyNotices(random: Random): Partial<Notices> {
  const all: Partial<Notices>[] = [
    { welcome: random.chance(0.7) },
    { closes_in_days: random.chance(0.7) ? random.between(1, 14) : null },
    { closed: random.chance(0.8) },
    { opened: random.chance(0.8) },
  ];
  return Object.assign({}, ...random.sample(all, random.between(1, 4))) as Partial<Notices>;
}

type ChangedNotices = OnPlace & { readonly notices: Partial<Notices> };

export async function playNotices(
  { company, place, notices }: ChangedNotices,
  world: World,
  client: Client,
): Promise<void> {
  const known = world.place(company, place)!;
  const { status, text } = await client.definite({
    method: 'PATCH',
    path: `/api/operator/locations/${known.location_id}`,
    token: world.operatorToken,
    body: { notices },
  });
  demand(status === 200, () => `Texts were changed with ${status} ${text}`);
  const since = { ...known.notices_since };
  for (const [name, value] of Object.entries(notices) as [keyof Notices, boolean | number | null][]) {
    const isOn = value !== false && value !== null;
    since[name] = isOn ? (since[name] ?? world.now) : null;
  }
  known.notices_since = since;
  known.notices = { ...known.notices, ...notices };
}

/** PATCH /locations/{id} of the texts to tenants. */
export const changeNotices = flow<ChangedNotices>({
  name: 'change_notices',
  weight: 2,
  beside: true,
  plan(world, random) {
    const { company, code } = anyPlace(world, random);
    return { company, place: code, notices: anyNotices(random) };
  },
  play: playNotices,
});

/** PUT and DELETE /units/{unit_id}/locks/{lock_id} */
export const hangLock = flow<
  OnPlace & { readonly lock: number; readonly unit: string; readonly off: boolean }
>({
  name: 'hang_lock',
  weight: 4,
  beside: false,
  plan(world, random) {
    const { company, code, locks } = anyPlace(world, random);
    const lock = random.below(locks.length);
    const on = locks[lock]!.unit;
    const unit = on !== null && random.chance(0.5) ? on : anyUnitKey(world, random, company);
    return unit === undefined
      ? undefined
      : { company, place: code, lock, unit, off: on === unit && random.chance(0.6) };
  },
  async play({ company, place, lock, unit, off }, world, client) {
    const known = world.place(company, place)!.locks[lock]!;
    const target = world.units.get(unit);
    const { status, text } = await client.definite({
      method: off ? 'DELETE' : 'PUT',
      path: `/api/operator/units/${target?.unit_id ?? NO_ID}/locks/${known.lock_id}`,
      token: world.operatorToken,
    });
    const expected = hung();
    demand(status === expected, () => `A lock was hung with ${status} ${text} instead of ${expected}`);

    function hung(): number {
      if (target === undefined) return 404;
      if (off) {
        if (known.unit === unit) Object.assign(known, { unit: null, since: world.nowOf(company) });
        return 200;
      }
      if (target.place !== place) return 422;
      if (known.unit !== null && known.unit !== unit) return 409;
      if (known.unit === null) Object.assign(known, { unit, since: world.nowOf(company) });
      return 200;
    }
  },
});

/** PUT and DELETE /zones/{id}/units/{unit_id} */
export const zoneUnit = flow<
  OnPlace & { readonly zone: number; readonly unit: string; readonly off: boolean }
>({
  name: 'zone_unit',
  weight: 3,
  beside: false,
  plan(world, random) {
    const { company, code, zones } = anyPlace(world, random);
    const unit = anyUnitKey(world, random, company);
    return unit === undefined
      ? undefined
      : { company, place: code, zone: random.below(zones.length), unit, off: random.chance(0.3) };
  },
  async play({ company, place, zone, unit, off }, world, client) {
    const zone_id = world.place(company, place)!.zones[zone]!;
    const target = world.units.get(unit);
    const { status, text } = await client.definite({
      method: off ? 'DELETE' : 'PUT',
      path: `/api/operator/zones/${zone_id}/units/${target?.unit_id ?? NO_ID}`,
      token: world.operatorToken,
    });
    const expected = target === undefined ? 404 : target.place !== place && !off ? 422 : 200;
    demand(status === expected, () => `A unit was zoned with ${status} ${text} instead of ${expected}`);
    if (target?.place === place) toggleZone(target, zone_id, off);
  },
});

function toggleZone(unit: Unit, zone_id: string, off: boolean): void {
  const others = unit.zones.filter((other) => other !== zone_id);
  unit.zones = off ? others : [...others, zone_id];
}

/** PATCH /entry-points/{id} */
export const serviceGate = flow<OnPlace & { readonly gate: number; readonly in_service: boolean }>({
  name: 'service_gate',
  weight: 1,
  beside: false,
  plan(world, random) {
    const { company, code, gates } = anyPlace(world, random);
    return { company, place: code, gate: random.below(gates.length), in_service: random.chance(0.7) };
  },
  async play({ company, place, gate, in_service }, world, client) {
    const known = world.place(company, place)!.gates[gate]!;
    const { status, text } = await client.definite({
      method: 'PATCH',
      path: `/api/operator/entry-points/${known.entry_point_id}`,
      token: world.operatorToken,
      body: { in_service },
    });
    demand(status === 200, () => `A gate's service was changed with ${status} ${text}`);
    known.in_service = in_service;
  },
});

function anyUnitKey(world: World, random: Random, company: number): string | undefined {
  const units = [...world.units.values()].filter((unit) => unit.company === company && unit.unit_id !== null);
  if (units.length === 0) return undefined;
  const unit = random.pick(units);
  return unitKey(unit.company, unit.crm_unit_id);
}
