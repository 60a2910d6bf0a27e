import { daysLater, firstInstantOf, localDate } from '../model/calendar.js';
import { judge } from '../model/decision.js';
import { sharesNow } from '../model/unit-rules.js';
import {
  type Account,
  accountKey,
  type Lock,
  type Session,
  type Unit,
  unitKey,
  type World,
} from '../model/world.js';
import { endSessions } from './erasure.js';
import { type Body, type Client, demand, flow, Mismatch, type Reply } from './operation.js';
import { phoneOf } from './unit-plans.js';

const HOUR = 3_600_000;
const SESSION = 30 * 24 * HOUR;

/** Phone and OTP login, with the choice of an account where there are several (specification §4.2). */
export const login = flow<{ readonly phone: string; readonly account: string }>({
  name: 'login',
  weight: 5,
  beside: false,
  wantsRecords: true,
  plan(world, random) {
    const known = [...world.accounts.values()].filter(({ phone, unsure }) => phone !== null && !unsure);
    if (known.length === 0) return undefined;
    const { company, place, pms_tenant_id, phone } = random.pick(known);
    return { phone: phone!, account: accountKey(company, place, pms_tenant_id) };
  },
  async play({ phone, account }, world, client) {
    const accounts = world.openedBy(phone);
    const chosen = world.accounts.get(account);
    if (chosen === undefined || accounts.some(({ unsure }) => unsure)) return;
    const number = numberOf(phone);
    if (!(await requestCode(number, accounts.length > 0, client))) return;
    if (!accounts.includes(chosen)) return;
    const body = { ...number, otp: world.codes.get(phone)! };
    const first = await client.definite({ method: 'POST', path: '/api/v2/auth/verify-otp', body });
    demand(first.status === 200, () => `A right code was answered ${first.status} ${first.text}`);
    const token = accounts.length === 1 ? first.body.data.token : await choose(first.body, accounts, chosen);
    world.sessions.push({ token, account, until: world.nowOf(chosen.company) + SESSION });

    async function choose(several: Body, all: readonly Account[], one: Account): Promise<string> {
      demand(several.data.token === null, () => `Several accounts, and a token: ${first.text}`);
      demand(several.data.accounts.length === all.length, () => `Not ${all.length} accounts: ${first.text}`);
      const places = several.data.accounts.map(({ location }: Body) => location).sort();
      const known = all.map((each) => world.place(each.company, each.place)!.name).sort();
      demand(places.join() === known.join(), () => `The accounts are at ${known.join()}: ${first.text}`);
      const tenant_id =
        one.tenant_id ??
        several.data.accounts.find(
          ({ location, name }: Body) =>
            location === world.place(one.company, one.place)!.name && name === one.name,
        ).tenant_id;
      const second = await client.definite({
        method: 'POST',
        path: '/api/v2/auth/verify-otp',
        body: { ...body, tenant_id },
      });
      demand(second.status === 200, () => `A chosen account was answered ${second.status} ${second.text}`);
      demand(second.body.data.user.id === tenant_id, () => `Somebody else was logged in: ${second.text}`);
      return second.body.data.token as string;
    }
  },
});

/** A phone as the login takes it. */
export function numberOf(phone: string) {
  const country_code = phone.startsWith('+44') ? '44' : '1';
  return { country_code, phone_number: phone.slice(1 + country_code.length) };
}

/**
 * @param known whether a tenant has the phone, which is what the answer depends on
 * @returns false where the phone has had all codes of a day
 */
export async function requestCode(number: object, known: boolean, client: Client): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    const { status, text } = await client.definite({
      method: 'POST',
      path: '/api/v2/auth/phone',
      body: number,
    });
    if (status === (known ? 200 : 422)) return true;
    if (status === 429 && text.includes('86400')) return false;
    // An earlier login's code cools down.
    demand(status === 429 && attempt < 3, () => `A code was asked for and answered ${status} ${text}`);
    await client.pause(61_000);
  }
}

function anySession(world: World, pick: <T>(choices: readonly T[]) => T): number | undefined {
  if (world.sessions.length === 0) return undefined;
  const recent = world.sessions.map((_, place) => place).slice(-8);
  return pick(recent);
}

/** GET /tenant/access, as the naive model has it. */
export const access = flow<{ readonly session: number }>({
  name: 'access',
  weight: 10,
  beside: false,
  plan(world, random) {
    const session = anySession(world, (choices) => random.pick(choices));
    return session === undefined ? undefined : { session };
  },
  async play({ session }, world, client) {
    const known = world.sessions[session];
    if (known !== undefined) await checkAccess(known, world, client);
  },
});

export async function checkAccess(session: Session, world: World, client: Client): Promise<void> {
  const call = { method: 'GET', path: '/api/v2/tenant/access', token: session.token } as const;
  const reply = await client.definite(call);
  if (isOver(session, world)) {
    demand(reply.status === 401, () => `A session that is over was answered ${reply.status}`);
    return;
  }
  demand(reply.status === 200, () => `Access was answered ${reply.status} ${reply.text}`);
  const account = world.accounts.get(session.account)!;
  const { data } = reply.body;
  const units = heldUnits(world, account);
  const shown = data.units.map((unit: Body) => describeShown(unit)).sort();
  const expected = units.map((unit) => describeHeld(world, account, unit)).sort();
  same('Tenant access', shown, expected);
  const gates = data.entry_points.map(
    ({ entry_point_id, state, would_have_access, key }: Body) =>
      `${entry_point_id} ${state} ${would_have_access} ${key !== undefined}`,
  );
  same('Entry points', gates.sort(), expectedGates(world, account, units).sort());
  const end = Math.min(...units.map((unit) => endFor(world, account, unit)));
  const valid_until = end === Infinity ? null : new Date(end).toISOString();
  same('valid_until', data.valid_until, valid_until);
  const again = await client.definite({ ...call, headers: { 'if-none-match': reply.headers['etag']! } });
  if (world.nowOf(account.company) === Date.parse(data.evaluated_at)) {
    demand(again.status === 304, () => `The same access again was answered ${again.status}`);
  }
}

function same(what: string, shown: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(shown), JSON.stringify(expected)];
  if (one !== other) throw new Mismatch(`${what}: the service says ${one}, the model ${other}`);
}

function describeShown({ unit_name, relationship, state, reason, last_accessed_at, locks }: Body): string {
  const keys = locks.map(({ lock_id, key, key_expires_at }: Body) =>
    [lock_id, key !== undefined, key_expires_at ?? null].join(' '),
  );
  return JSON.stringify([unit_name, relationship, state, reason, last_accessed_at, keys.sort()]);
}

/** When the account's access to a unit may change by itself: the unit's decision, or the end of the account's share. */
function endFor(world: World, { pms_tenant_id }: Account, unit: Unit): number {
  const { valid_until } = judge(inputOf(world, unit), world.nowOf(unit.company));
  const share = unit.shares.find((one) => one.pms_tenant_id === pms_tenant_id);
  return Math.min(valid_until ?? Infinity, share?.until ?? Infinity);
}

function describeHeld(world: World, account: Account, unit: Unit): string {
  const now = world.nowOf(unit.company);
  const verdict = judge(inputOf(world, unit), now);
  const permitted = verdict.state === 'tenant_permitted';
  const place = world.placeOf(unit);
  const { timezone } = place.policy;
  const night = firstInstantOf(daysLater(localDate(now, timezone), 1), timezone) + 2 * HOUR;
  const ends = new Date(Math.min(night, endFor(world, account, unit))).toISOString();
  const key = unitKey(unit.company, unit.crm_unit_id);
  const keys = place.locks
    .filter((lock) => lock.unit === key)
    .map(({ lock_id }) => [lock_id, permitted, permitted ? ends : null].join(' '));
  const primary = unit.facts.pms_tenant_id === account.pms_tenant_id;
  const accessed = unit.last_accessed_at === null ? null : new Date(unit.last_accessed_at).toISOString();
  return JSON.stringify([
    unit.name,
    primary ? 'primary' : 'shared',
    verdict.state,
    verdict.reason,
    accessed,
    keys.sort(),
  ]);
}

function expectedGates(world: World, account: Account, units: readonly Unit[]): string[] {
  const { gates } = world.place(account.company, account.place)!;
  const now = world.nowOf(account.company);
  return gates.flatMap(({ entry_point_id, zones, in_service }) => {
    const served = units.filter((unit) => unit.zones.some((zone) => zones.includes(zone)));
    if (served.length === 0) return [];
    if (!in_service) return [`${entry_point_id} denied false false`];
    const open = served.some((unit) => judge(inputOf(world, unit), now).state === 'tenant_permitted');
    return [`${entry_point_id} ${open ? 'permitted' : 'denied'} true ${open}`];
  });
}

function heldUnits(world: World, { company, place, pms_tenant_id }: Account): Unit[] {
  return [...world.units.values()].filter(
    (unit) =>
      unit.company === company &&
      unit.place === place &&
      unit.facts.occupied &&
      (unit.facts.pms_tenant_id === pms_tenant_id ||
        sharesNow(unit, world.nowOf(company)).some((share) => share.pms_tenant_id === pms_tenant_id)),
  );
}

/** The inputs of a unit's decision. */
export function inputOf(world: World, unit: Unit) {
  const tenant = unit.facts.pms_tenant_id;
  const rented = tenant === null ? [] : world.rentedBy(unit.company, unit.place, tenant);
  return {
    unit,
    siblings: rented.filter((other) => other !== unit),
    policy: world.placeOf(unit).policy,
  };
}

/** POST /auth/logout */
export const logout = flow<{ readonly session: number }>({
  name: 'logout',
  weight: 1,
  beside: false,
  wantsRecords: true,
  plan(world, random) {
    const session = anySession(world, (choices) => random.pick(choices));
    return session === undefined ? undefined : { session };
  },
  async play({ session }, world, client) {
    const known = world.sessions[session];
    if (known === undefined) return;
    const { status } = await client.definite({
      method: 'POST',
      path: '/api/v2/auth/logout',
      token: known.token,
    });
    const expected = isOver(known, world) ? 401 : 200;
    demand(status === expected, () => `A logout was answered ${status} instead of ${expected}`);
    world.sessions[session] = { ...known, until: -Infinity };
  },
});

interface Tap {
  readonly session: number;
  readonly lock: number;
  readonly client_log_id: string;
  readonly minutesAgo: number;
  readonly result: 'success' | 'failure';
  readonly repeats: number;
}

/** Not a session that may end while the client tries again: it would be answered both ways. */
export function lastsOn(session: Session, world: World): boolean {
  return nowOf(session, world) + HOUR < session.until;
}

function isOver(session: Session, world: World): boolean {
  return nowOf(session, world) >= session.until;
}

function nowOf({ account }: Session, world: World): number {
  return world.nowOf(world.accounts.get(account)!.company);
}

/** POST /locks/{id}/logs: a tap, reported once or again and again. */
export const tap = flow<Tap>({
  name: 'tap',
  weight: 5,
  beside: false,
  plan(world, random) {
    const session = anySession(world, (choices) => random.pick(choices));
    if (session === undefined) return undefined;
    return {
      session,
      lock: random.below(3),
      client_log_id: `log-${random.bits()}`,
      minutesAgo: random.pick([0, 1, 90, -3]),
      result: random.chance(0.8) ? 'success' : 'failure',
      repeats: random.chance(0.3) ? 2 : 1,
    };
  },
  async play({ session, lock, client_log_id, minutesAgo, result, repeats }, world, client) {
    const known = world.sessions[session];
    if (known === undefined || !lastsOn(known, world)) return;
    const account = world.accounts.get(known.account)!;
    const hung = world.place(account.company, account.place)!.locks[lock]!;
    const unit = hung.unit === null ? undefined : world.units.get(hung.unit);
    const occurred = world.nowOf(account.company) - minutesAgo * 60_000;
    // When exactly it was hung there, or taken off, is not known.
    if (occurred < hung.since) return;
    const body = { event: 'unlock', client_log_id, result, occurred_at: new Date(occurred).toISOString() };
    const call = {
      method: 'POST',
      path: `/api/v2/locks/${hung.lock_id}/logs`,
      token: known.token,
      body,
    } as const;
    const replies = [];
    for (let time = 0; time < repeats; time += 1) replies.push(await client.definite(call));
    const holds = minutesAgo <= 0 && unit !== undefined && heldUnits(world, account).includes(unit);
    const first = replies[0]!;
    demandTaken(first, holds, account, world);
    for (const { text } of replies) demand(text === first.text, () => `A repeated tap was answered ${text}`);
    if (first.status === 201) keepReport(hung, unit, openedAt(first, result, occurred), client);
  },
});

/** POST /entry-points/{id}/logs, in both forms: as at a lock, but that no unit was opened. */
export const gateTap = flow<{
  readonly session: number;
  readonly gate: number;
  readonly inBody: boolean;
  readonly client_log_id: string;
}>({
  name: 'gate_tap',
  weight: 2,
  beside: false,
  plan(world, random) {
    const session = anySession(world, (choices) => random.pick(choices));
    if (session === undefined) return undefined;
    const client_log_id = `log-${random.bits()}`;
    return { session, gate: random.below(2), inBody: random.chance(0.5), client_log_id };
  },
  async play({ session, gate, inBody, client_log_id }, world, client) {
    const known = world.sessions[session];
    if (known === undefined || !lastsOn(known, world)) return;
    const account = world.accounts.get(known.account)!;
    const place = world.place(account.company, account.place)!;
    const tapped = place.gates[gate % place.gates.length]!;
    const { entry_point_id } = tapped;
    const call = {
      method: 'POST',
      path: inBody ? '/api/v2/entry-points/logs' : `/api/v2/entry-points/${entry_point_id}/logs`,
      token: known.token,
      body: { event: 'unlock', result: 'success', client_log_id, ...(inBody ? { entry_point_id } : {}) },
    } as const;
    const [first, again] = [await client.definite(call), await client.definite(call)];
    const holds = heldUnits(world, account).some((unit) =>
      unit.zones.some((zone) => tapped.zones.includes(zone)),
    );
    demandTaken(first, holds, account, world);
    demand(again.text === first.text, () => `A repeated tap at a gate was answered ${again.text}`);
  },
});

/** When a tap that was taken has opened what the lock was on; undefined where it failed. */
function openedAt({ body }: Reply, result: Tap['result'], occurred: number): number | undefined {
  return result === 'success' ? Math.min(occurred, Date.parse(body.data.recorded_at)) : undefined;
}

/**
 * A report is taken from whoever has the unit, and from nobody who never had any there. Between these it depends on when a
 * tenancy ended and until when a key was good, which the suites of locks look at.
 */
function demandTaken({ status, text }: Reply, holds: boolean, account: Account, world: World): void {
  const { company, place, pms_tenant_id } = account;
  const isKnown = [...world.units.values()].some(
    (unit) => unit.company === company && unit.place === place && unit.held.includes(pms_tenant_id),
  );
  const possible = holds ? [201] : isKnown ? [201, 403] : [403];
  demand(possible.includes(status), () => `A tap was answered ${status} ${text}`);
}

/** @param opened when the unit was opened; undefined where it was not */
function keepReport(hung: Lock, unit: Unit | undefined, opened: number | undefined, client: Client): void {
  hung.reports += 1;
  if (opened !== undefined && unit !== undefined)
    unit.last_accessed_at = Math.max(opened, unit.last_accessed_at ?? opened);
  const stored = client.eventsOf(`lock-${hung.lock_id}`);
  demand(stored === hung.reports, () => `${stored} reports of ${hung.reports} stand in the log`);
}

/** PATCH /tenants/{tenant_id}: another name, and a phone that comes or goes, with whatever was proven by it. */
export const changeTenant = flow<{
  readonly account: string;
  readonly name: string;
  readonly reachable: boolean;
}>({
  name: 'change_tenant',
  weight: 1,
  beside: false,
  plan(world, random) {
    const known = [...world.accounts.entries()].filter(
      ([, { tenant_id, unsure }]) => tenant_id !== null && !unsure,
    );
    if (known.length === 0) return undefined;
    return {
      account: random.pick(known)[0],
      name: `Person ${random.below(5)}`,
      reachable: random.chance(0.7),
    };
  },
  async play({ account, name, reachable }, world, client) {
    const known = world.accounts.get(account);
    if (known === undefined || known.tenant_id === null || known.unsure) return;
    const phone = (reachable ? phoneOf(known.pms_tenant_id) : undefined) ?? null;
    const { status, text } = await client.definite({
      method: 'PATCH',
      path: `/api/operator/tenants/${known.tenant_id}`,
      token: world.operatorToken,
      body: { name, phone },
    });
    demand(status === 200, () => `A tenant was changed with ${status} ${text}`);
    if (known.phone !== null && known.phone !== phone) endSessions(account, world);
    Object.assign(known, { name, phone, erased: false } satisfies Partial<Account>);
  },
});
