import type { PassCommand, WantedUnit } from '#domain/passes/core/pass.decide.js';
import type { PassEvent, PassEvents } from '#domain/passes/core/pass.events.js';
import { VACANT_FACTS } from '#domain/units/core/fact-catalogue.js';

export const NOW = 1_000_000;
export const DAY = 24 * 60 * 60_000;
const PLACE = { pass_id: 'pass', company_id: 'company', location_id: 'main' } as const;

/** A vacant unit at revision 4. */
export function vacant(unit_id: string, rest: Partial<WantedUnit> = {}): WantedUnit {
  return { unit_id, revision: 4, last_let: 2, retired: false, facts: VACANT_FACTS, ...rest };
}

export function rented(unit_id: string, rest: Partial<WantedUnit> = {}): WantedUnit {
  return vacant(unit_id, { revision: 7, last_let: 7, facts: { ...VACANT_FACTS, occupied: true }, ...rest });
}

export function issuePass(rest: Partial<Extract<PassCommand, { type: 'IssuePass' }>> = {}): PassCommand {
  return {
    type: 'IssuePass',
    ...PLACE,
    tenant_id: 'vic',
    entry_point_ids: ['gate'],
    units: [],
    from: null,
    until: NOW + DAY,
    hours: null,
    reason: 'vendor',
    ...rest,
  };
}

export function issued(rest: Partial<PassEvents['PassIssued']> = {}): PassEvent {
  return {
    type: 'PassIssued',
    data: {
      ...PLACE,
      tenant_id: 'vic',
      entry_point_ids: ['gate'],
      units: [],
      from: NOW,
      until: NOW + DAY,
      hours: null,
      reason: 'vendor',
      at: NOW,
      ...rest,
    },
  };
}

export function changed(rest: Partial<PassEvents['PassChanged']>): PassEvent {
  return { type: 'PassChanged', data: { ...PLACE, at: NOW, ...rest } };
}

export function ended(rest: Partial<PassEvents['PassEnded']> = {}): PassEvent {
  return { type: 'PassEnded', data: { ...PLACE, cause: 'requested', at: NOW, ...rest } };
}
