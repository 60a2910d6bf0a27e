import { type Changeable, changeFacts } from '../model/unit-rules.js';
import { unitKey, type World } from '../model/world.js';
import type { Random } from '../random.js';
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

/**
 * Facts, and then those that stand there now: whoever believes what was there before the first finds nothing to change.
 */
export function thereAndBack(world: World, random: Random, key: string): [Args, Args] {
  const company = Number(key[0]);
  const crm_unit_id = key.slice(2);
  const facts = anyFacts(world.nowOf(company), random);
  const present = world.units.get(key)!.facts;
  const names = Object.keys(facts) as (keyof Changeable)[];
  const back = Object.fromEntries(names.map((name) => [name, present[name]]));
  return [
    { company, crm_unit_id, facts },
    { company, crm_unit_id, facts: back },
  ];
}

/** PATCH /units/{crm_unit_id} */
export const pushFacts = operation<Args>({
  name: 'change_facts',
  weight: 16,
  keyed: true,
  plan(world, random) {
    const company = anyCompany(world, random);
    return {
      company,
      crm_unit_id: anyCrmUnitId(random),
      facts: anyFacts(world.nowOf(company), random),
      ...(random.chance(0.08) ? { dry_run: true } : {}),
    };
  },
  planFor: (world, random, key) => ({
    company: Number(key[0]),
    crm_unit_id: key.slice(2),
    facts: anyFacts(world.nowOf(Number(key[0])), random),
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
    if (unit.retired) return NOT_FOUND;
    changeFacts(unit, facts);
    return { status: 200, message: 'Unit updated.', warnings: standingWarnings(world, unit, facts) };
  },
});
