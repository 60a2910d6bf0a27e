import { Injectable } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import { type OperatorScope, placesOf } from '#kernel/principals.js';
import { IsUlid, Says } from '#web/validation/decorators.js';
import { PageQuery } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';
import { LocationDirectory } from '#domain/locations/index.js';
import type { SearchedPlaces } from '#domain/tenants/index.js';

/** The company and location to which a request narrows its search. */
export class ScopeQuery extends PageQuery {
  @Says(
    'Only those of this company. Left out: of all companies that you see. A company that you do not see is 404.',
  )
  @ValidateIf(isGiven)
  @IsUlid()
  company_id?: string;
  @Says(
    'Only those of this location. Left out: of all companies that you see. A location that you do not see is 404.',
  )
  @ValidateIf(isGiven)
  @IsUlid()
  location_id?: string;
}

/** Finds the companies and locations in which an operator's search looks. */
@Injectable()
export class SearchScope {
  constructor(private readonly locations: LocationDirectory) {}

  /**
   * Returns no company if the named location is not of the named company. The route has checked already that the operator may
   * see both. @throws StoreUnavailableError
   */
  async findScope(
    scope: OperatorScope,
    { company_id, location_id }: Pick<ScopeQuery, 'company_id' | 'location_id'>,
  ): Promise<SearchedPlaces> {
    const { companies, locations } = placesOf(scope);
    if (location_id === undefined)
      return { companies: company_id === undefined ? (companies ?? 'all') : [company_id], locations };
    const owner = (await this.locations.location(location_id))?.company_id;
    return { companies: owner === undefined || owner !== (company_id ?? owner) ? [] : [owner], locations };
  }
}
