import { Injectable } from '@nestjs/common';
import { CompaniesController, LocationsController } from '../../operator/index.js';

/** Reads the frame of every page of a location. */
@Injectable()
export class FramedLocation {
  constructor(
    private readonly companies: CompaniesController,
    private readonly locations: LocationsController,
  ) {}

  /** A location and its company. @throws ApiError 404 @throws StoreUnavailableError */
  async of(location_id: string) {
    const location = (await this.locations.one(location_id)).data;
    const company = (await this.companies.one(location.company_id)).data;
    return { location, company };
  }
}
