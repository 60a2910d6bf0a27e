import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationCommands } from './location.commands.js';
import { LocationDirectory } from './location.directory.js';
import { LocationProjector } from './location.projector.js';

/**
 * Locations with their zones, entry points and locks. Global modules must provide IDS, EVENT_STORE, VIEWS, CommandRunner,
 * UNIT_LOOKUP, LOCATION_POLICY_LISTENER (optional), and the needs of CompaniesModule.
 */
@Module({
  imports: [CompaniesModule],
  providers: [LocationDirectory, LocationProjector, LocationCommands],
  exports: [LocationDirectory, LocationProjector, LocationCommands],
})
export class LocationsModule {}
