import { Injectable } from '@nestjs/common';
import type { OperatorPrincipal } from '../http/index.js';
import { LocationDirectory } from '../locations/index.js';
import type { SearchedCompanies } from '../tenants/index.js';

/** The place in which a search looks, as the request names it. */
export interface SearchedPlace {
  readonly company_id?: string | undefined;
  readonly location_id?: string | undefined;
}

/** Tells the companies that a search of an operator is in. */
@Injectable()
export class SearchScope {
  constructor(private readonly locations: LocationDirectory) {}

  /**
   * None where the location that is named is not the company's. What the place names is in the operator's scope already.
   * @throws StoreUnavailableError
   */
  async of(
    { companies }: Pick<OperatorPrincipal, 'companies'>,
    { company_id, location_id }: SearchedPlace,
  ): Promise<SearchedCompanies> {
    if (location_id === undefined) return company_id === undefined ? (companies ?? 'all') : [company_id];
    const owner = (await this.locations.location(location_id))?.company_id;
    return owner === undefined || owner !== (company_id ?? owner) ? [] : [owner];
  }
}
