import { type Changeable, changeFacts } from '../model/unit-rules.js';
import { unitKey } from '../model/world.js';
import { operation } from './operation.js';
import {
  anyCompany,
  anyCrmUnitId,
  anyFacts,
  MANAGED_ELSEWHERE,
  NOT_FOUND,
  pathOf,
  standingWarnings,
} from './unit-plans.js';

interface Args {
  readonly company: number;
  readonly crm_unit_id: string;
  readonly facts: Changeable;
  readonly dry_run?: true;
}

/** PATCH /units/{crm_unit_id} */
export const pushFacts = operation<Args>({
  name: 'change_facts',
  weight: 16,
  keyed: true,
  plan: (world, random) => ({
    company: anyCompany(world, random),
    crm_unit_id: anyCrmUnitId(random),
    facts: anyFacts(world, random),
    ...(random.chance(0.08) ? { dry_run: true } : {}),
  }),
  planFor: (world, random, key) => ({
    company: Number(key[0]),
    crm_unit_id: key.slice(2),
    facts: anyFacts(world, random),
  }),
  units: ({ company, crm_unit_id }) => [unitKey(company, crm_unit_id)],
  call: ({ company, crm_unit_id, facts, dry_run }, world) => ({
    method: 'PATCH',
    path: `${pathOf(crm_unit_id)}${dry_run ? '?dry_run=true' : ''}`,
    token: world.companies[company]!.token,
    body: facts,
  }),
  expect({ company, crm_unit_id, facts }, world) {
    const unit = world.units.get(unitKey(company, crm_unit_id));
    if (unit === undefined) return NOT_FOUND;
    if (unit.source !== 'push') return MANAGED_ELSEWHERE;
    changeFacts(unit, facts);
    return { status: 200, message: 'Unit updated.', warnings: standingWarnings(world, unit, facts) };
  },
});
