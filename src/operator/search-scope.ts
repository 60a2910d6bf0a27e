import { Injectable } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import type { OperatorPrincipal } from '../http/authentication.js';
import { IsUlid, Says } from '../http/validation/decorators.js';
import { PageQuery } from '../http/validation/page-query.js';
import { isGiven } from '../http/validation/presence.js';
import { LocationDirectory } from '../locations/index.js';
import type { SearchedCompanies } from '../tenants/index.js';

/** The place in which a search looks, as the request names it. */
export class PlaceQuery extends PageQuery {
  @Says('Only those of the company. Left out: of all in the scope. Another than one in the scope is 404.')
  @ValidateIf(isGiven)
  @IsUlid()
  company_id?: string;
  @Says('Only those of the location. Left out: of all in the scope. Another than one in the scope is 404.')
  @ValidateIf(isGiven)
  @IsUlid()
  location_id?: string;
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
    { company_id, location_id }: Pick<PlaceQuery, 'company_id' | 'location_id'>,
  ): Promise<SearchedCompanies> {
    if (location_id === undefined) return company_id === undefined ? (companies ?? 'all') : [company_id];
    const owner = (await this.locations.location(location_id))?.company_id;
    return owner === undefined || owner !== (company_id ?? owner) ? [] : [owner];
  }
}
