import type { DocumentWrite } from '../../documents/document-store.js';
import type { UnitChange } from '../../units/index.js';
import type { AccessState } from '../core/decision.js';
import { rented, type TenantUnit } from '../core/tenant-units.js';
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

/** A unit as events have left it that are brought to its tenants' documents. */
export interface BroughtUnit {
  readonly unit: TenantUnit;
  /** The revision of the first of these events. */
  readonly since: number;
}

/**
 * The rows that a tenant's new document calls for: of the units whose state differs from the document before. All of
 * them where that document may not be what the rows show: where nothing was brought (by a sweep or a change of policy),
 * and where more was brought than the one event that follows it. Events that stand in it (brought by the catch-up, or
 * after an interrupted write) may have called for rows that were never written, those of the other units included, and
 * events between may have had rows written that the document never knew of.
 */
export function rowsToWrite(
  known: TenantAccessDocument | undefined,
  document: TenantAccessDocument,
  brought: readonly BroughtUnit[],
): DocumentWrite[] {
  const standing = new Map((known?.units ?? []).map(({ unit_id, revision }) => [unit_id, revision]));
  const before = new Map(rented(known?.units ?? []).map((unit) => [unit.unit_id, unit.decision.state]));
  const isNext = ({ unit, since }: BroughtUnit) => {
    const stood = standing.get(unit.unit_id);
    return stood === undefined || (stood === since - 1 && unit.revision === since);
  };
  const mayLackRows = brought.length === 0 || !brought.every(isNext);
  const { company_id, location_id, version } = document;
  return rented(document.units)
    .filter(({ unit_id, decision }) => mayLackRows || before.get(unit_id) !== decision.state)
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
