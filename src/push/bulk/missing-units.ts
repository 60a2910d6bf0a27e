import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '../../base/cursor.js';
import { Yielder, type Deadline } from '../../config/yielder.js';
import { validationFailed } from '../../http/api-error.js';
import type { FieldFault } from '../../http/field-fault.js';
import { LocationDirectory } from '../../locations/index.js';
import { UnitDirectory, type UnitDocument, type Writer } from '../../units/index.js';

/** Which units are missing: those at these locations that nobody has named. */
export interface MissingRange {
  /** `pms_location_code`s. */
  readonly codes: readonly string[];
  readonly named: ReadonlySet<string>;
  readonly cursor: string | undefined;
  readonly limit: number;
}

const READ_AT_ONCE = 500;
/** Units that a page looks at: where few of many are missing it is short. */
const MOST_LOOKED_AT = 5_000;

/** Finds the units of a source that a request does not name at the locations that it covers whole. */
@Injectable()
export class MissingUnits {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
  ) {}

  /**
   * A page of them, in the order of locations and of creation within one.
   * @param deadline of who asks: nothing is read behind it
   * @throws ApiError 422 for an unknown code. @throws InvalidCursorError, StoreUnavailableError, GivenUpError
   */
  async page(
    writer: Writer,
    { codes, named, cursor, limit }: MissingRange,
    deadline?: Deadline,
  ): Promise<{ readonly crm_unit_ids: readonly string[]; readonly next_cursor: string | null }> {
    const list = ['missing', writer.company_id, [...new Set(codes)].sort()];
    let last = cursor === undefined ? BEGINNING : placeIn(decodeCursor(cursor, list));
    const crm_unit_ids: string[] = [];
    let lookedAt = 0;
    const locations = await this.#called(writer.company_id, codes);
    for await (const unit of this.#behind(last, locations, new Yielder(deadline))) {
      const isMissing = unit.source_type === writer.source && !unit.retired && !named.has(unit.crm_unit_id);
      if (lookedAt === MOST_LOOKED_AT || (isMissing && crm_unit_ids.length === limit))
        return { crm_unit_ids, next_cursor: encodeCursor(last, list) };
      if (isMissing) crm_unit_ids.push(unit.crm_unit_id);
      lookedAt += 1;
      last = [unit.location_id, unit.unit_id];
    }
    return { crm_unit_ids, next_cursor: null };
  }

  /** The ids of the locations with these codes, in order. */
  async #called(company_id: string, codes: readonly string[]): Promise<string[]> {
    if (codes.length === 0) return [];
    const all = await this.locations.locationsOfCompany(company_id);
    const byCode = new Map(all.map(({ pms_location_code, location_id }) => [pms_location_code, location_id]));
    const faults: FieldFault[] = [];
    const ids = new Set<string>();
    for (const [place, code] of codes.entries()) {
      const id = byCode.get(code);
      if (id !== undefined) ids.add(id);
      else {
        const field = `complete_locations.${place}`;
        faults.push({
          field,
          code: 'unknown_value',
          message: `The selected complete locations.${place} is invalid.`,
        });
      }
    }
    if (faults.length > 0) throw validationFailed(faults);
    return [...ids].sort();
  }

  async *#behind(
    [location_id, unit_id]: Place,
    locations: readonly string[],
    yielder: Yielder,
  ): AsyncGenerator<UnitDocument, void> {
    for (const each of locations.filter((one) => one >= location_id)) {
      const behind = each === location_id ? unit_id : undefined;
      for await (const page of this.units.allOfLocation(each, READ_AT_ONCE, { behind, yielder })) yield* page;
    }
  }
}

/** The ids of a location and of the last unit that was looked at there. */
type Place = readonly [location_id: string, unit_id: string];

const BEGINNING: Place = ['', ''];

function placeIn(place: unknown): Place {
  const ids = Array.isArray(place) ? (place as unknown[]) : [];
  if (ids.length !== 2 || !ids.every((id) => typeof id === 'string')) throw new InvalidCursorError();
  return ids as unknown as Place;
}
