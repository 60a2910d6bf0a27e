import { type Access, isLockedOut } from '#domain/access/core/policy.js';

/** What a site in small shows of a unit, a letter for each. */
export const UNIT_MARKS = {
  open: 'o',
  lockedOut: 'd',
  early: 'n',
  exempt: 'e',
  auction: 'a',
  unrentable: 'u',
  vacant: 'v',
} as const;
export type UnitMark = (typeof UNIT_MARKS)[keyof typeof UNIT_MARKS];

/** The units of a site at an instant. */
export interface CountedUnits {
  /** How many units have each mark. Marks of no unit are left out. */
  readonly counts: Readonly<Partial<Record<UnitMark, number>>>;
  /** The marks of all units in the order of their names. Null: more than a small picture can show. */
  readonly marks: string | null;
}

/** The most units of a small picture. */
const MOST_PICTURED = 600;

const BY_NAME = new Intl.Collator('en', { numeric: true });

export function markOf({ state, reason }: Access): UnitMark {
  if (state === 'tenant_denied') return UNIT_MARKS[isLockedOut({ state, reason }) ? 'lockedOut' : 'early'];
  if (state !== 'tenant_permitted') return UNIT_MARKS[state];
  return UNIT_MARKS[reason === 'system_exempt' || reason === 'pms_exempt' ? 'exempt' : 'open'];
}

interface NamedMark {
  readonly unit_name: string;
  readonly mark: UnitMark;
}

export function countUnits(units: readonly NamedMark[]): CountedUnits {
  const counts: Partial<Record<UnitMark, number>> = {};
  for (const { mark } of units) counts[mark] = (counts[mark] ?? 0) + 1;
  if (units.length > MOST_PICTURED) return { counts, marks: null };
  const byName = units.toSorted((one, other) => BY_NAME.compare(one.unit_name, other.unit_name));
  return { counts, marks: byName.map(({ mark }) => mark).join('') };
}
