import type { components, StorageAccessClient } from 'storage-access-client';
import { localTime } from '../calendar.js';
import { expectEqual, present } from '../expect.js';
import { checkTable, resolutionOf, stateOf, timeline } from '../format.js';
import { type Facility, type Stage, type Tenant, TIMEZONE } from '../stage.js';

/** An auditor asks later why the tenant had no access. */
export async function audit(stage: Stage, { pms }: Facility, tenant: Tenant): Promise<void> {
  const { narrator } = stage;
  const { large, small } = tenant.units;
  await narrator.chapter('The audit');
  await narrator.says('An auditor asks for all that ever happened to B-114.');
  const entries = await historyOf(stage, pms, large.crm_unit_id);
  const denial = present(
    'the denial',
    entries.find(({ access }) => access?.to.reason === 'delinquent'),
  );
  for (const [field, { from, to }] of Object.entries(denial.changes)) {
    narrator.shows(`at revision ${denial.revision}: ${field} ${String(from)} → ${String(to)}`);
  }
  expectEqual(
    'every stored event has its hash',
    entries.every(({ revision, hash }) => (revision === null) === (hash === null)),
    true,
  );

  await narrator.says(
    'And for D-207, on which nothing was ever owed. What another unit caused is not stored but computed from the',
    'facts, so it can neither be forgotten nor forged.',
  );
  const other = await historyOf(stage, pms, small.crm_unit_id);
  const caused = present(
    'the denial that B-114 caused',
    other.find(({ access }) => access?.to.reason === 'blanket_delinquency'),
  );
  expectEqual('its cause', caused.cause?.kind, 'unit');

  await narrator.says('What would anybody who asked at the moment of the denial have been told?');
  const then = { path: { crm_unit_id: large.crm_unit_id }, query: { at: denial.occurred_at } };
  const { access, facts } = (await stage.ask(pms, ['GET', '/api/v2/units/{crm_unit_id}/as-of'], then)).data;
  expectEqual('access then', stateOf(access), 'tenant_denied: delinquent');
  expectEqual('balance then', facts.balance_due, 189);
  const deciding = present(
    'the check that decided',
    access.checks.find(({ matched }) => matched),
  );
  narrator.shows(`${stateOf(access)}; to permit: ${resolutionOf(access)}`, ...checkTable([deciding]));
}

async function historyOf(
  stage: Stage,
  pms: StorageAccessClient,
  crm_unit_id: string,
): Promise<components['schemas']['HistoryEntry'][]> {
  const route = ['GET', '/api/v2/units/{crm_unit_id}/history'] as const;
  const { entries } = (await stage.ask(pms, route, { path: { crm_unit_id } })).data;
  stage.narrator.shows(...timeline(entries, (timestamp) => localTime(TIMEZONE, timestamp)));
  return entries;
}
