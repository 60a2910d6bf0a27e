import { CsvError, parse } from 'csv-parse/sync';
import { IsBoolean, ValidateIf } from 'class-validator';
import { isObject } from '#kernel/core/is-object.js';
import { type ApiError, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import type { FaultCode } from '#kernel/errors/field-fault.js';
import { IsName, IsVisibleText, Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { checkEntry, refuseFields } from '#web/validation/check.js';

export const LARGEST_SETUP = 500;
/** Limits work: reading a text blocks the process, and long lines cost more than their share. */
export const LONGEST_CSV = LARGEST_SETUP * 512;
/** Two headings, the rows, and one row more, so that too many are noticed. */
const MOST_LINES_READ = 2 + LARGEST_SETUP + 1;

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

  @Says(
    'True: the people of the unit shall pass gates at any hour; the unit must be occupied. False: they shall not. Left out: it stays.',
  )
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly round_the_clock?: boolean;
}

/** A row, or the reason for which it cannot be read. */
export type ReadRow = { readonly unit: string } & (
  { readonly wanted: SetupRowBody } | { readonly fault: ApiError }
);

const COLUMNS: readonly string[] = ['unit', 'zone', 'lock', 'serial', 'round_the_clock'];
/** Headings as the dashboard writes them. */
const ALIASES: Readonly<Record<string, string>> = {
  'serial number': 'serial',
  'round the clock': 'round_the_clock',
};
/** Words of a cell that says yes or no. Another text is refused by the row. */
const FLAGS: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false };
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

/** Cells of a spreadsheet may be pasted below a typed heading. If they bring a heading of their own, it counts. */
function rowsOfCsv(csv: unknown): ReadRow[] {
  if (csv === undefined) throw refused('rows', 'required', 'is required.');
  if (typeof csv !== 'string') throw refused('csv', 'type', 'must be a string.');
  if (csv.length > LONGEST_CSV)
    throw refused('csv', 'too_long', `must not have more than ${LONGEST_CSV} characters.`);
  const [head = '', first = head] = linesOf(csv);
  const heading = headingOf(head);
  const rows = cellsBelow(heading, first, csv);
  const pasted = columnsOf(rows[0]);
  return pasted === undefined
    ? rows.map((cells) => rowOfCells(heading.columns, cells))
    : rows.slice(1).map((cells) => rowOfCells(pasted, cells));
}

/** The first line of a text. */
interface Heading {
  readonly columns: readonly string[];
  readonly separator: string;
}

/** @throws ApiError 422 */
function headingOf(line: string): Heading {
  const separator = separatorOf(line, ['\t', ';', ',']);
  const columns = columnsOf(recordsOf(line, separator)[0]);
  if (columns === undefined)
    throw refused('csv', 'format', `must begin with a line that names its columns: ${COLUMNS.join(', ')}.`);
  return { columns, separator };
}

/** The lines below the heading, cut into cells. They may have another separator than the heading: `first` is one of them. */
function cellsBelow({ separator }: Heading, first: string, csv: string): readonly string[][] {
  const [, ...rows] = recordsOf(csv, separatorOf(first, ['\t', separator, ';', ',']));
  return rows;
}

function linesOf(csv: string): string[] {
  return csv.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function separatorOf(line: string, choices: readonly string[]): string {
  return choices.find((one) => line.includes(one)) ?? ',';
}

function recordsOf(csv: string, delimiter: string): readonly string[][] {
  try {
    return parse(csv, {
      bom: true,
      delimiter,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      to: MOST_LINES_READ,
    });
  } catch (error) {
    if (error instanceof CsvError) throw refused('csv', 'format', `cannot be read: ${error.message}.`);
    throw error;
  }
}

/** Empty cells are left out. */
function rowOfCells(columns: readonly string[], cells: readonly string[]): ReadRow {
  if (cells.length !== columns.length) {
    const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    const message = `The row has ${count} instead of ${columns.length}.`;
    return { unit: cells[columns.indexOf('unit')] ?? '', fault: invalidField('csv', 'format', message) };
  }
  const named = columns
    .map((name, index) => [name, cells[index]!] as const)
    .filter(([, cell]) => cell !== '');
  const values = named.map(
    ([name, cell]) => [name, name === 'round_the_clock' ? flagOf(cell) : cell] as const,
  );
  return readRow(Object.fromEntries(values));
}

function flagOf(cell: string): boolean | string {
  return FLAGS[cell.toLowerCase()] ?? cell;
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
  const { unit, zone, lock, serial, round_the_clock } = row as SetupRowBody;
  const named = typeof unit === 'string' ? unit : '';
  if (faults !== undefined) return { unit: named, fault: validationFailed(faults) };
  const wanted = [zone, lock, serial, round_the_clock];
  if (wanted.every((one) => one === undefined))
    return { unit: named, fault: invalidField('zone', 'required', NOTHING_WANTED) };
  return { unit: named, wanted: row as SetupRowBody };
}

function refused(name: string, code: FaultCode, what: string): ApiError {
  return invalidField(name, code, `The ${name.replaceAll('_', ' ')} field ${what}`);
}
