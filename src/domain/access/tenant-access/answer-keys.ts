import { sharesZone } from '#domain/locations/index.js';
import type { KeyGrant, KeyIssue, KeyIssuer } from '#domain/locks/index.js';
import { isOpen } from '../core/policy.js';
import type { ShownEntryPoint } from './entry-point.answer.js';
import type { ShownKey } from './granted-key.js';
import { keysIn, passKeyRecords } from './pass.answer.js';
import type { GrantedAccess, ShownUnit, TenantAccess } from './tenant-access.shapes.js';

/** The grants of all keys of an answer. */
export function grantsIn({
  units,
  entry_points,
  passes,
}: Pick<GrantedAccess, 'units' | 'entry_points' | 'passes'>): KeyGrant[] {
  const locked = [...units.flatMap(({ locks }) => locks), ...entry_points];
  const keys = locked.flatMap(({ key }) => key ?? []);
  const next = entry_points.flatMap(({ next_key }) => next_key?.key ?? []);
  return [...keys, ...next, ...passes.flatMap(keysIn)];
}

/** The records of an answer's keys, each with the units that it was issued for. */
export function recordsOfKeys({ units, entry_points, passes }: GrantedAccess): KeyIssue[] {
  const openUnits = units.filter(isOpen);
  return [
    ...units.flatMap(recordsOfUnit),
    ...entry_points.flatMap((entry_point) => recordsOfEntryPoint(entry_point, openUnits)),
    ...passes.flatMap(passKeyRecords),
  ];
}

function recordsOfUnit({ unit_id, locks }: ShownUnit<KeyGrant>): KeyIssue[] {
  return locks.flatMap(({ key }) => (key === undefined ? [] : [recordOf(key, [unit_id])]));
}

function recordsOfEntryPoint(
  { key, next_key, zones }: ShownEntryPoint<KeyGrant>,
  openUnits: readonly ShownUnit<KeyGrant>[],
): KeyIssue[] {
  const keys = [key ?? [], next_key?.key ?? []].flat();
  const served = openUnits.filter((unit) => sharesZone(unit.zones, zones));
  const unit_ids = served.map(({ unit_id }) => unit_id);
  return keys.map((one) => recordOf(one, unit_ids));
}

function recordOf(
  { lock_id, tenant_id, expires_at, valid_from }: KeyGrant,
  unit_ids: readonly string[],
): KeyIssue {
  const begins = valid_from === null ? {} : { valid_from };
  return { lock_id, tenant_id, expires_at, ...begins, unit_ids };
}

/** Replaces each grant by the key that is made from it. */
export function issueKeys(answer: GrantedAccess, issuer: KeyIssuer): TenantAccess {
  const { units, entry_points, passes } = answer;
  const withKey = <Shown extends Partial<ShownKey<KeyGrant>>>(shown: Shown) =>
    ({ ...shown, ...(shown.key && { key: issuer.issue(shown.key) }) }) as Omit<Shown, 'key'> & {
      key?: string;
    };
  return {
    ...answer,
    units: units.map((unit) => ({ ...unit, locks: unit.locks.map(withKey) })),
    entry_points: entry_points.map(({ next_key, ...shown }) => ({
      ...withKey(shown),
      ...(next_key && { next_key: { ...next_key, key: issuer.issue(next_key.key) } }),
    })),
    passes: passes.map((pass) => ({
      ...pass,
      entry_points: pass.entry_points.map(withKey),
      units: pass.units.map((unit) => ({ ...unit, locks: unit.locks.map(withKey) })),
    })),
  };
}
