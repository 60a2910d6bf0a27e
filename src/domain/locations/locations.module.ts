import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationOpening } from './location-opening.js';
import { LocationPreparation } from './location-preparation.js';
import { LocationDirectory } from './location.directory.js';
import { LocationProjector } from './location.projector.js';
import { WriteLocationHandler } from './write-location.js';

/**
 * Locations with their zones, entry points and locks. Global modules must provide IDS, EVENT_STORE, VIEWS, CommandRunner,
 * UnitLookup, LocationPolicyListener (optional), and the needs of CompaniesModule.
 */
@Module({
  imports: [CompaniesModule],
  providers: [
    LocationDirectory,
    LocationOpening,
    LocationPreparation,
    LocationProjector,
    WriteLocationHandler,
  ],
  exports: [LocationDirectory, LocationOpening, LocationProjector],
})
export class LocationsModule {}
