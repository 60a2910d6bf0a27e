import type { UnitEvent } from '#domain/units/core/unit.events.js';
import type { FactName } from '#domain/units/core/fact-catalogue.js';
import type { AccessOverride } from '#domain/units/core/override-catalogue.js';
import { openOffers } from '#domain/units/core/offers.js';
import { shareOf, sharesInForce } from '#domain/units/core/shares.js';
import type { UnitState } from '#domain/units/core/unit.state.js';

export type ChangedValue = string | number | boolean | null | readonly string[];

/** The changes of an event, by the API's field names. Amounts are cents, instants milliseconds. */
export type FieldChanges = Readonly<
  Record<string, { readonly from: ChangedValue; readonly to: ChangedValue }>
>;

type Fields = Readonly<Record<string, ChangedValue>>;

const NO_OVERRIDE: Fields = { override: null, reason: null, expires_at: null };

/**
 * The fields that differ after an event. For a new unit these are all fields of its first event.
 * @param at the instant of the event, in milliseconds
 */
export function changesOf(
  event: UnitEvent,
  before: UnitState | undefined,
  after: UnitState,
  at: number,
): FieldChanges {
  if (before === undefined) return allOf(null, identityOf(after));
  switch (event.type) {
    case 'AccessOverridden':
    case 'AccessOverrideCleared':
      return allOf(overrideOf(before.override), overrideOf(after.override));
    case 'TenantTransferredIn':
      return allOf(null, { transferred_from: event.data.from_unit_id });
    case 'TenantTransferredOut':
      return allOf(null, { transferred_to: event.data.to_unit_id });
    default:
      return sharedChanges(event, { unit: before, at }, { unit: after, at }) ?? differences(before, after);
  }
}

/** Undefined if the event is not about shares. */
function sharedChanges(event: UnitEvent, before: Moment, after: Moment): FieldChanges | undefined {
  switch (event.type) {
    case 'UnitShareOffered':
    case 'UnitShareOfferEnded':
      return offerChanges(before, after);
    case 'UnitShareCodeRefused':
      return codeChanges(event.data.share_id, before, after);
    case 'UnitShared':
    case 'UnitShareAccepted':
    case 'UnitShareEnded':
      return shareChanges(event.data.tenant_id, before, after);
    default:
      return undefined;
  }
}

/** A unit at an instant (milliseconds). */
interface Moment {
  readonly unit: UnitState;
  readonly at: number;
}

/** Who shares the unit at an instant, and not at another. */
export function sharingChanges(before: Moment, after: Moment): FieldChanges {
  const [from, to] = [before, after].map(({ unit, at }) =>
    sharesInForce(unit.shares, at).map(({ tenant_id }) => tenant_id),
  ) as [string[], string[]];
  const isSame = from.length === to.length && from.every((tenant_id, index) => tenant_id === to[index]);
  return isSame ? {} : { shared_with: { from, to } };
}

function shareChanges(tenant_id: string, before: Moment, after: Moment): FieldChanges {
  const [from, to] = [before, after].map(
    ({ unit, at }) => shareOf(sharesInForce(unit.shares, at), tenant_id)?.until ?? null,
  ) as [number | null, number | null];
  return { ...sharingChanges(before, after), ...(from === to ? {} : { shared_until: { from, to } }) };
}

/** Who is invited, and may still accept. */
function offerChanges(before: Moment, after: Moment): FieldChanges {
  const [from, to] = [before, after].map(({ unit: { offers }, at }) =>
    openOffers(offers, at).map(({ tenant_id }) => tenant_id),
  ) as [string[], string[]];
  return from.length === to.length ? {} : { invited: { from, to } };
}

function codeChanges(share_id: string, before: Moment, after: Moment): FieldChanges {
  const [from, to] = [before, after].map(
    ({ unit: { offers = [] } }) => offers.find((offer) => offer.share_id === share_id)?.wrong_codes ?? 0,
  ) as [number, number];
  return { wrong_codes: { from, to } };
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
  compare('round_the_clock', before.round_the_clock, after.round_the_clock);
  compare('retired', before.retired, after.retired);
  return changes;
}
