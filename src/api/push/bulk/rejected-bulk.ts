import type { RejectedBulk } from '#domain/companies/index.js';
import type { ApiError } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { planOf } from '#web/validation/dto-plan.js';
import { identifierRule } from '#web/validation/rules.js';
import { BulkEntry, BulkOptions, TenantBody } from '../unit.dto.js';
import type { BulkResult, EntryError } from '../unit-write.schemas.js';

type Rejection = Omit<RejectedBulk, 'at'>;
type Reason = Rejection['reasons'][number];

const REASONS = 5;
const UNITS_PER_REASON = 3;
/** The path of a row: `units.3`, with a dot before a field. */
const ROW = /^units\.(\d+)\.?/;

const FIELDS: ReadonlySet<string> = new Set([
  'units',
  ...planOf(BulkOptions).names,
  ...planOf(BulkEntry).names,
  ...[...planOf(TenantBody).names].map((name) => `tenant.${name}`),
]);

/** Why rows of a bulk were rejected. */
export function rejectionOf({ total, errors }: BulkResult): Rejection {
  return { total, error_count: errors.length, refused: false, reasons: reasonsOf(errors) };
}

/** Why a bulk was refused as a whole. */
export function refusalOf({ units }: Readonly<Record<string, unknown>>, error: ApiError): Rejection {
  const rows: readonly unknown[] = Array.isArray(units) ? units : [];
  const errors = (error.details ?? []).map((fault) => {
    const row = rows[Number(ROW.exec(fault.field)?.[1])] as { crm_unit_id?: unknown } | null | undefined;
    return { ...error, crm_unit_id: row?.crm_unit_id, details: [fault] };
  });
  return { total: rows.length, error_count: rows.length, refused: true, reasons: reasonsOf(errors) };
}

type Rejected = Pick<EntryError, 'code' | 'details'> & {
  readonly crm_unit_id: unknown;
  readonly error?: string;
};

function reasonsOf(errors: readonly Rejected[]): readonly Reason[] {
  const reasons = new Map<string, Reason>();
  for (const { crm_unit_id, code, error = '', details } of errors) {
    for (const reason of details?.map(reasonOf) ?? [{ code, field: null, message: error }]) {
      const key = `${reason.code} ${reason.field} ${reason.message}`;
      const before = reasons.get(key);
      if (before === undefined && reasons.size >= REASONS) continue;
      reasons.set(key, withRow(before ?? { ...reason, rows: 0, crm_unit_ids: [] }, crm_unit_id));
    }
  }
  return [...reasons.values()];
}

function withRow(reason: Reason, crm_unit_id: unknown): Reason {
  const { rows, crm_unit_ids: named } = reason;
  const isNamed = named.length < UNITS_PER_REASON && identifierRule(crm_unit_id) === undefined;
  return {
    ...reason,
    rows: rows + 1,
    crm_unit_ids: isNamed ? [...named, crm_unit_id as string] : named,
  };
}

/** A field that a PMS made up is not named. */
function reasonOf({ code, field: path, message }: FieldFault): Pick<Reason, 'code' | 'field' | 'message'> {
  const field = path.replace(ROW, '');
  if (field === '') return { code, field: null, message: message.replace(`${path} field`, 'row') };
  if (!FIELDS.has(field)) return { code, field: null, message: 'A field is unknown.' };
  return { code, field, message };
}
