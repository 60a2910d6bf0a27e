import type { Facility, Stage, TenantUnit } from '../stage.js';

const LARGE_UNIT = 'B-114';
const SMALL_UNIT = 'D-207';

/** The two units of the tenant Ada Park get locks and zones. */
export async function fitLocks(
  stage: Stage,
  facility: Facility,
): Promise<{ readonly large: TenantUnit; readonly small: TenantUnit }> {
  await stage.narrator.chapter('Two locks');
  await stage.narrator.says(
    'Ada Park rents B-114 for her furniture and D-207 for her skis.',
    'The operator mounts a lock on each, and says which zone the unit lies in.',
  );
  const { west, east } = facility.zones;
  const large = await fitLock(stage, facility, LARGE_UNIT, west);
  const small = await fitLock(stage, facility, SMALL_UNIT, east);
  return { large, small };
}

async function fitLock(
  stage: Stage,
  { operator, pms, location_id }: Facility,
  crm_unit_id: string,
  zone_id: string,
): Promise<TenantUnit> {
  const unit = { path: { crm_unit_id } };
  const { unit_id } = (await pms.call('GET', '/api/v2/units/{crm_unit_id}', unit)).data;
  const name = `${crm_unit_id} door`;
  const added = await stage.ask(
    operator,
    ['POST', '/api/operator/locations/{location_id}/locks'],
    { path: { location_id }, body: { name, serial: `SN-${crm_unit_id}` } },
    { status: 201, note: name },
  );
  const { lock_id } = added.data;
  await stage.ask(operator, ['PUT', '/api/operator/units/{unit_id}/locks/{lock_id}'], {
    path: { unit_id, lock_id },
  });
  await stage.ask(operator, ['PUT', '/api/operator/zones/{zone_id}/units/{unit_id}'], {
    path: { zone_id, unit_id },
  });
  return { crm_unit_id, unit_id, lock_id };
}
