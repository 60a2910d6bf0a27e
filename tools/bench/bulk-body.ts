/** Units in one bulk: the maximum. */
export const BULK_SIZE = 500;

const OCCUPIED_OF_TEN = 8;
export const MOVED_IN = '2025-11-01';
export const PAID_THROUGH = '2027-01-31';

/**
 * The body of a nightly bulk: most units are rented, and each has a tenant with details and facts.
 * @param prefix of the identifiers of units and tenants
 * @param balance of every rented unit, in dollars
 */
export function bulkBody(prefix: string, balance: number): string {
  const units = Array.from({ length: BULK_SIZE }, (_, place) => entry(`${prefix}-${place}`, place, balance));
  return JSON.stringify({ units });
}

function entry(crm_unit_id: string, place: number, balance: number): object {
  const unit_name = `Unit ${place}`;
  if (place % 10 >= OCCUPIED_OF_TEN) {
    return { crm_unit_id, unit_name, occupied: false, pms_unrentable: balance % 2 === 1 };
  }
  return {
    crm_unit_id,
    unit_name,
    occupied: true,
    tenant: {
      pms_tenant_id: `T-${crm_unit_id}`,
      first_name: 'Pat',
      last_name: `Example ${place}`,
      email: `pat.${crm_unit_id}@example.com`,
    },
    ledger_id: `L-${crm_unit_id}`,
    move_in_date: MOVED_IN,
    balance_due: balance,
    paid_through_date: PAID_THROUGH,
    pms_status_raw: 'Current',
  };
}
