import { Injectable } from '@nestjs/common';
import { UnitDirectory, type UnitDocument, UnitsByText } from '#domain/units/index.js';
import { ApiError, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';

const UNITS_PER_READ = 500;

/** Finds units of a location by the names that people type. */
@Injectable()
export class PassUnits {
  constructor(private readonly units: UnitDirectory) {}

  /** In the order of `names`. @throws ApiError 422 for a name of no unit, or of several */
  async findIds(location_id: string, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const byText = new UnitsByText(names);
    for await (const page of this.units.allOfLocation(location_id, UNITS_PER_READ)) byText.add(page);
    return names.map((name) => onlyUnit(name, byText.unitsCalled(name)).unit_id);
  }
}

/** @throws ApiError 422 */
function onlyUnit(name: string, [unit, another]: readonly UnitDocument[]): UnitDocument {
  if (unit === undefined)
    throw invalidField('unit_ids', 'unknown_value', `No unit of this site is called ${name}.`);
  if (another === undefined) return unit;
  const message = `Several units of this site are called ${name}. Use the identifier of the PMS.`;
  throw invalidField('unit_ids', 'unknown_value', message);
}

/** Runs what gives or changes a pass of some units. A refusal names the units that are rented. @throws ApiError 422 */
export async function namingRentedUnits<Result>(
  names: readonly string[],
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const faults = error instanceof ApiError ? (error.details ?? []) : [];
    const rented = faults.flatMap((fault) => rentedUnitIn(fault, names));
    if (rented.length === 0) throw error;
    const message = `${LIST.format(rented)} ${rented.length === 1 ? 'is' : 'are'} rented. A pass opens units that nobody rents, or that are in auction.`;
    throw validationFailed([{ field: 'unit_ids', code: 'not_allowed', message }]);
  }
}

const LIST = new Intl.ListFormat('en-US');

function rentedUnitIn({ field, code }: FieldFault, names: readonly string[]): string[] {
  const [, index] = /^unit_ids\.(\d+)$/.exec(field) ?? [];
  return index === undefined || code !== 'not_allowed' ? [] : [names[Number(index)]!];
}
