import type { UnitEvent } from '#domain/units/core/unit.events.js';
import type { FactName } from '#domain/units/core/fact-catalogue.js';
import type { AccessOverride } from '#domain/units/core/override-catalogue.js';
import type { UnitState } from '#domain/units/core/unit.state.js';

export type ChangedValue = string | number | boolean | null | readonly string[];

/** The changes of an event, by the API's field names. Amounts are cents, instants milliseconds. */
export type FieldChanges = Readonly<
  Record<string, { readonly from: ChangedValue; readonly to: ChangedValue }>
>;

type Fields = Readonly<Record<string, ChangedValue>>;

const NO_OVERRIDE: Fields = { override: null, reason: null, expires_at: null };

/** The fields that differ after an event. For a new unit these are all fields of its first event. */
export function changesOf(event: UnitEvent, before: UnitState | undefined, after: UnitState): FieldChanges {
  return before === undefined ? allOf(null, identityOf(after)) : changesSince(before, event, after);
}

function changesSince(before: UnitState, { type }: UnitEvent, after: UnitState): FieldChanges {
  const isOfOverride = type === 'AccessOverridden' || type === 'AccessOverrideCleared';
  return isOfOverride
    ? allOf(overrideOf(before.override), overrideOf(after.override))
    : differences(before, after);
}

function identityOf({ unit_id, crm_unit_id, unit_name, location_id, source_type }: UnitState): Fields {
  return { unit_id, crm_unit_id, unit_name, location_id, source_type };
}

/** All fields of an override are listed, also unchanged ones, because they are read together. */
function overrideOf(override: AccessOverride | null): Fields {
  if (override === null) return NO_OVERRIDE;
  const { reason, expires_at } = override;
  return { override: override.override, reason, expires_at };
}

function allOf(before: Fields | null, after: Fields): FieldChanges {
  const names = Object.entries(after);
  return Object.fromEntries(names.map(([name, to]) => [name, { from: before?.[name] ?? null, to }]));
}

function differences(before: UnitState, after: UnitState): FieldChanges {
  const changes: Record<string, { from: ChangedValue; to: ChangedValue }> = {};
  const compare = (name: string, from: ChangedValue, to: ChangedValue): void => {
    if (from !== to) changes[name] = { from, to };
  };
  compare('unit_name', before.unit_name, after.unit_name);
  compare('tenant_id', before.tenancy?.tenant_id ?? null, after.tenancy?.tenant_id ?? null);
  for (const name of Object.keys(after.facts) as FactName[]) {
    compare(name, before.facts[name], after.facts[name]);
  }
  // `evolve` keeps the same list object if no share began or ended.
  compare('shared_with', before.shares, after.shares);
  compare('round_the_clock', before.round_the_clock, after.round_the_clock);
  compare('retired', before.retired, after.retired);
  return changes;
}
