import { Injectable } from '@nestjs/common';
import { CompanyDirectory } from '#domain/companies/index.js';
import { LockoutDays } from '#domain/history/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { CompanyAdministration } from '#api/operator/index.js';
import { instantText } from '../parts/words.js';
import { isInScope, type OperatorPrincipal, seesPartOf, seesSite } from '#kernel/principals.js';

interface SideCompany {
  readonly company_id: string;
  readonly name: string;
}

export interface SideSite {
  readonly location_id: string;
  readonly name: string;
  /** Locked-out units, as the lockouts by day were last counted. Null: not counted yet. */
  readonly locked_out: number | null;
  /** When they were counted, as `2:49 PM` at the site. Null: not counted yet. */
  readonly counted: string | null;
}

/** A company and its sites, as far as the operator may see them. */
export interface SearchedPlaces {
  readonly company: SideCompany;
  /** False for an operator of some of its sites, who adds no site and sees no settings of the company. */
  readonly isWhole: boolean;
  readonly sites: readonly Pick<SideSite, 'location_id' | 'name'>[];
}

/** What the side bar leads to. */
export interface SideBar extends SearchedPlaces {
  /** Companies to switch to, this one among them. */
  readonly companies: readonly SideCompany[];
  readonly sites: readonly SideSite[];
}

/** Companies that the switcher offers; the list of companies leads to all. */
const OFFERED = 20;

/** Reads what stands beside every page: three small reads, and no count of its own. */
@Injectable()
export class SideBarReader {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly directory: CompanyDirectory,
    private readonly locations: LocationDirectory,
    private readonly lockouts: LockoutDays,
  ) {}

  /**
   * @param company_id of the page. Absent: the first company that the operator may see
   * @returns undefined if there is none
   * @throws StoreUnavailableError
   */
  async read(principal: OperatorPrincipal, company_id: string | undefined): Promise<SideBar | undefined> {
    const companies = await this.#listCompanies(principal);
    const company = await this.#companyOf(company_id, companies);
    if (company === undefined || !seesPartOf(principal, company.company_id)) return undefined;
    const locations = await this.#locationsOf(company, principal);
    const counted = await this.lockouts.readDays(locations.map(({ _id }) => _id));
    return {
      company,
      companies,
      isWhole: isInScope(principal, company.company_id),
      sites: locations.map(({ _id, name, policy }, index) => {
        const at = counted[index]?.counted_at;
        return {
          location_id: _id,
          name,
          locked_out: counted[index]?.locked_out?.length ?? null,
          counted: at === undefined ? null : instantText(at, policy.timezone, 'time'),
        };
      }),
    };
  }

  /** For a search at each key: the places of {@link read} without their counts. @throws StoreUnavailableError */
  async readPlaces(
    principal: OperatorPrincipal,
    company_id: string | undefined,
  ): Promise<SearchedPlaces | undefined> {
    const listed = company_id === undefined ? await this.#listCompanies(principal) : [];
    const company = await this.#companyOf(company_id, listed);
    if (company === undefined || !seesPartOf(principal, company.company_id)) return undefined;
    const locations = await this.#locationsOf(company, principal);
    return {
      company,
      isWhole: isInScope(principal, company.company_id),
      sites: locations.map(({ _id, name }) => ({ location_id: _id, name })),
    };
  }

  async #locationsOf({ company_id }: SideCompany, principal: OperatorPrincipal) {
    const ofCompany = await this.locations.locationsOfCompany(company_id);
    return ofCompany.filter(({ _id, company_id: owner }) =>
      seesSite(principal, { company_id: owner, location_id: _id }),
    );
  }

  async #listCompanies(principal: OperatorPrincipal): Promise<readonly SideCompany[]> {
    const { sites } = principal;
    if (sites === null) return (await this.companies.listCompanies({ limit: OFFERED }, principal)).companies;
    const ids = [...new Set(sites.map(({ company_id }) => company_id))].sort().slice(0, OFFERED);
    return (await Promise.all(ids.map((id) => this.#find(id)))).filter((found) => found !== undefined);
  }

  async #companyOf(
    company_id: string | undefined,
    listed: readonly SideCompany[],
  ): Promise<SideCompany | undefined> {
    if (company_id === undefined) return listed[0];
    const own = listed.find((one) => one.company_id === company_id);
    if (own !== undefined) return own;
    return this.#find(company_id);
  }

  async #find(company_id: string): Promise<SideCompany | undefined> {
    const found = await this.directory.company(company_id);
    return found && { company_id: found._id, name: found.name };
  }
}
