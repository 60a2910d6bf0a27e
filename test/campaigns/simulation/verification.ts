import { judge, overrideOf, type Verdict } from './model/decision.js';
import { sharesNow } from './model/unit-rules.js';
import { firstDifference } from './model/difference.js';
import { type Unit, unitKey, type World } from './model/world.js';
import { type Body, Mismatch } from './operations/operation.js';
import { inputOf } from './operations/tenants.js';

/** A unit as reads show it; null where there is none. */
export type Observed = {
  /** Of GET /units/{crm_unit_id}. */
  readonly shown: Body;
  /** Of the operator's GET /units/{unit_id}. */
  readonly detail: Body;
} | null;

/** How what a write left behind differs from the model, decisions left out. Learns the unit's id. */
export function stateDifference(unit: Unit | undefined, seen: Observed, now: number): string | undefined {
  if (unit === undefined) return seen === null ? undefined : 'is there and should not be';
  if (seen === null) return 'should be there and is not';
  const { shown, detail } = seen;
  const found = {
    facts: shown.facts,
    revision: shown.revision,
    name: shown.unit_name,
    place: shown.location.pms_location_code,
    source: shown.source_type,
    override: detail.override && { ...detail.override, expires_at: instantOf(detail.override.expires_at) },
    shares: detail.shares.map(({ pms_tenant_id, until }: Body) => ({
      pms_tenant_id,
      until: instantOf(until),
    })),
    retired: detail.retired,
  };
  const expected = {
    facts: unit.facts,
    revision: unit.events - 1,
    name: unit.name,
    place: unit.place,
    source: unit.source,
    // One that has ended is shown as none.
    override: overrideOf(unit, now) === null ? null : unit.override,
    shares: sharesNow(unit, now),
    retired: unit.retired,
  };
  const fault = firstDifference(found, expected);
  if (fault !== undefined) return fault;
  if (unit.unit_id !== null && unit.unit_id !== shown.unit_id)
    return `was ${unit.unit_id}, is ${shown.unit_id}`;
  unit.unit_id = shown.unit_id as string;
  return undefined;
}

/** Learns who the tenants are for the service. */
function learnTenants(unit: Unit, detail: Body, world: World): void {
  for (const { tenant_id, pms_tenant_id } of [detail.tenant, ...detail.shares].filter(
    (one) => one !== null,
  )) {
    world.account(unit.company, unit.place, pms_tenant_id as string).tenant_id = tenant_id as string;
  }
}

function instantOf(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}

/** Holds all that a read shows of a unit to the model, its decision above all. @throws Mismatch */
export function verifyUnit(unit: Unit, seen: Observed, world: World): void {
  const key = unitKey(unit.company, unit.crm_unit_id);
  const now = world.nowOf(unit.company);
  const fault = stateDifference(unit, seen, now);
  if (fault !== undefined) throw new Mismatch(`${key} ${fault}`);
  learnTenants(unit, seen!.detail, world);
  const { shown, detail } = seen!;
  const verdict = judge(inputOf(world, unit), now);
  same(key, 'access', accessOf(shown.access), expectedAccess(verdict));
  const { policy, name } = world.placeOf(unit);
  same(key, 'location', [shown.location.name, shown.location.timezone], [name, policy.timezone]);
  same(key, 'last_accessed_at', instantOf(shown.last_accessed_at as string | null), unit.last_accessed_at);
  const locks = world.placeOf(unit).locks.filter((lock) => lock.unit === key);
  same(key, 'locks', ids(detail.locks, 'lock_id'), locks.map(({ lock_id }) => lock_id).sort());
  same(key, 'zones', ids(detail.zones, 'zone_id'), [...unit.zones].sort());
  if (detail.tenant !== null) same(key, 'tenant', detail.tenant.pms_tenant_id, unit.facts.pms_tenant_id);
  verifyResolution(key, unit, verdict, shown, world);
  verifyChecks(key, verdict, shown);
}

function accessOf({ state, reason, also, valid_until }: Body) {
  return { state, reason, also, valid_until: instantOf(valid_until as string | null) };
}

function expectedAccess({ state, reason, also, valid_until }: Verdict) {
  return { state, reason, also, valid_until };
}

function ids(list: readonly Body[], name: string): string[] {
  return list.map((one) => one[name] as string).sort();
}

/** The resolution names what removes each cause, and access is permitted once all of it is done. */
function verifyResolution(key: string, unit: Unit, verdict: Verdict, shown: Body, world: World): void {
  const resolution: Body[] | null = shown.access.resolution;
  const named = resolution?.map(({ field, crm_unit_id }) => `${field} of ${crm_unit_id}`) ?? null;
  same(key, 'resolution', named?.sort() ?? null, verdict.cures && [...verdict.cures].sort());
  if (resolution === null) return;
  const input = inputOf(world, unit);
  const cured = {
    ...input,
    unit: curedBy(resolution, unit),
    siblings: input.siblings.map((one) => curedBy(resolution, one)),
  };
  same(
    key,
    `access after ${JSON.stringify(resolution)}`,
    judge(cured, world.nowOf(unit.company)).state,
    'tenant_permitted',
  );
}

function curedBy(resolution: readonly Body[], unit: Unit): Unit {
  const own = resolution.filter(({ crm_unit_id }) => crm_unit_id === unit.crm_unit_id);
  const changes: Body = Object.fromEntries(own.map(({ field, to }) => [field, to]));
  const { override = unit.override, ...facts } = changes;
  return { ...unit, override, facts: { ...unit.facts, ...facts } };
}

/** The first check that matches is the one that decided. */
function verifyChecks(key: string, verdict: Verdict, shown: Body): void {
  const first = shown.access.checks.find(({ matched }: Body) => matched);
  same(key, 'the deciding check', [first?.state, first?.reason], [verdict.state, verdict.reason]);
}

function same(key: string, what: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Mismatch(`${key}: ${what} is ${one}, should be ${other}`);
}
