import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationCommands } from './location.commands.js';
import { LocationDirectory } from './location.directory.js';
import { LocationProjector } from './location.projector.js';

/**
 * Locations with their zones, entry points and locks. Needs, from global modules: the ports IDS, EVENT_STORE and VIEWS,
 * CommandRunner, UNIT_LOOKUP and (optional) LOCATION_POLICY_LISTENER, beside what CompaniesModule
 * needs.
 */
@Module({
  imports: [CompaniesModule],
  providers: [LocationDirectory, LocationProjector, LocationCommands],
  exports: [LocationDirectory, LocationProjector, LocationCommands],
})
export class LocationsModule {}
