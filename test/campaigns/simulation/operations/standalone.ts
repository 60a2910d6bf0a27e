import { type Arrival, type Changeable, changeFacts, moveIn, moveOut, revive } from '../model/unit-rules.js';
import { companyOf, unitKey, type World } from '../model/world.js';
import { type Expected, NO_ID, operation } from './operation.js';
import {
  anyDate,
  anyFacts,
  anyPlace,
  anyTenant,
  anyUnit,
  createUnit,
  NOT_FOUND,
  RETIRED,
  standingWarnings,
} from './unit-plans.js';

const MANAGED_BY_PUSH: Expected = {
  status: 409,
  message: 'This unit is managed by a push-mode PMS integration. Please contact support.',
};

const CRM_UNIT_IDS = ['S-1', 'S-2', 'S 3', 'A-101'];

interface Registration {
  readonly company: number;
  readonly place: string;
  readonly crm_unit_id: string;
}

/** POST /locations/{id}/units */
export const registerStandalone = operation<Registration>({
  name: 'register_standalone',
  weight: 2,
  keyed: false,
  plan(world, random) {
    const { company, code } = anyPlace(world, random);
    return { company, place: code, crm_unit_id: random.pick(CRM_UNIT_IDS) };
  },
  units: ({ company, crm_unit_id }) => [unitKey(company, crm_unit_id)],
  call: ({ company, place, crm_unit_id }, world) => ({
    method: 'POST',
    path: `/api/operator/locations/${world.place(company, place)!.location_id}/units`,
    token: world.operatorToken,
    body: { crm_unit_id },
  }),
  expect({ company, place, crm_unit_id }, world) {
    if (world.units.has(unitKey(company, crm_unit_id))) {
      const text = 'The crm unit id has already been taken.';
      return { status: 422, message: 'Validation failed.', errors: { crm_unit_id: [text] } };
    }
    createUnit(world, { company, crm_unit_id, name: undefined }, world.place(company, place)!, 'standalone');
    return { status: 201, message: 'Request successful.' };
  },
});

interface Write {
  readonly unit: string;
  readonly arrival?: Arrival;
  readonly facts?: Changeable;
}

/** PUT and DELETE /units/{unit_id}/tenancy, PATCH /units/{unit_id}: an operator's writes to standalone units. */
export const writeStandalone = operation<Write>({
  name: 'write_standalone',
  weight: 4,
  keyed: false,
  plan(world, random) {
    const unit = anyUnit(world, random, random.chance(0.9) ? 'standalone' : 'push');
    return unit && this.planFor!(world, random, unitKey(unit.company, unit.crm_unit_id));
  },
  planFor(world, random, unit) {
    if (random.chance(0.2)) return { unit };
    const now = world.nowOf(companyOf(unit));
    if (random.chance(0.5)) return { unit, facts: anyFacts(now, random) };
    const arrival = { pms_tenant_id: anyTenant(random), move_in_date: anyDate(now, random, -20, 2) };
    return { unit, arrival };
  },
  units: ({ unit }) => [unit],
  call({ unit, arrival, facts }, world) {
    const path = `/api/operator/units/${world.units.get(unit)?.unit_id ?? NO_ID}`;
    const token = world.operatorToken;
    if (facts !== undefined) return { method: 'PATCH', path, token, body: facts };
    if (arrival !== undefined) return { method: 'PUT', path: `${path}/tenancy`, token, body: arrival };
    return { method: 'DELETE', path: `${path}/tenancy`, token };
  },
  expect(args, world) {
    const known = world.units.get(args.unit);
    if (known === undefined) return NOT_FOUND;
    if (known.source !== 'standalone') return MANAGED_BY_PUSH;
    return written(args, world);
  },
});

function written({ unit, arrival, facts }: Write, world: World): Expected {
  const known = world.units.get(unit)!;
  if (known.retired && arrival === undefined) return RETIRED;
  if (facts !== undefined) {
    changeFacts(known, facts);
    return { status: 200, message: 'Unit updated.', warnings: standingWarnings(world, known, facts) };
  }
  if (arrival === undefined) return { status: 200, message: 'Request successful.', warnings: moveOut(known) };
  const warnings = [...revive(known), ...moveIn(known, arrival, {})];
  world.account(known.company, known.place, arrival.pms_tenant_id);
  return { status: 200, message: 'Request successful.', warnings };
}
