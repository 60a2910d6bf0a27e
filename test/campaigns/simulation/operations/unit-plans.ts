import { daysLater, localDate } from '../model/calendar.js';
import { overrideOf } from '../model/decision.js';
import type { Changeable } from '../model/unit-rules.js';
import { type Place, type Unit, unitKey, VACANT, type World } from '../model/world.js';
import type { Random } from '../random.js';
import type { Expected } from './operation.js';

/** Identifiers as integrators have them: with spaces, slashes, other scripts. */
const CRM_UNIT_IDS = ['A-101', 'A-102', 'b 7/2', 'ünit#9', 'C.3', '库房 5', 'D_4', 'E-5', "F'6", 'G+7'];
const TENANTS = ['t-1', 't-2', 't-3', 'T 4', 't-5'];
/** Known to nobody: a phone that two tenants share, and one each. */
const PHONES: Readonly<Record<string, string | undefined>> = {
  't-1': '+15550000001',
  't-2': '+15550000002',
  't-3': '+15550000001',
  'T 4': undefined,
  't-5': '+445550000005',
};

export function anyCrmUnitId(random: Random): string {
  return random.pick(CRM_UNIT_IDS);
}

export function anyTenant(random: Random): string {
  return random.pick(TENANTS);
}

export function phoneOf(pms_tenant_id: string): string | undefined {
  return PHONES[pms_tenant_id];
}

export function anyCompany(world: World, random: Random): number {
  return random.below(world.companies.length);
}

export function anyPlace(world: World, random: Random): Place {
  return random.pick(world.places());
}

export function anyUnit(world: World, random: Random, source?: Unit['source']): Unit | undefined {
  const units = [...world.units.values()].filter((unit) => source === undefined || unit.source === source);
  return units.length === 0 ? undefined : random.pick(units);
}

/** Whole years of dates matter less than the days around today. */
export function anyDate(now: number, random: Random, from = -12, to = 4): string {
  return daysLater(localDate(now, 'UTC'), random.between(from, to));
}

function anyBalance(random: Random): number {
  return random.pick([0, 0, 0.01, 0.4, 25, 50.5, 120, -10]);
}

export function anyLedger(random: Random): string | null | undefined {
  return random.pick([undefined, undefined, 'L-1', 'L-2', null]);
}

/** Some changes of facts, at least one. */
export function anyFacts(now: number, random: Random, most = 3): Changeable {
  const all: (() => Changeable)[] = [
    () => ({ balance_due: anyBalance(random) }),
    () => ({ paid_through_date: random.chance(0.2) ? null : anyDate(now, random) }),
    () => ({ balance_due: random.pick([25, 120]), paid_through_date: anyDate(now, random, -8, 0) }),
    () => ({ pms_lockout: random.chance(0.5) }),
    () => ({ pms_lock_exempt: random.chance(0.3) }),
    () => ({ pms_auction: random.chance(0.3) }),
    () => ({ pms_unrentable: random.chance(0.3) }),
    () => ({ pms_status_raw: random.pick(['late', 'paid', null]) }),
  ];
  const chosen = random.sample(all, random.between(1, most)).map((make) => make());
  return Object.assign({}, ...chosen) as Changeable;
}

/** What stands on the unit's tenancy before the operation reaches it. */
export function pathOf(crm_unit_id: string): string {
  return `/api/v2/units/${encodeURIComponent(crm_unit_id)}`;
}

/** Where a unit that does not exist would be created: a place, or the refusal. */
export function placeFor(world: World, company: number, code: string | undefined): Place | Expected {
  const { places } = world.companies[company]!;
  if (places.length === 0) return refused('The company has no location yet. An operator must add one first.');
  if (code === undefined) {
    const [only, second] = places;
    if (only !== undefined && second === undefined) return only;
    return refused('The pms location code field is required.');
  }
  return (
    world.place(company, code) ??
    refused('The selected pms location code is invalid. GET /api/v2/company lists the codes.')
  );
}

/** The place of a unit, unless the write names another one. */
export function placeOfWrite(
  world: World,
  company: number,
  known: Unit | undefined,
  code: string | undefined,
): Place | Expected {
  if (known === undefined) return placeFor(world, company, code);
  if (code === undefined || code === known.place) return world.placeOf(known);
  const named = placeFor(world, company, code);
  return isPlace(named) ? refused(AT_OTHER_LOCATION) : named;
}

export const AT_OTHER_LOCATION = 'The pms location code field must name the location of the unit.';

function refused(text: string): Expected {
  return { status: 422, message: 'Validation failed.', errors: { pms_location_code: [text] } };
}

export function isPlace(place: Place | Expected): place is Place {
  return 'code' in place;
}

export const MANAGED_ELSEWHERE: Expected = {
  status: 409,
  message: 'This unit is managed by a pull-mode PMS integration. Please contact support.',
};

/** The refusal of an operator's write to a retired unit. */
export const RETIRED: Expected = { status: 409, message: 'The unit is retired.' };

export const NOT_FOUND: Expected = { status: 404, message: 'Unit not found.' };

/** A unit that the write creates. Its first event is its registration. */
export function createUnit(
  world: World,
  { company, crm_unit_id, name }: { company: number; crm_unit_id: string; name: string | undefined },
  place: Place,
  source: Unit['source'],
): Unit {
  const unit: Unit = {
    company,
    crm_unit_id,
    place: place.code,
    source,
    name: name ?? crm_unit_id,
    unit_id: null,
    events: 1,
    facts: { ...VACANT },
    override: null,
    shares: [],
    given: [],
    held: [],
    zones: [],
    last_accessed_at: null,
    retired: false,
  };
  world.units.set(unitKey(company, crm_unit_id), unit);
  return unit;
}

/** Warnings about a name that the unit does not have. */
export function identityWarnings(
  unit: Unit,
  { unit_name }: { readonly unit_name?: string | undefined },
): string[] {
  return unit_name !== undefined && unit_name !== unit.name ? ['unit_name_ignored'] : [];
}

function owesVacant({ facts }: Unit): boolean {
  return facts.balance_due > 0 && !facts.occupied;
}

/** Warnings about what the named facts will, or will not, do. */
export function standingWarnings(world: World, unit: Unit, named: Changeable): string[] {
  const { facts } = unit;
  const exempt = facts.pms_lock_exempt || overrideOf(unit, world.nowOf(unit.company)) === 'exempt';
  const about = (...names: readonly string[]): boolean => names.some((name) => name in named);
  const standing: readonly [string, boolean][] = [
    [
      'lockout_suppressed_by_exemption',
      facts.pms_lockout && exempt && about('pms_lockout', 'pms_lock_exempt'),
    ],
    ['balance_without_date', owesWithoutDate(world, unit) && about('balance_due', 'paid_through_date')],
    ['vacant_unit_owes', owesVacant(unit) && about('balance_due')],
    ['auction_while_exempt', facts.pms_auction && exempt && about('pms_auction', 'pms_lock_exempt')],
  ];
  return standing.filter(([, stands]) => stands).map(([code]) => code);
}

function owesWithoutDate(world: World, unit: Unit): boolean {
  const { occupied, balance_due, paid_through_date } = unit.facts;
  const { balance_threshold, delinquency_mode } = world.placeOf(unit).policy;
  if (delinquency_mode !== 'automatic' || !occupied) return false;
  return balance_due > balance_threshold && paid_through_date === null;
}
