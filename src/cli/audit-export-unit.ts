import type { Environment } from '#kernel/environment/environment.js';
import { unitInExportAsOf } from '#domain/history/index.js';
import { eventsInExport } from '#eventsourcing/proof/exported-events.js';
import { auditVerifyExport } from './audit.js';
import { instantIn, notYetThere, type UnitName, unitNotFound } from './audit-unit.js';
import { type Output, print } from './output.js';

/**
 * Prints a unit as a read at an instant would have answered it, by an export alone. Checks the export first, and tells on standard error what was checked.
 * @param key the public key that must have signed the export; absent: the service's own, if it is here
 */
export async function auditAsOfExport(
  { company, unit }: UnitName,
  { at, file, key }: { readonly at: string; readonly file: string; readonly key: string | undefined },
  environment: Environment,
  output: Output,
): Promise<number> {
  const instant = instantIn(at);
  const { stderr } = output;
  const checked = await auditVerifyExport(file, { key }, environment, { stdout: stderr, stderr });
  if (checked !== 0) return checked;
  const named = { company_id: company, key: unit };
  const found = await unitInExportAsOf(eventsInExport(file), named, instant);
  if (found === 'unknown') throw unitNotFound();
  if (found === 'before') throw notYetThere();
  await print(output, [`${JSON.stringify(found, null, 2)}\n`]);
  return 0;
}
