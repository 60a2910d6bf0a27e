import { type Arrival, moveIn, revive } from '../model/unit-rules.js';
import { unitKey } from '../model/world.js';
import { operation } from './operation.js';
import {
  anyCompany,
  anyCrmUnitId,
  anyDate,
  anyLedger,
  anyTenant,
  createUnit,
  identityWarnings,
  isPlace,
  MANAGED_ELSEWHERE,
  pathOf,
  placeOfWrite,
} from './unit-plans.js';
import type { World } from '../model/world.js';
import type { Random } from '../random.js';

interface Args {
  readonly company: number;
  readonly crm_unit_id: string;
  readonly arrival: Arrival;
  readonly unit_name?: string;
  readonly pms_location_code?: string;
  readonly dry_run?: true;
}

function planMoveIn(world: World, random: Random, company: number, crm_unit_id: string): Args {
  const { places } = world.companies[company]!;
  const unit = world.units.get(unitKey(company, crm_unit_id));
  const repeated = unit?.facts.occupied === true && random.chance(0.25);
  const ledger_id = anyLedger(random);
  const arrival = repeated
    ? { pms_tenant_id: unit.facts.pms_tenant_id!, move_in_date: unit.facts.move_in_date! }
    : { pms_tenant_id: anyTenant(random), move_in_date: anyDate(world.nowOf(company), random, -40, 3) };
  const code = random.weighted([
    { weight: 12, code: unit !== undefined && random.chance(0.8) ? unit.place : random.pick(places).code },
    { weight: 2, code: undefined },
    { weight: 1, code: 'NOWHERE' },
  ]).code;
  return {
    company,
    crm_unit_id,
    arrival: { ...arrival, ...(ledger_id === undefined ? {} : { ledger_id }) },
    ...(random.chance(0.2) ? { unit_name: `Unit ${random.below(3)}` } : {}),
    ...(code === undefined ? {} : { pms_location_code: code }),
    ...(random.chance(0.08) ? { dry_run: true } : {}),
  };
}

/** PUT /units/{crm_unit_id}/tenancy */
export const pushMoveIn = operation<Args>({
  name: 'move_in',
  weight: 14,
  keyed: true,
  plan: (world, random) => planMoveIn(world, random, anyCompany(world, random), anyCrmUnitId(random)),
  planFor(world, random, key) {
    const [company, crm_unit_id] = [Number(key[0]), key.slice(2)];
    return planMoveIn(world, random, company, crm_unit_id);
  },
  units: ({ company, crm_unit_id }) => [unitKey(company, crm_unit_id)],
  call: ({ company, crm_unit_id, arrival, unit_name, pms_location_code, dry_run }, world) => ({
    method: 'PUT',
    path: `${pathOf(crm_unit_id)}/tenancy${dry_run ? '?dry_run=true' : ''}`,
    token: world.companies[company]!.token,
    body: { ...arrival, unit_name, pms_location_code },
  }),
  expect(args, world) {
    const { company, crm_unit_id, arrival, unit_name, pms_location_code, dry_run } = args;
    const known = world.units.get(unitKey(company, crm_unit_id));
    if (known !== undefined && known.source !== 'push') return MANAGED_ELSEWHERE;
    const place = placeOfWrite(world, company, known, pms_location_code);
    if (!isPlace(place)) return place;
    const unit = known ?? createUnit(world, { company, crm_unit_id, name: unit_name }, place, 'push');
    const ignored = known === undefined ? [] : identityWarnings(known, args);
    const warnings = [...ignored, ...revive(unit), ...moveIn(unit, arrival, {})];
    world.account(company, unit.place, arrival.pms_tenant_id);
    const created = known === undefined && dry_run !== true;
    return { status: created ? 201 : 200, message: 'Request successful.', warnings };
  },
});
