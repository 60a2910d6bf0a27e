import { firstDifference, without } from '../model/difference.js';
import { judge } from '../model/decision.js';
import { type Remembered, type Unit, unitKey, type World } from '../model/world.js';
import { type Body, type Client, demand, flow, Mismatch } from './operation.js';
import { inputOf } from './tenants.js';
import { anyUnit, pathOf } from './unit-plans.js';

const STATES = ['vacant', 'tenant_permitted', 'tenant_denied', 'auction', 'unrentable'];

/** GET /units?state= and GET /units: every unit once, in the order of creation, at its state. */
export const list = flow<{ readonly company: number; readonly state: string | null; readonly limit: number }>(
  {
    name: 'list',
    weight: 3,
    beside: false,
    plan: (world, random) => ({
      company: random.below(world.companies.length),
      state: random.pick([null, ...STATES]),
      limit: random.pick([1, 4, 100]),
    }),
    play: ({ company, state, limit }, world, client) => checkList(company, state, limit, world, client),
  },
);

/** All lists by state of all companies. @throws Mismatch */
export async function checkLists(world: World, client: Client): Promise<void> {
  for (const company of world.companies.keys()) {
    for (const state of STATES) await checkList(company, state, 100, world, client);
  }
}

async function checkList(
  company: number,
  state: string | null,
  limit: number,
  world: World,
  client: Client,
): Promise<void> {
  const { token } = world.companies[company]!;
  const before = expectedList(company, state, world);
  const shown: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `limit=${limit}${state === null ? '' : `&state=${state}`}${cursor && `&cursor=${cursor}`}`;
    const reply = await client.definite({ method: 'GET', path: `/api/v2/units?${query}`, token });
    demand(reply.status === 200, () => `A list was answered ${reply.status} ${reply.text}`);
    for (const { crm_unit_id, access } of reply.body.data.units) shown.push(`${crm_unit_id} ${access.state}`);
    cursor = reply.body.data.next_cursor as string | null;
  }
  const expected = expectedList(company, state, world);
  // Pages may be of two days, where the client had to wait between them.
  if (firstDifference(before, expected) === undefined)
    same(`The list ${state ?? 'of all'}`, shown.sort(), expected);
}

function expectedList(company: number, state: string | null, world: World): string[] {
  return [...world.units.values()]
    .filter((unit) => unit.company === company && !unit.retired)
    .map((unit) => `${unit.crm_unit_id} ${judge(inputOf(world, unit), world.nowOf(company)).state}`)
    .filter((text) => state === null || text.endsWith(` ${state}`))
    .sort();
}

/** GET /units/{crm_unit_id}/history and as-of, against what reads showed at their time. */
export const history = flow<{ readonly unit: string; readonly limit: number; readonly reader: Reader }>({
  name: 'history',
  weight: 4,
  beside: false,
  plan(world, random) {
    const unit = anyUnit(world, random);
    const reader = random.pick(['integrator', 'integrator_by_id', 'operator'] as const);
    return unit && { unit: unitKey(unit.company, unit.crm_unit_id), limit: random.pick([2, 7, 500]), reader };
  },
  async play({ unit, limit, reader }, world, client) {
    const known = world.units.get(unit);
    if (known !== undefined) await checkHistory(known, { limit, reader }, world, client);
  },
});

/** The reader, and the reader's name for the unit. */
type Reader = 'integrator' | 'integrator_by_id' | 'operator';

function readingOf(unit: Unit, reader: Reader, world: World): { path: string; token: string } {
  const { token } = world.companies[unit.company]!;
  const { unit_id } = unit;
  if (unit_id === null || reader === 'integrator') return { path: pathOf(unit.crm_unit_id), token };
  if (reader === 'integrator_by_id') return { path: pathOf(`ulid:${unit_id}`), token };
  return { path: `/api/operator/units/${unit_id}`, token: world.operatorToken };
}

export async function checkHistory(
  unit: Unit,
  { limit, reader }: { readonly limit: number; readonly reader: Reader },
  world: World,
  client: Client,
): Promise<void> {
  const { path, token } = readingOf(unit, reader, world);
  if (unit.retired && reader !== 'operator') {
    const { status } = await client.definite({ method: 'GET', path: `${path}/history`, token });
    demand(status === 404, () => `The history of a retired unit was answered ${status} to its integrator`);
    return;
  }
  const before = accessOf(judge(inputOf(world, unit), world.nowOf(unit.company)));
  const entries: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const reply = await client.definite({ method: 'GET', path: `${path}/history?${query}`, token });
    demand(reply.status === 200, () => `A history was answered ${reply.status} ${reply.text}`);
    entries.push(...reply.body.data.entries);
    cursor = reply.body.data.next_cursor as string | null;
  }
  const revisions = entries
    .filter(({ revision }) => revision !== null)
    .map(({ revision }) => Number(revision));
  same(
    'Revisions of the history',
    revisions,
    Array.from({ length: unit.events }, (_, revision) => revision),
  );
  const ended = checkAccessChain(unit, entries);
  const standing = accessOf(judge(inputOf(world, unit), world.nowOf(unit.company)));
  // Pages may be of two days, where the client had to wait between them.
  if (before === standing) same(`How the history of ${unit.crm_unit_id} ends`, ended, standing);
  for (const remembered of world.remembered)
    if (remembered.unit === unitKey(unit.company, unit.crm_unit_id))
      await checkAsOf(remembered, entries, { path, token, reader }, client);
}

/** @param entries the whole history */
async function checkAsOf(
  { unit, at, shown, retired, shares }: Remembered,
  entries: readonly Body[],
  { path, token, reader }: { path: string; token: string; reader: Reader },
  client: Client,
): Promise<void> {
  const then = new Date(at).toISOString();
  const reply = await client.definite({
    method: 'GET',
    path: `${path}/as-of?at=${encodeURIComponent(then)}`,
    token,
  });
  const known = retired && reader !== 'operator' ? 404 : 200;
  demand(reply.status === known, () => `As of ${then} was answered ${reply.status} ${reply.text}`);
  if (known === 404) return;
  const { data } = reply.body;
  const told = without(
    data as object,
    ...(['at', 'policy', 'entry_points', 'tenant', 'shares', 'passes'] as never[]),
  );
  if (reader === 'operator') {
    const sharing = data.shares.map(({ pms_tenant_id, until }: Body) => ({
      pms_tenant_id,
      until: until === null ? null : Date.parse(until as string),
    }));
    same(`Who shared ${unit} at ${then}`, sharing, shares);
  }
  same(`${unit} as of ${then}`, told, shown);
  same(`The history's access at ${then}`, accessAt(entries, then), accessOf((shown as Body).access));
}

/** Each change of access begins where the one before it ended. @returns how the last ends */
function checkAccessChain(unit: Unit, entries: readonly Body[]): string | null {
  let standing: string | null = null;
  let last = '';
  for (const { access, occurred_at } of entries) {
    demand(
      occurred_at >= last,
      () => `The history of ${unit.crm_unit_id} goes back in time at ${occurred_at}`,
    );
    last = occurred_at;
    if (access === undefined) continue;
    const from = access.from === null ? null : accessOf(access.from);
    same(`Where the history of ${unit.crm_unit_id} changes access at ${occurred_at}`, from, standing);
    standing = accessOf(access.to);
  }
  return standing;
}

function accessAt(entries: readonly Body[], then: string): string | null {
  const changes = entries.filter(({ access, occurred_at }) => access !== undefined && occurred_at <= then);
  const last = changes.at(-1);
  return last === undefined ? null : accessOf(last.access.to);
}

function accessOf({ state, reason }: { state: string; reason: string | null }): string {
  return reason === null ? state : `${state} ${reason}`;
}

function same(what: string, shown: unknown, expected: unknown): void {
  const fault = firstDifference(shown, expected);
  if (fault !== undefined) throw new Mismatch(`${what}: ${fault}`);
}
