import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BulkEntry } from 'storage-access-client';
import { addDays } from './calendar.js';

/** A unit of the invented facility. Its dates are relative to today. */
interface FacilityUnit {
  readonly crm_unit_id: string;
  readonly unit_name: string;
  readonly tenant?: {
    readonly pms_tenant_id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly phone: string;
  };
  readonly moved_in_days_ago?: number;
  readonly paid_through_in_days?: number;
  readonly balance_due?: number;
  readonly pms_auction?: true;
  readonly pms_unrentable?: true;
  readonly pms_lockout?: true;
  readonly pms_lock_exempt?: true;
  readonly pms_status_raw: string;
}

const FILE = join(__dirname, 'facility.ndjson');

/** The facility's 500 units. */
export function readFacility(): FacilityUnit[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FacilityUnit);
}

/** The unit as a PMS sends it on a day. */
export function toBulkEntry(unit: FacilityUnit, pms_location_code: string, today: string): BulkEntry {
  const { moved_in_days_ago, paid_through_in_days, tenant, ...rest } = unit;
  const placed = { ...rest, pms_location_code, occupied: tenant !== undefined };
  if (tenant === undefined) return placed;
  return {
    ...placed,
    tenant,
    ledger_id: `L-${unit.crm_unit_id}`,
    move_in_date: addDays(today, -(moved_in_days_ago ?? 0)),
    paid_through_date: addDays(today, paid_through_in_days ?? 0),
  };
}
