import type { AccessState } from '../../../src/access/index.js';
import type { TenantAccessDocument } from '../../../src/access/tenant-access/tenant-access.documents.js';
import { rowsToWrite } from '../../../src/access/unit-access/unit-access.rows.js';
import { unit } from '../support/subjects.js';

/** A tenant's document in which each unit stands at a revision, with a state. */
function documentOf(
  version: number,
  units: Readonly<Record<string, readonly [number, AccessState]>>,
): TenantAccessDocument {
  return {
    _id: 'tenant',
    version,
    company_id: 'company',
    location_id: 'location',
    policy_revision: 0,
    valid_until: null,
    units: Object.entries(units).map(([unit_id, [revision, state]]) => ({
      unit_id,
      stream: `unit-${unit_id}`,
      revision,
      relationship: 'primary',
      tenancy_id: `tenancy-${unit_id}`,
      subject: unit({}, { unit_id }),
      decision: { state, reason: null, valid_until: null },
    })),
  };
}

/** Ids of the rows after a unit was brought by its events from revision `since` on. */
function idsOf(known: TenantAccessDocument, next: TenantAccessDocument, unit_id: string, since: number) {
  const unit = next.units.find((one) => one.unit_id === unit_id)!;
  const writes = rowsToWrite(known, next, [{ unit, since }]);
  return writes.map((write) => (write.kind === 'delete' ? write.id : write.document._id));
}

describe('the rows that a tenant’s new document calls for', () => {
  const before = documentOf(1, { a: [3, 'tenant_permitted'], b: [5, 'tenant_permitted'] });
  const denied = documentOf(2, { a: [4, 'tenant_denied'], b: [5, 'tenant_denied'] });

  it('are those of the unit that was brought and of the siblings whose state it changed', () => {
    expect(idsOf(before, denied, 'a', 4)).toEqual(['a', 'b']);
  });

  it('are none where the unit’s change changed no state', () => {
    const paid = documentOf(2, { a: [4, 'tenant_permitted'], b: [5, 'tenant_permitted'] });
    expect(idsOf(before, paid, 'a', 4)).toEqual([]);
  });

  it('are all again where the unit is brought again: its first bringing may have ended before any was written', () => {
    const again = documentOf(3, { a: [4, 'tenant_denied'], b: [5, 'tenant_denied'] });
    expect(idsOf(denied, again, 'a', 4)).toEqual(['a', 'b']);
  });

  it('are all where more is brought than the one event that follows: nobody may have written the rows of the others', () => {
    const more = documentOf(3, { a: [5, 'tenant_denied'], b: [5, 'tenant_denied'] });
    expect(idsOf(denied, more, 'a', 5)).toEqual([]);
    expect(idsOf(denied, more, 'a', 4)).toEqual(['a', 'b']);
    expect(idsOf(before, documentOf(3, { a: [5, 'tenant_permitted'] }), 'a', 4)).toEqual(['a']);
    expect(idsOf(before, documentOf(3, { a: [5, 'tenant_permitted'] }), 'a', 5)).toEqual(['a']);
  });
});
