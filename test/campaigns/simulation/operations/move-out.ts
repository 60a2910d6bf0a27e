import { moveOut } from '../model/unit-rules.js';
import { unitKey } from '../model/world.js';
import { operation } from './operation.js';
import { anyCompany, anyCrmUnitId, MANAGED_ELSEWHERE, NOT_FOUND, pathOf } from './unit-plans.js';

interface Args {
  readonly company: number;
  readonly crm_unit_id: string;
  readonly dry_run?: true;
}

/** DELETE /units/{crm_unit_id}/tenancy */
export const pushMoveOut = operation<Args>({
  name: 'move_out',
  weight: 6,
  keyed: true,
  plan: (world, random) => ({
    company: anyCompany(world, random),
    crm_unit_id: anyCrmUnitId(random),
    ...(random.chance(0.1) ? { dry_run: true } : {}),
  }),
  planFor: (_world, _random, key) => ({ company: Number(key[0]), crm_unit_id: key.slice(2) }),
  units: ({ company, crm_unit_id }) => [unitKey(company, crm_unit_id)],
  call: ({ company, crm_unit_id, dry_run }, world) => ({
    method: 'DELETE',
    path: `${pathOf(crm_unit_id)}/tenancy${dry_run ? '?dry_run=true' : ''}`,
    token: world.companies[company]!.token,
  }),
  expect({ company, crm_unit_id }, world) {
    const unit = world.units.get(unitKey(company, crm_unit_id));
    if (unit === undefined) return NOT_FOUND;
    if (unit.source !== 'push') return MANAGED_ELSEWHERE;
    if (unit.retired) return NOT_FOUND;
    return { status: 200, message: 'Request successful.', warnings: moveOut(unit) };
  },
});
