import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { ApiTokens, type RejectedAtSite } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { UnitDirectory, unitStream } from '#domain/units/index.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { LARGEST_BULK } from './bulk-entries.js';
import { type BulkRow, type RejectedRows, rejectionOf, rejectionsAtSites } from './rejected-rows.js';

/** Rows of a longer request, which is refused as a whole, are not looked up. */
const MOST_LOOKED_UP = 10 * LARGEST_BULK;

/** Notes rejected rows at the token: all of them, and those of each location for its operators. */
@Injectable()
export class RejectedBulks {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does not delay the request. */
  note(principal: Pick<ApiTokenPrincipal, 'id' | 'company_id'>, rejected: RejectedRows): void {
    const readAtSites = () => this.#atSites(principal.company_id, rejected);
    this.tokens.noteRejected(principal, rejectionOf(rejected), readAtSites);
  }

  async #atSites(company_id: string, rejected: RejectedRows): Promise<readonly RejectedAtSite[]> {
    try {
      return await this.#placed(company_id, rejected);
    } catch (error) {
      this.logger.warn({ error }, 'Rejected rows could not be told to the operators of their sites.');
      return [];
    }
  }

  async #placed(company_id: string, rejected: RejectedRows) {
    const { rows } = rejected;
    if (rows.length > MOST_LOOKED_UP) return [];
    return rejectionsAtSites(rejected, await this.#placesOf(company_id, rows));
  }

  /** A unit's own location; for an unknown unit that of its code. */
  async #placesOf(company_id: string, rows: readonly BulkRow[]): Promise<(string | undefined)[]> {
    const locations = await this.locations.locationsOfCompany(company_id);
    const byCode = new Map(locations.map(({ _id, pms_location_code }) => [pms_location_code, _id]));
    const only = locations.length === 1 ? locations[0]!._id : undefined;
    const known = await this.#locationsOfUnits(company_id, rows);
    return rows.map(({ crm_unit_id, pms_location_code: code }) => {
      const own = crm_unit_id === undefined ? undefined : known.get(crm_unit_id);
      if (own !== undefined) return own;
      if (code === undefined) return only;
      return code === null ? undefined : byCode.get(code);
    });
  }

  async #locationsOfUnits(
    company_id: string,
    rows: readonly BulkRow[],
  ): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(rows.flatMap(({ crm_unit_id }) => crm_unit_id ?? []))];
    const units = await this.units.byStreams(ids.map((crm_unit_id) => unitStream(company_id, crm_unit_id)));
    return new Map(
      units.flatMap((unit, index) => (unit === undefined ? [] : [[ids[index]!, unit.location_id] as const])),
    );
  }
}
