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
 * The rows that a tenant's new document calls for: those whose state it changed. An entry that was there already at
 * this revision is one that an interrupted write, or the catch-up, brings again: its row may never have been written.
 */
export function rowsToWrite(
  known: TenantAccessDocument | undefined,
  document: TenantAccessDocument,
): DocumentWrite[] {
  const before = new Map(rented(known?.units ?? []).map((unit) => [unit.unit_id, unit]));
  const { company_id, location_id, version } = document;
  return rented(document.units)
    .filter((unit) => !hasRowAlready(before.get(unit.unit_id), unit))
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

function hasRowAlready(before: RentedUnit | undefined, unit: RentedUnit): boolean {
  return (
    before !== undefined && before.revision < unit.revision && before.decision.state === unit.decision.state
  );
}
