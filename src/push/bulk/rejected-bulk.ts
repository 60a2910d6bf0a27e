import type { RejectedBulk } from '../../companies/index.js';
import { planOf } from '../../http/validation/dto-plan.js';
import { BulkEntry, TenantBody } from '../unit.dto.js';
import type { BulkResult } from './bulk-sync.js';

const REASONS = 5;
/** The path of a row: `units.3`, with a dot before a field. */
const ROW = /^units\.\d+\.?/;

const FIELDS: ReadonlySet<string> = new Set([
  ...planOf(BulkEntry).names,
  ...[...planOf(TenantBody).names].map((name) => `tenant.${name}`),
]);

/** The first reasons for rejected rows, each once. They name no value, and no field that a PMS made up. */
export function rejectionOf({ total, errors }: BulkResult): Omit<RejectedBulk, 'at'> {
  const reasons = new Map<string, RejectedBulk['reasons'][number]>();
  for (const { code, details } of errors) {
    if (reasons.size >= REASONS) break;
    for (const reason of details?.map(reasonOf) ?? [{ code, field: null }])
      reasons.set(`${reason.code} ${reason.field}`, reason);
  }
  return { total, error_count: errors.length, reasons: [...reasons.values()].slice(0, REASONS) };
}

function reasonOf({ code, field: path }: { readonly code: string; readonly field: string }) {
  const field = path.replace(ROW, '');
  return { code, field: FIELDS.has(field) ? field : null };
}
