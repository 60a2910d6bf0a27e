import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { Yielder, type Deadline } from '#kernel/yielder.js';
import { validationFailed } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { UnitDirectory, type UnitDocument, type Writer } from '#domain/units/index.js';

/** Selects the units at these locations that are not in `named`. */
interface MissingRange {
  /** `pms_location_code`s. */
  readonly codes: readonly string[];
  readonly named: ReadonlySet<string>;
  readonly cursor: string | undefined;
  readonly limit: number;
}

const PAGE_SIZE = 500;
/** Units that one page reads at most. At the limit the page ends early, with a cursor. */
const MOST_UNITS_READ = 5_000;

/** Finds units of a source that a request does not name, at the locations that it covers completely. */
@Injectable()
export class MissingUnits {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
  ) {}

  /**
   * One page, sorted by location and then by creation.
   * @param deadline the caller's; reading stops there
   * @throws ApiError 422 for an unknown code. @throws InvalidCursorError, StoreUnavailableError, GivenUpError
   */
  async page(
    writer: Writer,
    { codes, named, cursor, limit }: MissingRange,
    deadline?: Deadline,
  ): Promise<{ readonly crm_unit_ids: readonly string[]; readonly next_cursor: string | null }> {
    const list = ['missing', writer.company_id, [...new Set(codes)].sort()];
    let last = cursor === undefined ? START : positionIn(decodeCursor(cursor, list));
    const crm_unit_ids: string[] = [];
    let unitsRead = 0;
    const locations = await this.#idsOf(writer.company_id, codes);
    for await (const unit of this.#unitsAfter(last, locations, new Yielder(deadline))) {
      const isMissing = unit.source_type === writer.source && !unit.retired && !named.has(unit.crm_unit_id);
      if (unitsRead === MOST_UNITS_READ || (isMissing && crm_unit_ids.length === limit))
        return { crm_unit_ids, next_cursor: encodeCursor(last, list) };
      if (isMissing) crm_unit_ids.push(unit.crm_unit_id);
      unitsRead += 1;
      last = [unit.location_id, unit.unit_id];
    }
    return { crm_unit_ids, next_cursor: null };
  }

  /** The ids of the locations with these codes, in order. */
  async #idsOf(company_id: string, codes: readonly string[]): Promise<string[]> {
    if (codes.length === 0) return [];
    const all = await this.locations.locationsOfCompany(company_id);
    const byCode = new Map(all.map(({ pms_location_code, location_id }) => [pms_location_code, location_id]));
    const faults: FieldFault[] = [];
    const ids = new Set<string>();
    for (const [index, code] of codes.entries()) {
      const id = byCode.get(code);
      if (id !== undefined) ids.add(id);
      else {
        const field = `complete_locations.${index}`;
        faults.push({
          field,
          code: 'unknown_value',
          message: `The selected complete locations.${index} is invalid.`,
          hint: 'Send values of pms_location_code. GET /api/v2/company lists them.',
        });
      }
    }
    if (faults.length > 0) throw validationFailed(faults);
    return [...ids].sort();
  }

  async *#unitsAfter(
    [location_id, unit_id]: Position,
    locations: readonly string[],
    yielder: Yielder,
  ): AsyncGenerator<UnitDocument, void> {
    for (const each of locations.filter((one) => one >= location_id)) {
      const behind = each === location_id ? unit_id : undefined;
      for await (const page of this.units.allOfLocation(each, PAGE_SIZE, { behind, yielder })) yield* page;
    }
  }
}

/** The last unit of the page before, with its location. */
type Position = readonly [location_id: string, unit_id: string];

const START: Position = ['', ''];

function positionIn(position: unknown): Position {
  const ids = Array.isArray(position) ? (position as unknown[]) : [];
  if (ids.length !== 2 || !ids.every((id) => typeof id === 'string')) throw new InvalidCursorError();
  return ids as unknown as Position;
}
