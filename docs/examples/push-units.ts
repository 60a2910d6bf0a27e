import { type BulkEntry, connect, isServiceError } from 'storage-access-client';

/** Sends everything the PMS knows. Returns the units that were not taken, and what may surprise about the others. */
export async function sendEverything(baseUrl: string, token: string, units: AsyncIterable<BulkEntry>) {
  const { errors, warnings = [] } = await connect({ baseUrl, token }).syncUnits(units);
  return [...errors, ...warnings].map(({ crm_unit_id, code }) => `${crm_unit_id}: ${code}`);
}

/** The units whose tenants are locked out, with what would let them in. */
export async function lockedOut(baseUrl: string, token: string) {
  const found: string[] = [];
  for await (const { crm_unit_id, access } of connect({ baseUrl, token }).units({ state: 'tenant_denied' })) {
    const cures = access.resolution?.map(({ field, to }) => `${field} to ${to}`) ?? [];
    found.push(`${crm_unit_id}: ${cures.join(', ')}`);
  }
  return found;
}

/** A payment. Each call has a key of its own; what fails on the way is sent again under the same one. */
export async function paid(baseUrl: string, token: string, crm_unit_id: string) {
  try {
    const payment = { path: { crm_unit_id }, body: { balance_due: 0 } };
    await connect({ baseUrl, token }).call('PATCH', '/api/v2/units/{crm_unit_id}', payment);
    return 'done';
  } catch (error) {
    if (isServiceError(error) && error.code === 'unit_not_found') return 'no such unit';
    throw error;
  }
}
