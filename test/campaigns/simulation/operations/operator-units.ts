import { clearOverride, endShare, rename, retire, revive, setOverride, share } from '../model/unit-rules.js';
import { accountKey, companyOf, type Override, unitKey } from '../model/world.js';
import { type Expected, NO_ID, operation } from './operation.js';
import { anyTenant, anyUnit, NOT_FOUND, RETIRED } from './unit-plans.js';

const NOT_FOUND_TENANT: Expected = { status: 404, message: 'Tenant not found.' };

interface OnUnit {
  readonly unit: string;
}

function idOf(world: { units: Map<string, { unit_id: string | null }> }, unit: string): string {
  return world.units.get(unit)?.unit_id ?? NO_ID;
}

/** PUT /units/{unit_id}/override */
export const operatorOverride = operation<OnUnit & { readonly override: Override }>({
  name: 'override',
  weight: 5,
  keyed: false,
  plan(world, random) {
    const unit = anyUnit(world, random);
    return unit && this.planFor!(world, random, unitKey(unit.company, unit.crm_unit_id));
  },
  planFor: (world, random, unit) => ({
    unit,
    override: {
      override: random.pick(['lockout', 'exempt']),
      reason: random.pick(['asked by phone', 'court order']),
      expires_at: random.chance(0.6)
        ? world.nowOf(companyOf(unit)) + random.between(2, 5_000) * 60_000
        : null,
    },
  }),
  units: ({ unit }) => [unit],
  call: ({ unit, override }, world) => ({
    method: 'PUT',
    path: `/api/operator/units/${idOf(world, unit)}/override`,
    token: world.operatorToken,
    body: {
      ...override,
      expires_at: override.expires_at === null ? null : new Date(override.expires_at).toISOString(),
    },
  }),
  expect({ unit, override }, world) {
    const known = world.units.get(unit);
    if (known === undefined) return NOT_FOUND;
    if (known.retired) return RETIRED;
    if (override.expires_at !== null && override.expires_at <= world.nowOf(known.company)) {
      const text = 'The expires at field must be in the future.';
      return { status: 422, message: 'Validation failed.', errors: { expires_at: [text] } };
    }
    setOverride(known, override);
    return { status: 200, message: 'Request successful.' };
  },
});

/** DELETE /units/{unit_id}/override */
export const operatorClearOverride = operation<OnUnit>({
  name: 'clear_override',
  weight: 2,
  keyed: false,
  plan(world, random) {
    const unit = anyUnit(world, random);
    return unit && { unit: unitKey(unit.company, unit.crm_unit_id) };
  },
  planFor: (_world, _random, unit) => ({ unit }),
  units: ({ unit }) => [unit],
  call: ({ unit }, world) => ({
    method: 'DELETE',
    path: `/api/operator/units/${idOf(world, unit)}/override`,
    token: world.operatorToken,
  }),
  expect({ unit }, world) {
    const known = world.units.get(unit);
    if (known === undefined) return NOT_FOUND;
    clearOverride(known);
    return { status: 200, message: 'Request successful.' };
  },
});

/** PATCH /units/{unit_id}/name */
export const operatorRename = operation<OnUnit & { readonly name: string }>({
  name: 'rename',
  weight: 2,
  keyed: false,
  plan(world, random) {
    const unit = anyUnit(world, random);
    return unit && this.planFor!(world, random, unitKey(unit.company, unit.crm_unit_id));
  },
  planFor: (_world, random, unit) => ({ unit, name: `Name ${random.below(3)}` }),
  units: ({ unit }) => [unit],
  call: ({ unit, name }, world) => ({
    method: 'PATCH',
    path: `/api/operator/units/${idOf(world, unit)}/name`,
    token: world.operatorToken,
    body: { unit_name: name },
  }),
  expect({ unit, name }, world) {
    const known = world.units.get(unit);
    if (known === undefined) return NOT_FOUND;
    rename(known, name);
    return { status: 200, message: 'Request successful.' };
  },
});

/** PUT /units/{unit_id}/retired: of a unit that nobody rents. */
export const operatorRetire = operation<OnUnit>({
  name: 'retire',
  weight: 3,
  keyed: false,
  plan(world, random) {
    const vacant = [...world.units.values()].filter(({ facts, retired }) => !facts.occupied && !retired);
    const unit = vacant.length > 0 && random.chance(0.8) ? random.pick(vacant) : anyUnit(world, random);
    return unit && { unit: unitKey(unit.company, unit.crm_unit_id) };
  },
  planFor: (_world, _random, unit) => ({ unit }),
  units: ({ unit }) => [unit],
  call: ({ unit }, world) => ({
    method: 'PUT',
    path: `/api/operator/units/${idOf(world, unit)}/retired`,
    token: world.operatorToken,
  }),
  expect({ unit }, world) {
    const known = world.units.get(unit);
    if (known === undefined) return NOT_FOUND;
    if (known.facts.occupied) return { status: 409, message: 'The unit is occupied.' };
    retire(known);
    return { status: 200, message: 'Request successful.' };
  },
});

/** DELETE /units/{unit_id}/retired */
export const operatorRevive = operation<OnUnit>({
  name: 'revive',
  weight: 2,
  keyed: false,
  plan(world, random) {
    const retired = [...world.units.values()].filter((unit) => unit.retired);
    const unit = retired.length > 0 && random.chance(0.8) ? random.pick(retired) : anyUnit(world, random);
    return unit && { unit: unitKey(unit.company, unit.crm_unit_id) };
  },
  planFor: (_world, _random, unit) => ({ unit }),
  units: ({ unit }) => [unit],
  call: ({ unit }, world) => ({
    method: 'DELETE',
    path: `/api/operator/units/${idOf(world, unit)}/retired`,
    token: world.operatorToken,
  }),
  expect({ unit }, world) {
    const known = world.units.get(unit);
    if (known === undefined) return NOT_FOUND;
    revive(known);
    return { status: 200, message: 'Request successful.' };
  },
});

interface Shared extends OnUnit {
  readonly pms_tenant_id: string;
  /** Whose account is meant: an operator names an account and not a tenant of the PMS. */
  readonly place: string;
}

/** PUT /units/{unit_id}/shares/{tenant_id} */
export const operatorShare = operation<Shared>({
  name: 'share',
  weight: 4,
  keyed: false,
  plan(world, random) {
    const unit = anyUnit(world, random);
    return unit && this.planFor!(world, random, unitKey(unit.company, unit.crm_unit_id));
  },
  planFor(world, random, unit) {
    const known = world.units.get(unit);
    const others = world.companies[Number(unit[0])]!.places.map(({ code }) => code);
    const place = known === undefined || random.chance(0.1) ? random.pick(others) : known.place;
    return { unit, pms_tenant_id: anyTenant(random), place };
  },
  units: ({ unit }) => [unit],
  call: ({ unit, pms_tenant_id, place }, world) => ({
    method: 'PUT',
    path: `/api/operator/units/${idOf(world, unit)}/shares/${tenantId(world, unit, place, pms_tenant_id)}`,
    token: world.operatorToken,
  }),
  expect({ unit, pms_tenant_id, place }, world) {
    const known = world.units.get(unit);
    if (known === undefined) return NOT_FOUND;
    if (tenantId(world, unit, place, pms_tenant_id) === NO_ID) return NOT_FOUND_TENANT;
    if (place !== known.place) {
      const text = 'The tenant id field must be a tenant of the same location.';
      return { status: 422, message: 'Validation failed.', errors: { tenant_id: [text] } };
    }
    if (!known.facts.occupied) return { status: 422, message: 'The unit is not occupied.' };
    if (known.facts.pms_tenant_id === pms_tenant_id) {
      const text = 'The tenant rents the unit and needs no share.';
      return { status: 422, message: 'Validation failed.', errors: { tenant_id: [text] } };
    }
    share(known, pms_tenant_id);
    return { status: 200, message: 'Request successful.' };
  },
});

/** DELETE /units/{unit_id}/shares/{tenant_id} */
export const operatorEndShare = operation<Shared>({
  name: 'end_share',
  weight: 2,
  keyed: false,
  plan(world, random) {
    const shared = [...world.units.values()].filter(({ shares }) => shares.length > 0);
    if (shared.length === 0) return undefined;
    const unit = random.pick(shared);
    const pms_tenant_id = random.pick(unit.shares);
    return { unit: unitKey(unit.company, unit.crm_unit_id), pms_tenant_id, place: unit.place };
  },
  planFor(world, random, unit) {
    const place = world.units.get(unit)?.place;
    return place === undefined ? undefined : { unit, pms_tenant_id: anyTenant(random), place };
  },
  units: ({ unit }) => [unit],
  call: ({ unit, pms_tenant_id, place }, world) => ({
    method: 'DELETE',
    path: `/api/operator/units/${idOf(world, unit)}/shares/${tenantId(world, unit, place, pms_tenant_id)}`,
    token: world.operatorToken,
  }),
  expect({ unit, pms_tenant_id, place }, world) {
    const known = world.units.get(unit);
    if (known === undefined) return NOT_FOUND;
    if (tenantId(world, unit, place, pms_tenant_id) !== NO_ID) endShare(known, pms_tenant_id);
    return { status: 200, message: 'Request successful.' };
  },
});

function tenantId(
  world: { accounts: Map<string, { tenant_id: string | null }> },
  unit: string,
  place: string,
  pms_tenant_id: string,
): string {
  return world.accounts.get(accountKey(Number(unit[0]), place, pms_tenant_id))?.tenant_id ?? NO_ID;
}
