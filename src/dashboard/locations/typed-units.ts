import type { UnitDirectory, UnitDocument } from '#domain/units/index.js';
import { invalidField } from '#kernel/errors/api-error.js';

/** Units that are read at once. */
const ROUND = 500;

/** Most units that one form changes. */
const MOST_UNITS = 500;
const BETWEEN = /[,;\n]+/;
const RANGE = /^(.+?)\s+(?:to|[–—-])\s+(.+)$/i;
const NUMBERED = /^(.*?)(\d+)$/;

/** The units of a location that a text names, as {@link unitsIn} does. @throws ApiError 422, StoreUnavailableError */
export async function findUnitsIn(
  text: string,
  { units, location_id, field }: { units: UnitDirectory; location_id: string; field?: string },
): Promise<readonly UnitDocument[]> {
  const present: UnitDocument[] = [];
  for await (const page of units.allOfLocation(location_id, ROUND))
    present.push(...page.filter(({ retired }) => !retired));
  return unitsIn(text, present, field);
}

interface NamedUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly crm_unit_id: string;
}

/**
 * The units that a text names: `A181 to A190, A195`. Case does not count.
 * @param field the one that a refusal names
 * @throws ApiError 422 for a name or a range of no unit, a name of several, and too many units
 */
export function unitsIn<Unit extends NamedUnit>(
  text: string,
  units: readonly Unit[],
  field = 'units',
): readonly Unit[] {
  const parts = text.split(BETWEEN).flatMap((part) => part.trim() || []);
  if (parts.length === 0) throw invalidField(field, 'required', 'Type at least one unit.');
  const byName = unitsByName(units);
  const found = new Set<Unit>();
  for (const part of parts) {
    const meant = byName.get(nameOf(part)) ?? [];
    if (meant.length > 1)
      throw invalidField(
        field,
        'ambiguous',
        `Several units are called ${part}. Use the identifier of the PMS.`,
      );
    for (const unit of meant.length === 1 ? meant : unitsWithin(part, units, field)) found.add(unit);
  }
  if (found.size > MOST_UNITS)
    throw invalidField(field, 'too_long', `Type at most ${MOST_UNITS} units at once.`);
  return [...found];
}

function unitsByName<Unit extends NamedUnit>(units: readonly Unit[]): ReadonlyMap<string, readonly Unit[]> {
  const byName = new Map<string, Unit[]>();
  for (const unit of units)
    for (const name of new Set([nameOf(unit.unit_name), nameOf(unit.crm_unit_id)])) {
      const namesakes = byName.get(name);
      if (namesakes === undefined) byName.set(name, [unit]);
      else namesakes.push(unit);
    }
  return byName;
}

function unitsWithin<Unit extends NamedUnit>(part: string, units: readonly Unit[], field: string) {
  const range = rangeIn(part);
  if (range === undefined) throw invalidField(field, 'unknown_value', `No unit is called ${part}.`);
  const within = units.filter(({ unit_name }) => isWithin(unit_name, range));
  if (within.length === 0) throw invalidField(field, 'unknown_value', `No unit is within ${part}.`);
  return within;
}

interface NameRange {
  readonly prefix: string;
  readonly first: number;
  readonly last: number;
}

function rangeIn(part: string): NameRange | undefined {
  const [, from = '', to = ''] = RANGE.exec(part) ?? [];
  const first = numbered(from);
  const last = numbered(to);
  if (first === undefined || last === undefined) return undefined;
  if (last.prefix !== '' && last.prefix !== first.prefix) return undefined;
  return { prefix: first.prefix, first: first.number, last: last.number };
}

function isWithin(unit_name: string, { prefix, first, last }: NameRange): boolean {
  const name = numbered(unit_name);
  return name !== undefined && name.prefix === prefix && name.number >= first && name.number <= last;
}

function numbered(name: string) {
  const [, prefix, number] = NUMBERED.exec(nameOf(name)) ?? [];
  return prefix === undefined ? undefined : { prefix, number: Number(number) };
}

function nameOf(text: string): string {
  return text.trim().toLowerCase();
}
