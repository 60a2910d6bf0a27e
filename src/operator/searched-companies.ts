import { Injectable } from '@nestjs/common';
import { CompanyDirectory } from '../companies/index.js';
import { everyPage } from '../documents/pages.js';
import { LARGEST_PAGE, type OperatorPrincipal } from '../http/index.js';
import { LocationDirectory } from '../locations/index.js';

/** What a search names of where it is to look. */
export interface SearchedPlace {
  readonly company_id?: string | undefined;
  readonly location_id?: string | undefined;
}

/** Tells the companies that a search of an operator is in. */
@Injectable()
export class SearchedCompanies {
  constructor(
    private readonly directory: CompanyDirectory,
    private readonly locations: LocationDirectory,
  ) {}

  /**
   * None where the location that is named is not the company's. What the place names is in the operator's scope already.
   * @throws StoreUnavailableError
   */
  async of(
    { companies }: Pick<OperatorPrincipal, 'companies'>,
    { company_id, location_id }: SearchedPlace,
  ): Promise<readonly string[]> {
    if (location_id === undefined) {
      return company_id === undefined ? (companies ?? (await this.#all())) : [company_id];
    }
    const owner = (await this.locations.location(location_id))?.company_id;
    return owner === undefined || owner !== (company_id ?? owner) ? [] : [owner];
  }

  async #all(): Promise<string[]> {
    const ids: string[] = [];
    const pages = everyPage((cursor) => this.directory.companies({ limit: LARGEST_PAGE, cursor }));
    for await (const { documents } of pages) ids.push(...documents.map(({ company_id }) => company_id));
    return ids;
  }
}
