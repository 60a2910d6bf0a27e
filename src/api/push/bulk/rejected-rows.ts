import {
  joinReasons,
  type RejectedAtSite,
  type RejectedBulk,
  type RejectionReason,
} from '#domain/companies/index.js';
import type { ApiError } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { planOf } from '#web/validation/dto-plan.js';
import { identifierRule } from '#web/validation/rules.js';
import { BulkEntry, BulkOptions, TenantBody } from '../unit.dto.js';
import type { BulkResult, EntryError } from '../unit-write.schemas.js';

/** The path of a row: `units.3`, with a dot before a field. */
const ROW = /^units\.(\d+)\.?/;

const FIELDS: ReadonlySet<string> = new Set([
  'units',
  ...planOf(BulkOptions).names,
  ...planOf(BulkEntry).names,
  ...[...planOf(TenantBody).names].map((name) => `tenant.${name}`),
]);

/** What the place of a row is judged by. A value that breaks its rule is left out. */
export interface BulkRow {
  readonly crm_unit_id: string | undefined;
  /** Undefined if the row has none, null if its value is no text. */
  readonly pms_location_code: string | null | undefined;
}

/** The rows of a bulk, and the errors of those that were rejected. */
export interface RejectedRows {
  readonly rows: readonly BulkRow[];
  /** True: none of the rows was written. */
  readonly refused: boolean;
  readonly errors: readonly RowError[];
}

interface RowError extends Pick<EntryError, 'code' | 'details'> {
  /** Index in `rows`. Undefined if the request as a whole is at fault. */
  readonly row: number | undefined;
  readonly error?: string;
}

/** A bulk of which some rows were rejected. */
export function rejectedRows(body: Readonly<Record<string, unknown>>, { errors }: BulkResult): RejectedRows {
  const rows = rowsOf(body);
  const indices = new Map(rows.map(({ crm_unit_id }, index) => [crm_unit_id, index]));
  const placed = errors.map((error) => ({
    ...error,
    row: rowIn(error.details?.[0]) ?? indices.get(error.crm_unit_id),
  }));
  return { rows, refused: false, errors: placed };
}

/** A bulk that was refused as a whole. */
export function refusedRows(body: Readonly<Record<string, unknown>>, error: ApiError): RejectedRows {
  const { code, message, details = [] } = error;
  const errors = details.map((fault) => ({ code, error: message, details: [fault], row: rowIn(fault) }));
  return { rows: rowsOf(body), refused: true, errors };
}

/** The summary of all rows. */
export function rejectionOf({ rows, refused, errors }: RejectedRows): Omit<RejectedBulk, 'at'> {
  const error_count = refused ? rows.length : errors.length;
  return { total: rows.length, error_count, refused, reasons: reasonsOf(errors, rows) };
}

/**
 * The summary of the rows of each location that has rejected ones. Rows of an unknown location count nowhere.
 * @param places the location of each row, if it is known
 */
export function rejectionsAtSites(
  { rows, refused, errors }: RejectedRows,
  places: readonly (string | undefined)[],
): RejectedAtSite[] {
  const totals = new Map<string, number>();
  for (const place of places) if (place !== undefined) totals.set(place, (totals.get(place) ?? 0) + 1);
  const errorsAt = new Map<string, RowError[]>();
  for (const error of errors) {
    const place = error.row === undefined ? undefined : places[error.row];
    if (place === undefined) continue;
    const others = errorsAt.get(place);
    if (others === undefined) errorsAt.set(place, [error]);
    else others.push(error);
  }
  const rejected = refused ? [...totals.keys()] : [...errorsAt.keys()];
  return rejected.map((location_id) => {
    const total = totals.get(location_id)!;
    const here = errorsAt.get(location_id) ?? [];
    const error_count = refused ? total : here.length;
    return { location_id, total, error_count, refused, reasons: reasonsOf(here, rows) };
  });
}

function rowsOf({ units }: Readonly<Record<string, unknown>>): BulkRow[] {
  return Array.isArray(units) ? units.map(rowOf) : [];
}

function rowOf(row: unknown): BulkRow {
  const { crm_unit_id, pms_location_code: code } = (row ?? {}) as Readonly<Record<string, unknown>>;
  return {
    crm_unit_id: identifierRule(crm_unit_id) === undefined ? (crm_unit_id as string) : undefined,
    pms_location_code: code === undefined || typeof code === 'string' ? code : null,
  };
}

function rowIn(fault: FieldFault | undefined): number | undefined {
  const index = fault === undefined ? undefined : ROW.exec(fault.field)?.[1];
  return index === undefined ? undefined : Number(index);
}

function reasonsOf(errors: readonly RowError[], rows: readonly BulkRow[]): readonly RejectionReason[] {
  return joinReasons(
    errors.flatMap(({ row, code, error = '', details }) => {
      const crm_unit_id = row === undefined ? undefined : rows[row]?.crm_unit_id;
      const crm_unit_ids = crm_unit_id === undefined ? [] : [crm_unit_id];
      const reasons = details?.map(reasonOf) ?? [{ code, field: null, message: error }];
      return reasons.map((reason) => ({ ...reason, rows: 1, crm_unit_ids }));
    }),
  );
}

/** A field that a PMS made up is not named. */
function reasonOf({
  code,
  field: path,
  message,
}: FieldFault): Pick<RejectionReason, 'code' | 'field' | 'message'> {
  const field = path.replace(ROW, '');
  if (field === '') return { code, field: null, message: message.replace(`${path} field`, 'row') };
  if (!FIELDS.has(field)) return { code, field: null, message: 'A field is unknown.' };
  return { code, field, message };
}
