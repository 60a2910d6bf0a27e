import { Injectable } from '@nestjs/common';
import { CompanyAdministration, LocationAdministration } from '#api/operator/index.js';

/** Reads the frame of every page of a location. */
@Injectable()
export class FramedLocation {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly locations: LocationAdministration,
  ) {}

  /** A location and its company. @throws ApiError 404 @throws StoreUnavailableError */
  async readLocation(location_id: string) {
    const location = await this.locations.readLocation(location_id);
    const company = await this.companies.readCompanyAlone(location.company_id);
    return { location, company };
  }
}
