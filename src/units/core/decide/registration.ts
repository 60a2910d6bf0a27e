import type { Registration, UnitRefusal } from '../unit.commands.js';
import type { UnitDraft } from '../unit.draft.js';
import type { SourceType } from '../unit.facts.js';
import type { UnitState } from '../unit.state.js';

/** A unit is created at a known location, or not at all. */
export function refuseRegistration({ location }: Registration): UnitRefusal | undefined {
  switch (location.kind) {
    // Stryker disable next-line StringLiteral: what is no case has the same answer
    case 'known':
      return undefined;
    case 'unknown':
      return { code: 'location_unknown' };
    case 'none':
      return { code: 'location_required' };
    case 'nowhere':
      return { code: 'location_missing' };
  }
}

/**
 * Creates the unit, or warns of what an existing one keeps (specification §2.1: used when a unit is created). One that was
 * retired comes back.
 */
export function register(draft: UnitDraft, registration: Registration, source_type: SourceType): UnitState {
  const { company_id, crm_unit_id, unit_id, unit_name, location } = registration;
  const existing = draft.state;
  if (existing === undefined) {
    // Stryker disable next-line ConditionalExpression,StringLiteral: never comes to it, who asks has refused it
    if (location.kind !== 'known') throw new Error('A registration without a location was not refused.');
    const { location_id } = location;
    const name = unit_name ?? crm_unit_id;
    const data = { company_id, location_id, unit_id, crm_unit_id, unit_name: name, source_type };
    return draft.emit({ type: 'UnitRegistered', data });
  }
  if (differs(location, existing)) draft.warnings.push('location_ignored');
  if (unit_name !== undefined && unit_name !== existing.unit_name) draft.warnings.push('unit_name_ignored');
  if (!existing.retired) return existing;
  draft.warnings.push('unit_revived');
  return draft.emit({ type: 'UnitRevived', data: {} });
}

/** An inferred location says nothing about a unit that stands elsewhere. */
function differs(location: Registration['location'], { location_id }: UnitState): boolean {
  if (location.kind === 'known') return location.given && location.location_id !== location_id;
  return location.kind === 'unknown';
}
