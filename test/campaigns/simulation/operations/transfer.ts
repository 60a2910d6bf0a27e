import type { Call } from '../injected-request.js';
import { overrideOf } from '../model/decision.js';
import { transfer as moveTenant } from '../model/unit-rules.js';
import { type Unit, unitKey, type World } from '../model/world.js';
import { demand, flow } from './operation.js';

interface Transfer {
  /** Keys of units. */
  readonly from: string;
  readonly to: string;
  readonly key: string | null;
}

/**
 * POST /units/{unit_id}/transfer, until it is answered: whatever was killed in between, the tenant is moved once. Without a key
 * each attempt is a command of its own.
 */
export const transfer = flow<Transfer>({
  name: 'transfer',
  weight: 10,
  beside: false,
  plan(world, random) {
    const pairs = pairsIn(world);
    if (pairs.length === 0) return undefined;
    const [from, to] = random.pick(pairs);
    const key = random.chance(0.5) ? `transfer-${world.now}` : null;
    return { from: keyOf(from), to: keyOf(to), key };
  },
  async play({ from, to, key }, world, client) {
    const [left, taken] = [world.units.get(from), world.units.get(to)];
    if (left === undefined || taken === undefined || !left.facts.occupied) return;
    const refusal = refusalOf(left, taken, world);
    const headers = key === null ? {} : { headers: { 'idempotency-key': key } };
    const reply = await client.definite({ ...callOf(left, taken, world), ...headers });
    const told = `${reply.status} ${reply.text}`;
    if (refusal !== undefined) {
      demand(reply.body.code === refusal, () => `A transfer was to be refused (${refusal}): ${told}`);
      return;
    }
    demand(reply.status === 200, () => `A transfer from ${from} to ${to} was answered ${told}`);
    demand(!reply.text.includes('written_during_transfer'), () => `Nobody wrote beside a transfer: ${told}`);
    moveTenant(left, taken, world.nowOf(left.company));
  },
});

function callOf(from: Unit, to: Unit, world: World): Call {
  return {
    method: 'POST',
    path: `/api/operator/units/${from.unit_id}/transfer`,
    token: world.operatorToken,
    body: { to_unit_id: to.unit_id },
  };
}

function keyOf({ company, crm_unit_id }: Unit): string {
  return unitKey(company, crm_unit_id);
}

/** Each rented standalone unit with each other one of its place. */
function pairsIn(world: World): (readonly [Unit, Unit])[] {
  const units = [...world.units.values()].filter(
    ({ source, unit_id }) => source === 'standalone' && unit_id !== null,
  );
  const rented = units.filter(({ facts }) => facts.occupied);
  return rented.flatMap((from) =>
    units
      .filter((to) => to !== from && to.company === from.company && to.place === from.place)
      .map((to) => [from, to] as const),
  );
}

function refusalOf(from: Unit, to: Unit, world: World): string | undefined {
  if (to.retired) return 'unit_retired';
  if (from.facts.pms_auction) return 'unit_in_auction';
  if (to.facts.occupied) return 'unit_occupied';
  if (to.facts.pms_auction) return 'unit_in_auction';
  if (to.facts.pms_unrentable) return 'unit_unrentable';
  return overrideOf(to, world.nowOf(to.company)) === null ? undefined : 'unit_overridden';
}

interface Rivals {
  readonly from: string;
  readonly to: readonly [string, string];
}

/** Two transfers of one tenant at once: one is done, the other refused. */
export const rivalTransfers = flow<Rivals>({
  name: 'rival_transfers',
  weight: 4,
  beside: false,
  plan(world, random) {
    const pairs = pairsIn(world).filter(([from, to]) => refusalOf(from, to, world) === undefined);
    if (pairs.length === 0) return undefined;
    const [from, to] = random.pick(pairs);
    const others = pairs.filter(([left, taken]) => left === from && taken !== to);
    if (others.length === 0) return undefined;
    return { from: keyOf(from), to: [keyOf(to), keyOf(random.pick(others)[1])] };
  },
  async play({ from, to }, world, client) {
    const left = world.units.get(from);
    const targets = to.map((key) => world.units.get(key));
    if (left === undefined || targets.includes(undefined)) return;
    const units = targets as Unit[];
    if (units.some((unit) => refusalOf(left, unit, world) !== undefined)) return;
    const replies = await Promise.all(units.map((unit) => client.definite(callOf(left, unit, world))));
    const done = units.filter((_, place) => replies[place]!.status === 200);
    const told = replies.map(({ status, text }) => `${status} ${text}`).join(' and ');
    demand(done.length === 1, () => `Two transfers of the tenant of ${from} were answered ${told}`);
    moveTenant(left, done[0]!, world.nowOf(left.company));
  },
});
