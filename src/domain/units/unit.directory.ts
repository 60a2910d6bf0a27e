import { Inject, Injectable } from '@nestjs/common';
import { matcherOf, searchName } from '#kernel/core/search.js';
import type { Yielder } from '#kernel/yielder.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore, DocumentPage } from '#eventsourcing/documents/document-store.js';
import { type Called, documentsCalled } from '#eventsourcing/documents/documents-called.js';
import type { IdleState } from './core/unit.state.js';
import { isUnitId, UNIT_ID_PREFIX } from './unit-path-key.js';
import { UNITS, type UnitDocument } from './unit.documents.js';
import { unitStream } from './unit-stream.js';

interface UnitPage {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface LocationUnits {
  readonly location_id: string;
  /** Only units that nobody rents, in this state. */
  readonly idle_state?: IdleState | undefined;
  /** The first unit id, included. */
  readonly from?: string | undefined;
  readonly limit: number;
}

/** Reads units from their view, which contains every answered write. All methods throw StoreUnavailableError. */
@Injectable()
export class UnitDirectory {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /** The unit may belong to any company: the caller must compare `company_id`. */
  async byUnitId(unit_id: string): Promise<UnitDocument | undefined> {
    const units = await this.views.collection(UNITS);
    return (await units.find('by_unit_id', { equals: [unit_id], limit: 1 })).documents[0];
  }

  /** As {@link byUnitId}, in any order, without those that do not exist. */
  async byUnitIds(unit_ids: readonly string[]): Promise<UnitDocument[]> {
    return unit_ids.length === 0 ? [] : (await this.views.collection(UNITS)).findAny('by_unit_id', unit_ids);
  }

  /** In the order of `streams`; undefined if the unit does not exist. */
  async byStreams(streams: readonly string[]): Promise<(UnitDocument | undefined)[]> {
    return (await this.views.collection(UNITS)).getMany(streams);
  }

  /** Units of all companies in the order they were created. @throws InvalidCursorError */
  async page({ cursor, limit }: UnitPage): Promise<DocumentPage<UnitDocument>> {
    const units = await this.views.collection(UNITS);
    return units.find('by_unit_id', { equals: [], limit, cursor });
  }

  /** Units of a location in the order they were created. @throws InvalidCursorError */
  async pageOfLocation({
    location_id,
    cursor,
    limit,
  }: UnitPage & { readonly location_id: string }): Promise<DocumentPage<UnitDocument>> {
    const units = await this.views.collection(UNITS);
    return units.find('by_location', { equals: [location_id], limit, cursor });
  }

  /** Units of a company that a text finds by name, number or identifier. Exact matches come first. */
  async search(text: string, company_id: string, called: Called<UnitDocument>): Promise<UnitDocument[]> {
    const units = await this.views.collection(UNITS);
    const [own, byName] = await Promise.all([
      units.getMany([unitStream(company_id, text)]),
      documentsCalled(units, 'by_search_name', text, company_id, called),
    ]);
    const matches = matcherOf(text);
    const named = byName.filter((unit) => matches(unit.search_names));
    const { isWanted = () => true } = called;
    const found = [...own.flatMap((unit) => unit ?? []).filter(isWanted), ...named];
    const once = new Map(found.map((unit) => [unit.unit_id, unit] as const));
    const all = [...once.values()].filter((unit) => !unit.retired);
    return exactFirst(all, text);
  }

  /** Units of a location in the order they were created. */
  async listOfLocation({ location_id, idle_state, from, limit }: LocationUnits): Promise<UnitDocument[]> {
    const units = await this.views.collection(UNITS);
    const found =
      idle_state === undefined
        ? await units.find('by_location', { equals: [location_id], from, limit })
        : await units.find('by_location_and_idle_state', { equals: [location_id, idle_state], from, limit });
    return found.documents;
  }

  /** All units of a location after one, in pages of at most `size`. @throws GivenUpError if there is a yielder */
  async *allOfLocation(
    location_id: string,
    size: number,
    { behind, yielder }: { readonly behind?: string | undefined; readonly yielder?: Yielder } = {},
  ): AsyncGenerator<readonly UnitDocument[], void> {
    for (let from = behind; ;) {
      const page = await this.listOfLocation({ location_id, from, limit: size });
      // Each page starts with the last unit of the page before.
      const others = page.filter(({ unit_id }) => unit_id !== from);
      if (others.length > 0) yield others;
      if (page.length < size) return;
      from = page.at(-1)!.unit_id;
      await yielder?.after(page.length);
    }
  }

  /**
   * The unit that a path's `{crm_unit_id}` names for a company: the integrator's identifier, or `ulid:{unit_id}`.
   * Undefined for a retired unit, which integrators do not see.
   */
  async byPathKey(company_id: string, key: string): Promise<UnitDocument | undefined> {
    const unit = await this.everByPathKey(company_id, key);
    return unit === undefined || unit.retired ? undefined : unit;
  }

  /** As {@link byPathKey}, but also finds retired units. */
  async everByPathKey(company_id: string, key: string): Promise<UnitDocument | undefined> {
    if (!isUnitId(key)) return (await this.byStreams([unitStream(company_id, key)]))[0];
    const unit = await this.byUnitId(key.slice(UNIT_ID_PREFIX.length));
    return unit?.company_id === company_id ? unit : undefined;
  }
}

/** Units whose name or identifier is the text come first. */
export function exactFirst(units: readonly UnitDocument[], text: string): UnitDocument[] {
  const name = searchName(text);
  const isExact = (unit: UnitDocument) => unit.search_names.includes(name) || unit.crm_unit_id === text;
  return [...units.filter(isExact), ...units.filter((unit) => !isExact(unit))];
}
