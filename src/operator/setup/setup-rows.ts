import { CsvError, parse } from 'csv-parse/sync';
import { ValidateIf } from 'class-validator';
import { isObject } from '../../base/core/is-object.js';
import { type ApiError, invalidField, validationFailed } from '../../http/api-error.js';
import type { FaultCode } from '../../http/field-fault.js';
import { IsName, IsVisibleText, Says } from '../../http/validation/decorators.js';
import { isGiven } from '../../http/validation/presence.js';
import { checkEntry, refuseFields } from '../../http/validation/valid.js';

export const LARGEST_SETUP = 500;
/** Limits work: reading a text blocks the process, and long lines cost more than their share. */
export const LONGEST_CSV = LARGEST_SETUP * 512;

/** A row of a set-up as the API takes it. */
export class SetupRowBody {
  @Says('Name of a unit of the location, or its `crm_unit_id`. A name that several units have is refused.')
  @IsName()
  readonly unit!: string;

  @Says('Name of the zone that the unit shall be in. It is made if there is none. Left out: no zone.')
  @ValidateIf(isGiven)
  @IsName()
  readonly zone?: string;

  @Says(
    'Name of the lock that the unit shall have. It is made if there is none. Left out: the serial number.',
  )
  @ValidateIf(isGiven)
  @IsName()
  readonly lock?: string;

  @Says("The maker's serial number: it says which lock it is. Left out: the name does.")
  @ValidateIf(isGiven)
  @IsVisibleText({ min: 1 })
  readonly serial?: string;
}

/** A row, or the reason for which it cannot be read. */
export type ReadRow = { readonly unit: string } & (
  { readonly wanted: SetupRowBody } | { readonly fault: ApiError }
);

const COLUMNS: readonly string[] = ['unit', 'zone', 'lock', 'serial'];
/** Headings as the dashboard writes them. */
const ALIASES: Readonly<Record<string, string>> = { 'serial number': 'serial' };
const NOTHING_WANTED = 'The zone field is required when neither lock nor serial is given.';

export interface ReadSetup {
  readonly rows: readonly ReadRow[];
  /** True: units that do not exist are made. */
  readonly add_units: boolean;
}

/**
 * Reads the rows of a request, or of its CSV text. A fault of one row is returned as that row.
 * @throws ApiError 422 if the request as a whole is malformed
 */
export function readSetup({
  rows,
  csv,
  add_units = false,
  ...others
}: Readonly<Record<string, unknown>>): ReadSetup {
  refuseFields(others);
  if (typeof add_units !== 'boolean') throw refused('add_units', 'type', 'must be true or false.');
  const isCsv = rows === undefined || rows === null;
  const given = isCsv ? rowsOfCsv(csv) : listed(rows, csv).map(givenRow);
  const name = isCsv ? 'csv' : 'rows';
  if (given.length === 0) throw refused(name, 'too_short', 'must have at least 1 row.');
  if (given.length > LARGEST_SETUP)
    throw refused(name, 'too_long', `must not have more than ${LARGEST_SETUP} rows.`);
  return { rows: given, add_units };
}

function listed(rows: unknown, csv: unknown): readonly unknown[] {
  if (csv !== undefined) throw refused('csv', 'not_allowed', 'is not allowed beside rows.');
  if (!Array.isArray(rows)) throw refused('rows', 'type', 'must be an array.');
  return rows as unknown[];
}

/**
 * Cells end at a tab, a semicolon or a comma. Rows may have another separator than the heading: cells of a spreadsheet are
 * pasted below a typed heading. Cells that bring a heading of their own are read by that one. Empty cells are left out.
 */
function rowsOfCsv(csv: unknown): ReadRow[] {
  if (csv === undefined) throw refused('rows', 'required', 'is required.');
  if (typeof csv !== 'string') throw refused('csv', 'type', 'must be a string.');
  if (csv.length > LONGEST_CSV)
    throw refused('csv', 'too_long', `must not have more than ${LONGEST_CSV} characters.`);
  const [head = '', row = head] = csv.split(/\r?\n/).filter((line) => line.trim() !== '');
  const separator = separatorOf(head, ['\t', ';', ',']);
  const columns = columnsOf(recordsOf(head, separator)[0]);
  if (columns === undefined)
    throw refused('csv', 'format', `must begin with a line that names its columns: ${COLUMNS.join(', ')}.`);
  const [, ...rows] = recordsOf(csv, separatorOf(row, ['\t', separator, ';', ',']));
  const pasted = columnsOf(rows[0]);
  return rows.slice(pasted === undefined ? 0 : 1).map((cells) => rowOfCells(pasted ?? columns, cells));
}

function separatorOf(line: string, choices: readonly string[]): string {
  return choices.find((one) => line.includes(one)) ?? ',';
}

function recordsOf(csv: string, delimiter: string): readonly string[][] {
  try {
    return parse(csv, {
      ...{ bom: true, delimiter, skip_empty_lines: true, trim: true, to: LARGEST_SETUP + 3 },
      relax_column_count: true,
    });
  } catch (error) {
    if (error instanceof CsvError) throw refused('csv', 'format', `cannot be read: ${error.message}.`);
    throw error;
  }
}

function rowOfCells(columns: readonly string[], cells: readonly string[]): ReadRow {
  if (cells.length !== columns.length) {
    const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    const message = `The row has ${count} instead of ${columns.length}.`;
    return { unit: cells[columns.indexOf('unit')] ?? '', fault: invalidField('csv', 'format', message) };
  }
  const named = columns.map((name, index) => [name, cells[index]!] as const);
  return readRow(Object.fromEntries(named.filter(([, cell]) => cell !== '')));
}

/** Undefined for cells that are no heading. */
function columnsOf(head: readonly string[] = []): string[] | undefined {
  const names = head.map((name) => name.toLowerCase()).map((name) => ALIASES[name] ?? name);
  const isKnown = names.every((name) => COLUMNS.includes(name)) && new Set(names).size === names.length;
  return isKnown && names.includes('unit') ? names : undefined;
}

/** A fault in a row names the row's field. If the row is no object, the fault names its index. */
function givenRow(row: unknown, index: number): ReadRow {
  if (isObject(row)) return readRow(row);
  return { unit: '', fault: refused(`rows.${index}`, 'type', 'must be an object.') };
}

function readRow(row: object): ReadRow {
  const faults = checkEntry(SetupRowBody, row, '');
  const { unit, zone, lock, serial } = row as SetupRowBody;
  const named = typeof unit === 'string' ? unit : '';
  if (faults !== undefined) return { unit: named, fault: validationFailed(faults) };
  if (zone === undefined && lock === undefined && serial === undefined)
    return { unit: named, fault: invalidField('zone', 'required', NOTHING_WANTED) };
  return { unit: named, wanted: row as SetupRowBody };
}

function refused(name: string, code: FaultCode, what: string): ApiError {
  return invalidField(name, code, `The ${name.replaceAll('_', ' ')} field ${what}`);
}
