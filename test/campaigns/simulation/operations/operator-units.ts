import { clearOverride, endShare, rename, retire, revive, setOverride, share } from '../model/unit-rules.js';
import { accountKey, companyOf, type Override, type Unit, unitKey, type World } from '../model/world.js';
import type { Random } from '../random.js';
import { type AnyOperation, type Expected, NO_ID, type Operation, operation } from './operation.js';
import { anyTenant, anyUnit, NOT_FOUND, RETIRED } from './unit-plans.js';

const NOT_FOUND_TENANT: Expected = { status: 404, message: 'Tenant not found.' };
const DONE: Expected = { status: 200, message: 'Request successful.' };

interface OnUnit {
  readonly unit: string;
}

interface WriteToUnit<Args extends OnUnit> {
  readonly name: string;
  readonly weight: number;
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  /** What stands behind the unit's path. */
  path(args: Args, world: World): string;
  readonly body?: (args: Args) => object;
  /** Any unit where absent. */
  readonly choose?: (world: World, random: Random) => Unit | undefined;
  /** The arguments for a unit; undefined where that makes no sense. */
  readonly given: (world: World, random: Random, unit: string) => Args | undefined;
  /** Does to a unit that is there what the service must do. @returns the refusal */
  write(known: Unit, args: Args, world: World): Expected | undefined;
}

/** A write of an operator to one unit. */
function onUnit<Args extends OnUnit>(definition: WriteToUnit<Args>): Operation<Args> {
  const { name, weight, method, choose = anyUnit, given } = definition;
  return {
    name,
    weight,
    keyed: false,
    plan(world, random) {
      const unit = choose(world, random);
      return unit && given(world, random, unitKey(unit.company, unit.crm_unit_id));
    },
    planFor: given,
    units: ({ unit }) => [unit],
    call: (args, world) => ({
      method,
      path: `/api/operator/units/${world.units.get(args.unit)?.unit_id ?? NO_ID}/${definition.path(args, world)}`,
      token: world.operatorToken,
      ...(definition.body && { body: definition.body(args) }),
    }),
    expect(args, world) {
      const known = world.units.get(args.unit);
      if (known === undefined) return NOT_FOUND;
      return definition.write(known, args, world) ?? DONE;
    },
  };
}

/** One that says nothing but the unit. */
function onlyUnit(definition: Omit<WriteToUnit<OnUnit>, 'given'>): AnyOperation {
  return operation(onUnit({ ...definition, given: (_world, _random, unit) => ({ unit }) }));
}

function refused(field: string, text: string): Expected {
  return { status: 422, message: 'Validation failed.', errors: { [field]: [text] } };
}

/** PUT /units/{unit_id}/override */
export const operatorOverride = operation(
  onUnit<OnUnit & { readonly override: Override }>({
    name: 'override',
    weight: 5,
    method: 'PUT',
    path: () => 'override',
    body: ({ override }) => ({
      ...override,
      expires_at: override.expires_at === null ? null : new Date(override.expires_at).toISOString(),
    }),
    given: (world, random, unit) => ({
      unit,
      override: {
        override: random.pick(['lockout', 'exempt']),
        reason: random.pick(['asked by phone', 'court order']),
        expires_at: random.chance(0.6)
          ? world.nowOf(companyOf(unit)) + random.between(2, 5_000) * 60_000
          : null,
      },
    }),
    write(known, { override }, world) {
      if (known.retired) return RETIRED;
      if (override.expires_at !== null && override.expires_at <= world.nowOf(known.company)) {
        return refused('expires_at', 'The expires at field must be in the future.');
      }
      setOverride(known, override);
      return undefined;
    },
  }),
);

/** DELETE /units/{unit_id}/override */
export const operatorClearOverride = onlyUnit({
  name: 'clear_override',
  weight: 2,
  method: 'DELETE',
  path: () => 'override',
  write: (known) => void clearOverride(known),
});

/** PATCH /units/{unit_id}/name */
export const operatorRename = operation(
  onUnit<OnUnit & { readonly name: string }>({
    name: 'rename',
    weight: 2,
    method: 'PATCH',
    path: () => 'name',
    body: ({ name }) => ({ unit_name: name }),
    given: (_world, random, unit) => ({ unit, name: `Name ${random.below(3)}` }),
    write: (known, { name }) => void rename(known, name),
  }),
);

/** PUT /units/{unit_id}/retired: of a unit that nobody rents. */
export const operatorRetire = onlyUnit({
  name: 'retire',
  weight: 3,
  method: 'PUT',
  path: () => 'retired',
  choose: (world, random) => rather(world, random, ({ facts, retired }) => !facts.occupied && !retired),
  write(known) {
    if (known.facts.occupied) return { status: 409, message: 'The unit is occupied.' };
    retire(known);
    return undefined;
  },
});

/** DELETE /units/{unit_id}/retired */
export const operatorRevive = onlyUnit({
  name: 'revive',
  weight: 2,
  method: 'DELETE',
  path: () => 'retired',
  choose: (world, random) => rather(world, random, ({ retired }) => retired),
  write: (known) => void revive(known),
});

/** Mostly one of these, if there are any. */
function rather(world: World, random: Random, isWanted: (unit: Unit) => boolean): Unit | undefined {
  const wanted = [...world.units.values()].filter(isWanted);
  return wanted.length > 0 && random.chance(0.8) ? random.pick(wanted) : anyUnit(world, random);
}

interface Shared extends OnUnit {
  readonly pms_tenant_id: string;
  /** Whose account is meant: an operator names an account and not a tenant of the PMS. */
  readonly place: string;
}

const ERASED =
  'The details of the tenant id field were erased, so nobody can sign in. Record the person again first.';

/** PUT /units/{unit_id}/shares/{tenant_id} */
export const operatorShare = operation(
  onUnit<Shared & { readonly until: number | null }>({
    name: 'share',
    weight: 4,
    method: 'PUT',
    path: (shared, world) => `shares/${tenantId(shared, world)}`,
    body: ({ until }) => (until === null ? {} : { until: new Date(until).toISOString() }),
    given(world, random, unit) {
      const known = world.units.get(unit);
      const others = world.companies[Number(unit[0])]!.places.map(({ code }) => code);
      const place = known === undefined || random.chance(0.1) ? random.pick(others) : known.place;
      const until = random.chance(0.5)
        ? world.nowOf(companyOf(unit)) + random.between(2, 5_000) * 60_000
        : null;
      return { unit, pms_tenant_id: anyTenant(random), place, until };
    },
    write(known, shared, world) {
      const { pms_tenant_id, place, until } = shared;
      if (tenantId(shared, world) === NO_ID) return NOT_FOUND_TENANT;
      if (place !== known.place) {
        return refused('tenant_id', 'The tenant id field must be a tenant of the same location.');
      }
      if (world.accounts.get(accountKey(known.company, place, pms_tenant_id))?.erased === true)
        return refused('tenant_id', ERASED);
      if (!known.facts.occupied) return { status: 422, message: 'The unit is not occupied.' };
      if (known.facts.pms_tenant_id === pms_tenant_id) {
        return refused('tenant_id', 'The tenant rents the unit and needs no share.');
      }
      if (until !== null && until <= world.nowOf(known.company))
        return refused('until', 'The until field must be in the future.');
      share(known, { pms_tenant_id, until }, world.nowOf(known.company));
      return undefined;
    },
  }),
);

/** DELETE /units/{unit_id}/shares/{tenant_id} */
export const operatorEndShare = operation<Shared>({
  ...onUnit<Shared>({
    name: 'end_share',
    weight: 2,
    method: 'DELETE',
    path: (shared, world) => `shares/${tenantId(shared, world)}`,
    given(world, random, unit) {
      const place = world.units.get(unit)?.place;
      return place === undefined ? undefined : { unit, pms_tenant_id: anyTenant(random), place };
    },
    write(known, shared, world) {
      if (tenantId(shared, world) !== NO_ID) endShare(known, shared.pms_tenant_id);
      return undefined;
    },
  }),
  plan(world, random) {
    const shared = [...world.units.values()].filter(({ shares }) => shares.length > 0);
    if (shared.length === 0) return undefined;
    const unit = random.pick(shared);
    const { pms_tenant_id } = random.pick(unit.shares);
    return { unit: unitKey(unit.company, unit.crm_unit_id), pms_tenant_id, place: unit.place };
  },
});

function tenantId({ unit, place, pms_tenant_id }: Shared, world: World): string {
  return world.accounts.get(accountKey(Number(unit[0]), place, pms_tenant_id))?.tenant_id ?? NO_ID;
}
