import type { DocumentWrite } from '../../documents/document-store.js';
import type { UnitChange } from '../../units/index.js';
import type { AccessState } from '../core/decision.js';
import { type RentedUnit, rented } from '../core/tenant-units.js';
import type { TenantAccessDocument } from '../tenant-access/tenant-access.documents.js';
import { rowRevision, UNIT_ACCESS, type UnitAccessDocument } from './unit-access.documents.js';

function put(document: UnitAccessDocument): DocumentWrite {
  return { kind: 'put_if_newer', collection: UNIT_ACCESS.name, document };
}

/** The row of a unit that nobody rents. */
export function rowOf({ stream, after }: UnitChange, state: AccessState): DocumentWrite {
  const { company_id, location_id, unit_id, revision } = after.state;
  return put({
    _id: unit_id,
    revision: rowRevision(revision, 0),
    company_id,
    location_id,
    unit_id,
    stream,
    state,
  });
}

/**
 * The rows that a tenant's new document calls for: of the units that were brought, unless the document shows that this
 * very change has not changed their state; of the others where their state differs. A unit that is brought again at the
 * revision that stands (by the catch-up, or after an interrupted write) may have a row that was never written, and so may
 * the other units, whose state it may have changed then; likewise every unit where nothing was brought (by a sweep or a
 * change of policy).
 */
export function rowsToWrite(
  known: TenantAccessDocument | undefined,
  document: TenantAccessDocument,
  update: { readonly changed: readonly { readonly unit_id: string; readonly revision: number }[] },
): DocumentWrite[] {
  const standing = new Map((known?.units ?? []).map(({ unit_id, revision }) => [unit_id, revision]));
  const before = new Map(rented(known?.units ?? []).map((unit) => [unit.unit_id, unit]));
  const brought = new Set(update.changed.map(({ unit_id }) => unit_id));
  const isAgain = update.changed.some(({ unit_id, revision }) => (standing.get(unit_id) ?? -1) >= revision);
  const { company_id, location_id, version } = document;
  return rented(document.units)
    .filter((unit) => {
      const mayLackRow = brought.size === 0 || isAgain || brought.has(unit.unit_id);
      return !hasRow(before.get(unit.unit_id), unit, mayLackRow);
    })
    .map(({ unit_id, stream, revision, decision: { state } }) =>
      put({
        _id: unit_id,
        revision: rowRevision(revision, version),
        company_id,
        location_id,
        unit_id,
        stream,
        state,
      }),
    );
}

function hasRow(before: RentedUnit | undefined, unit: RentedUnit, mayLackRow: boolean): boolean {
  if (before === undefined || before.decision.state !== unit.decision.state) return false;
  return !mayLackRow || before.revision < unit.revision;
}
