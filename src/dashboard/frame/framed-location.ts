import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { CompanyAdministration, LocationAdministration } from '#api/operator/index.js';
import { SiteHeadReader } from './site-head.reader.js';

/** Reads the frame of every page of a location. */
@Injectable()
export class FramedLocation {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly locations: LocationAdministration,
    private readonly heads: SiteHeadReader,
    private readonly clocks: CompanyClocks,
  ) {}

  /** A location and its company. @throws ApiError 404 @throws StoreUnavailableError */
  async readLocation(location_id: string) {
    const location = await this.locations.readLocation(location_id);
    const now = await this.clocks.now(location.company_id);
    const [company, head] = await Promise.all([
      this.companies.readCompanyAlone(location.company_id),
      this.heads.read(location, now),
    ]);
    return { location, company, head, now };
  }
}
