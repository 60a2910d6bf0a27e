import { addDays } from '../calendar.js';
import { expectEqual, present } from '../expect.js';
import { checkTable, resolutionOf, stateOf } from '../format.js';
import type { Facility, Stage, Tenant } from '../stage.js';
import type { TenantAccessShown } from '../answers.js';
import { readAccess } from '../tenant-app.js';

const DAYS_LATE = 10;
const UNIT = '/api/v2/units/{crm_unit_id}';

/** The rent of one unit is not paid. The service denies access and explains it. */
export async function missAPayment(stage: Stage, facility: Facility, tenant: Tenant): Promise<void> {
  const { narrator, today } = stage;
  const { crm_unit_id } = tenant.units.large;
  await narrator.chapter('A missed payment');
  const facts = { balance_due: 189, paid_through_date: addDays(today, -DAYS_LATE) };
  const { pms } = facility;
  const unit = { path: { crm_unit_id } };

  await narrator.says(
    `It turns out that B-114 is paid through ${facts.paid_through_date} only, and that $189 is due.`,
    'The PMS first asks what would happen. A dry run decides and writes nothing.',
  );
  const rehearsal = await stage.ask(
    pms,
    ['PATCH', UNIT],
    { ...unit, query: { dry_run: true }, body: facts },
    { note: JSON.stringify(facts) },
  );
  narrator.shows(`would be ${stateOf(present('access', rehearsal.data.access))}`);

  await narrator.says('Then it writes.');
  await stage.ask(pms, ['PATCH', UNIT], { ...unit, body: facts });
  const { access } = (await stage.ask(pms, ['GET', UNIT], unit)).data;
  expectEqual('access to B-114', stateOf(access), 'tenant_denied: delinquent');
  narrator.shows(
    `state       ${access.state}`,
    `reason      ${access.reason}`,
    `also        ${access.also.join(', ') || 'nothing else denies'}`,
    `resolution  ${resolutionOf(access)}`,
    '',
    'Why: the checks in their order; the first that matches decides.',
    ...checkTable(access.checks),
  );
  await tellTheTenant(stage, tenant);
}

/** What the app tells a tenant to do about a unit that owes. */
function toDo(unit: TenantAccessShown['units'][number]): string[] {
  const { unit_name, balance_due = 0, currency = 'USD', location } = unit;
  if (balance_due <= 0) return [];
  const { phone, payment_url } = location.contact;
  const owed = balance_due.toLocaleString('en-US', { style: 'currency', currency });
  return [`The app says of ${unit_name}: pay ${owed} at ${payment_url}, or call ${phone}.`];
}

async function tellTheTenant(stage: Stage, tenant: Tenant): Promise<void> {
  await stage.narrator.says(
    'At her next refresh Ada sees both of her units denied: D-207 is paid, but a location may hold a debt on one',
    'unit against the others (blanket delinquency). With no unit left to go to, the gate stays shut as well.',
  );
  const { units, entry_points } = await readAccess(stage, tenant);
  expectEqual('her units', units.map(stateOf), [
    'tenant_denied: delinquent',
    'tenant_denied: blanket_delinquency',
  ]);
  expectEqual(
    'the gate',
    entry_points.map(({ state, would_have_access, key }) => ({ state, would_have_access, key })),
    [{ state: 'denied', would_have_access: true, key: undefined }],
  );
  stage.narrator.shows(
    'The gate says would_have_access: true, so the app can tell that the rent is the cause.',
    ...units.flatMap(toDo),
  );
  expectEqual(
    'keys',
    units.flatMap(({ locks }) => locks.flatMap(({ key }) => key ?? [])),
    [],
  );
}
