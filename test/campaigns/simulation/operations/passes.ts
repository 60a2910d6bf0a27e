import type { Pass, Place, Unit, World } from '../model/world.js';
import { type Body, type Client, demand, flow } from './operation.js';
import { numberOf, requestCode } from './tenants.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Holders of passes in each company. */
const HOLDERS = 3;

interface NewPass {
  readonly company: number;
  readonly place: string;
  readonly holder: number;
  readonly gate: number;
  /** Keys of units of the place. */
  readonly units: readonly string[];
  readonly minutes: number;
  readonly key: string;
}

/** POST /locations/{id}/passes, and the same again under its key (decisions §13). */
export const issuePass = flow<NewPass>({
  name: 'issue_pass',
  weight: 3,
  beside: false,
  plan(world, random) {
    const place = random.pick(world.places());
    const { company, code } = place;
    // A sandbox takes its own numbers alone.
    if (world.companies[company]!.ahead !== null) return undefined;
    const here = [...world.units.entries()].filter(([, unit]) => isAt(unit, place)).map(([key]) => key);
    return {
      company,
      place: code,
      holder: random.below(HOLDERS),
      gate: random.below(2),
      units: random.sample(here, random.below(3)),
      minutes: random.between(70, 20_000),
      key: `pass-${random.between(0, 1_000_000_000)}`,
    };
  },
  async play({ company, place: code, holder, gate, units: keys, minutes, key }, world, client) {
    const place = world.place(company, code)!;
    const { entry_point_id } = place.gates[gate % place.gates.length]!;
    const units = keys.flatMap((one) => world.units.get(one) ?? []).filter((unit) => isAt(unit, place));
    const phone = phoneOf(company, holder);
    const until = world.nowOf(company) + minutes * MINUTE;
    const call = {
      method: 'POST',
      path: `/api/operator/locations/${place.location_id}/passes`,
      token: world.operatorToken,
      body: {
        name: `Vendor ${holder}`,
        phone,
        entry_point_ids: [entry_point_id],
        unit_ids: units.map(({ unit_id }) => unit_id),
        until: new Date(until).toISOString(),
        reason: 'vendor',
      },
      headers: { 'idempotency-key': key },
    } as const;
    const first = await client.definite(call);
    const refused = units.some((unit) => unit.retired || isLet(unit));
    if (refused) {
      demand(first.status === 422, () => `A pass to a unit that is let was answered ${first.status}`);
      return;
    }
    demand(first.status === 201, () => `A pass was issued with ${first.status} ${first.text}`);
    const again = await client.definite(call);
    demand(again.text === first.text, () => `A pass under the same key was answered ${again.text}`);
    const { pass_id, tenant_id } = first.body.data as Record<'pass_id' | 'tenant_id', string>;
    const before = world.passes.findLast((one) => one.company === company && one.holder === holder);
    // The account of somebody without passes may have been erased, for another one.
    const isSame = before !== undefined && world.nowOf(company) < endOf(before) + 29 * DAY;
    demand(
      !isSame || before.tenant_id === tenant_id,
      () => `The number ${phone} has two accounts: ${before!.tenant_id} and ${tenant_id}`,
    );
    world.passes.push({
      company,
      place: code,
      holder,
      pass_id,
      tenant_id,
      entry_point_id,
      until,
      ended_at: null,
      units: units.map((unit) => ({
        key: `${company}/${unit.crm_unit_id}`,
        events: unit.events,
        lost: false,
      })),
    });
  },
});

/** PATCH and DELETE /passes/{pass_id}: another end, or the end. */
export const changePass = flow<{ readonly pass: number; readonly minutes: number | null }>({
  name: 'change_pass',
  weight: 2,
  beside: false,
  plan(world, random) {
    const pass = recent(world, (choices) => random.pick(choices));
    if (pass === undefined) return undefined;
    return { pass, minutes: random.chance(0.6) ? random.between(70, 20_000) : null };
  },
  async play({ pass: place, minutes }, world, client) {
    const pass = world.passes[place];
    // One that ends while the client tries again would be answered both ways.
    if (pass === undefined || isClosing(pass, world)) return;
    const call = { path: `/api/operator/passes/${pass.pass_id}`, token: world.operatorToken } as const;
    if (minutes === null) {
      const { status, text } = await client.definite({ ...call, method: 'DELETE' });
      demand(status === 200, () => `A pass was ended with ${status} ${text}`);
      if (!isOver(pass, world)) pass.ended_at = world.nowOf(pass.company);
    } else {
      const until = world.nowOf(pass.company) + minutes * MINUTE;
      const body = { until: new Date(until).toISOString() };
      const { status, text } = await client.definite({ ...call, method: 'PATCH', body });
      const expected = isOver(pass, world) ? 409 : 200;
      demand(status === expected, () => `A pass was changed with ${status} ${text}`);
      if (status === 200) pass.until = until;
    }
    await checkPass(pass, world, client);
  },
});

/** GET /passes/{pass_id}, the passes of its location, and who may open its gate. */
export const readPasses = flow<{ readonly pass: number }>({
  name: 'read_passes',
  weight: 3,
  beside: false,
  plan(world, random) {
    const pass = recent(world, (choices) => random.pick(choices));
    return pass === undefined ? undefined : { pass };
  },
  async play({ pass: place }, world, client) {
    const pass = world.passes[place];
    if (pass === undefined || isClosing(pass, world)) return;
    await checkPass(pass, world, client);
    const token = world.operatorToken;
    const { location_id } = world.place(pass.company, pass.place)!;
    const path = `/api/operator/locations/${location_id}/passes?limit=100`;
    const listed = await client.definite({ method: 'GET', path, token });
    const ids = (listed.body.data.passes as Pass[]).map(({ pass_id }) => pass_id);
    const here = world.passes.filter((one) => one.company === pass.company && one.place === pass.place);
    for (const one of here)
      if (!isClosing(one, world))
        demand(
          ids.includes(one.pass_id) === !isOver(one, world),
          () => `The list of passes holds ${one.pass_id}, or should: ${listed.text}`,
        );
    const people = `/api/operator/entry-points/${pass.entry_point_id}/people`;
    const told = await client.definite({ method: 'GET', path: people, token });
    const holder = (told.body.data.people as Body[]).find(
      ({ kind, pass_id }) => kind === 'pass' && pass_id === pass.pass_id,
    );
    const opens = isOver(pass, world) ? undefined : isInService(pass, world);
    demand(holder?.opens === opens, () => `Who may open the gate of ${pass.pass_id}: ${told.text}`);
  },
});

/** The holder signs in, and reads what the passes open. */
export const passAccess = flow<{ readonly pass: number }>({
  name: 'pass_access',
  weight: 2,
  beside: false,
  wantsRecords: true,
  plan(world, random) {
    const pass = recent(world, (choices) => random.pick(choices));
    return pass === undefined ? undefined : { pass };
  },
  async play({ pass: place }, world, client) {
    const pass = world.passes[place];
    if (pass === undefined || isClosing(pass, world) || isOver(pass, world)) return;
    const phone = phoneOf(pass.company, pass.holder);
    if (!(await requestCode(numberOf(phone), true, client))) return;
    const body = { ...numberOf(phone), otp: world.codes.get(phone)! };
    const signedIn = await client.definite({ method: 'POST', path: '/api/v2/auth/verify-otp', body });
    demand(signedIn.status === 200, () => `A holder signed in with ${signedIn.status} ${signedIn.text}`);
    const held = world.passes.filter((one) => one.tenant_id === pass.tenant_id);
    // A key to a lock would be told at the next move-in.
    if (held.some((one) => isClosing(one, world) || hasLocks(one, world))) return;
    const token = signedIn.body.data.token as string;
    const shown = await client.definite({ method: 'GET', path: '/api/v2/tenant/access', token });
    demand(shown.status === 200, () => `A holder’s access was answered ${shown.status} ${shown.text}`);
    const passes = shown.body.data.passes as Body[];
    const present = held.filter((one) => !isOver(one, world));
    demand(
      sorted(passes.map(({ pass_id }) => pass_id as string)) ===
        sorted(present.map(({ pass_id }) => pass_id)),
      () => `The holder of ${sorted(present.map(({ pass_id }) => pass_id))} sees ${shown.text}`,
    );
    for (const one of present) {
      const own = passes.find(({ pass_id }) => pass_id === one.pass_id)!;
      const [{ key }] = own.entry_points as [Body];
      const opens = isInService(one, world);
      demand((key !== undefined) === opens, () => `A gate in service ${opens}: ${shown.text}`);
      const opened = (own.units as Body[]).map(({ unit_id }) => unit_id as string);
      checkUnits(one, (unit) => opened.includes(unit.unit_id!), world, shown.text);
    }
  },
});

async function checkPass(pass: Pass, world: World, client: Client): Promise<void> {
  const path = `/api/operator/passes/${pass.pass_id}`;
  const { status, text, body } = await client.definite({ method: 'GET', path, token: world.operatorToken });
  demand(status === 200, () => `A pass was answered ${status} ${text}`);
  const { standing, until, tenant_id, units } = body.data;
  const expected = isOver(pass, world) ? 'ended' : 'in_force';
  demand(standing === expected, () => `A pass that is ${expected} was answered ${text}`);
  demand(Date.parse(until as string) === pass.until, () => `A pass until ${pass.until} was answered ${text}`);
  demand(tenant_id === pass.tenant_id, () => `The pass of ${pass.tenant_id} was answered ${text}`);
  const opens = (unit: Unit) => (units as Body[]).some((one) => one.unit_id === unit.unit_id && one.opens);
  checkUnits(pass, opens, world, text);
}

/**
 * A unit to which nothing happened is opened, one that is let is not, and one that was let is never opened again.
 * Whether one was let meanwhile, the model does not remember: it learns it.
 */
function checkUnits(pass: Pass, opens: (unit: Unit) => boolean, world: World, text: string): void {
  for (const named of pass.units) {
    const unit = world.units.get(named.key)!;
    const isOpen = opens(unit);
    const isAsBefore = unit.events === named.events;
    const mustNot = named.lost || isLet(unit) || unit.retired;
    demand(!isOpen || !mustNot, () => `${named.key} is opened by ${pass.pass_id}: ${text}`);
    demand(isOpen || !isAsBefore, () => `${named.key} is not opened by ${pass.pass_id}: ${text}`);
    if (!isOpen && !unit.retired) named.lost = true;
  }
}

function isAt(unit: Unit, { company, code }: Place): boolean {
  return unit.company === company && unit.place === code && unit.unit_id !== null;
}

function isLet({ facts }: Unit): boolean {
  return facts.occupied && !facts.pms_auction;
}

function hasLocks({ company, place, units }: Pass, world: World): boolean {
  return world.place(company, place)!.locks.some(({ unit }) => units.some(({ key }) => key === unit));
}

function isInService({ company, place, entry_point_id }: Pass, world: World): boolean {
  return world.place(company, place)!.gates.find((gate) => gate.entry_point_id === entry_point_id)!
    .in_service;
}

function endOf({ until, ended_at }: Pass): number {
  return Math.min(until, ended_at ?? Infinity);
}

function isOver(pass: Pass, world: World): boolean {
  return world.nowOf(pass.company) >= endOf(pass);
}

/** Whether it may end before the requests of a flow are answered. */
function isClosing(pass: Pass, world: World): boolean {
  const left = endOf(pass) - world.nowOf(pass.company);
  return left > 0 && left < HOUR;
}

function recent(world: World, pick: <T>(choices: readonly T[]) => T): number | undefined {
  const places = world.passes.map((_, place) => place).slice(-8);
  return places.length === 0 ? undefined : pick(places);
}

/** Nobody else has these numbers. */
function phoneOf(company: number, holder: number): string {
  return `+1312551${company}${String(holder).padStart(3, '0')}`;
}

function sorted(names: readonly string[]): string {
  return [...names].sort().join(' ');
}
