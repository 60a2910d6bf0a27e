import { Module } from '@nestjs/common';
import { ApiTokens } from './api-tokens.js';
import { SiteCommands } from './site.commands.js';
import { SiteDirectory } from './site.directory.js';
import { SiteStreams } from './site.streams.js';
import { WriteSiteHandler } from './write-site.handler.js';

/**
 * Companies and their sites. Needs, from global modules: the ports CLOCK, IDS, EVENT_STORE, RECORDS and VIEWS,
 * STREAM_WRITER, Nest's CommandBus, UNIT_LOOKUP and (optional) LOCATION_POLICY_LISTENER.
 */
@Module({
  providers: [SiteDirectory, SiteStreams, SiteCommands, ApiTokens, WriteSiteHandler],
  exports: [SiteDirectory, SiteStreams, SiteCommands, ApiTokens],
})
export class SitesModule {}
