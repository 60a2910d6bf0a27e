import type { Environment } from '#kernel/environment/environment.js';
import { everyPage } from '#eventsourcing/documents/pages.js';
import { UnitHistory } from '#domain/history/index.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { UnitDirectory, type UnitDocument, unitStream } from '#domain/units/index.js';
import { CommandError, jsonLine, type Output, print, UsageError } from './output.js';
import { withService } from './with-service.js';

/** `unit` is a `crm_unit_id`, or `ulid:` with the service's `unit_id`. */
export interface UnitName {
  readonly company: string;
  readonly unit: string;
}

const PAGE = 500;

/** Prints a unit's history, oldest first, each entry a line of JSON. */
export async function auditHistory(
  name: UnitName,
  environment: Environment,
  output: Output,
): Promise<number> {
  await withUnit(name, environment, async (unit, history) => {
    for await (const { entries } of everyPage((cursor) => history.page(unit, { limit: PAGE, cursor }))) {
      await print(output, entries.map(jsonLine));
    }
  });
  return 0;
}

/** Prints a unit as a read at an instant would have answered it, as JSON. */
export async function auditAsOf(
  name: UnitName,
  at: string,
  environment: Environment,
  output: Output,
): Promise<number> {
  const instant = instantIn(at);
  await withUnit(name, environment, async (unit, history) => {
    const found = await history.asOf(unit, instant);
    if (found === undefined) throw notYetThere();
    await print(output, [`${JSON.stringify(found, null, 2)}\n`]);
  });
  return 0;
}

/** @throws UsageError */
export function instantIn(at: string): number {
  const instant = parseTimestamp(at);
  if (instant !== undefined) return instant;
  throw new UsageError('--at must be a timestamp such as 2026-06-06T09:00:00Z.');
}

export function notYetThere(): CommandError {
  return new CommandError('Unit not found: it did not exist at that instant.');
}

/** The stream of a unit. Only a name with `ulid:` needs the views. */
export async function streamOf(name: UnitName, environment: Environment): Promise<string> {
  if (!name.unit.startsWith('ulid:')) return unitStream(name.company, name.unit);
  let stream = '';
  await withUnit(name, environment, (unit) => {
    stream = unit._id;
    return Promise.resolve();
  });
  return stream;
}

async function withUnit(
  { company, unit }: UnitName,
  environment: Environment,
  work: (unit: UnitDocument, history: UnitHistory) => Promise<void>,
): Promise<void> {
  await withService(environment, async (context) => {
    const found = await context.get(UnitDirectory, { strict: false }).everByPathKey(company, unit);
    if (found === undefined) throw unitNotFound();
    await work(found, context.get(UnitHistory, { strict: false }));
  });
}

export function unitNotFound(): CommandError {
  return new CommandError('Unit not found.');
}
