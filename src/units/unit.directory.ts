import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore, Page } from '../documents/document-store.js';
import type { IdleState } from './core/idle-state.js';
import { unitStream } from './unit-stream.js';
import { isRetired, UNITS, type UnitDocument } from './unit.documents.js';

/** A path that names a unit by the service's own identifier begins so (decisions on the path key migration). */
const UNIT_ID_PREFIX = 'ulid:';

/** Which units of a location, from which unit id on (that one included), and how many at most. */
export interface LocationUnits {
  readonly location_id: string;
  readonly idle_state?: IdleState | undefined;
  readonly from?: string | undefined;
  readonly limit: number;
}

/** Finds units in their views; the answer holds every acknowledged write. All methods throw StoreUnavailableError. */
@Injectable()
export class UnitDirectory {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /** By the service-side identifier, of any company: who asks on a company's behalf compares `company_id`. */
  async byUnitId(unit_id: string): Promise<UnitDocument | undefined> {
    const units = await this.views.collection(UNITS);
    return (await units.find('by_unit_id', { equals: [unit_id], limit: 1 })).documents[0];
  }

  /** The same of several, in no order; what there is none of is left out. */
  async byUnitIds(unit_ids: readonly string[]): Promise<UnitDocument[]> {
    return unit_ids.length === 0 ? [] : (await this.views.collection(UNITS)).findAny('by_unit_id', unit_ids);
  }

  /** In the order of `streams`, undefined where there is none. */
  async byStreams(streams: readonly string[]): Promise<(UnitDocument | undefined)[]> {
    return (await this.views.collection(UNITS)).getMany(streams);
  }

  /** Units of all companies in the order they were created. @throws InvalidCursorError */
  async page({ cursor, limit }: { cursor?: string | undefined; limit: number }): Promise<Page<UnitDocument>> {
    const units = await this.views.collection(UNITS);
    return units.find('by_unit_id', { equals: [], limit, cursor });
  }

  /** Units of a location in the order they were created, those only that nobody rents where a state of such is named. */
  async ofLocation({ location_id, idle_state, from, limit }: LocationUnits): Promise<UnitDocument[]> {
    const units = await this.views.collection(UNITS);
    const found =
      idle_state === undefined
        ? await units.find('by_location', { equals: [location_id], from, limit })
        : await units.find('by_location_and_idle_state', { equals: [location_id, idle_state], from, limit });
    return found.documents;
  }

  /**
   * The unit that a path's `{crm_unit_id}` names for a company: the integrator's own identifier, or `ulid:{unit_id}`. One
   * that is retired is not there for whoever reads on the company's behalf.
   */
  async byPathKey(company_id: string, key: string): Promise<UnitDocument | undefined> {
    const unit = await this.everByPathKey(company_id, key);
    return unit === undefined || isRetired(unit) ? undefined : unit;
  }

  /** As {@link byPathKey}, a retired one as well. */
  async everByPathKey(company_id: string, key: string): Promise<UnitDocument | undefined> {
    if (!key.startsWith(UNIT_ID_PREFIX)) return (await this.byStreams([unitStream(company_id, key)]))[0];
    const unit = await this.byUnitId(key.slice(UNIT_ID_PREFIX.length));
    return unit?.company_id === company_id ? unit : undefined;
  }

  /**
   * The integrator's identifier that a path's key stands for; undefined where `ulid:` names no unit of the company.
   * Any other key stands for itself, whether or not there is such a unit.
   */
  async crmUnitId(company_id: string, key: string): Promise<string | undefined> {
    if (!key.startsWith(UNIT_ID_PREFIX)) return key;
    return (await this.everByPathKey(company_id, key))?.crm_unit_id;
  }
}
