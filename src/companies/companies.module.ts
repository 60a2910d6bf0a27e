import { Module } from '@nestjs/common';
import { ApiTokens } from './api-tokens.js';
import { CompanyClocks } from './company-clocks.js';
import { CompanyCommands } from './company.commands.js';
import { CompanyDirectory } from './company.directory.js';
import { CompanyProjector } from './company.projector.js';

/**
 * Companies and their API tokens. Global modules must provide CLOCK, IDS, EVENT_STORE, RECORDS, VIEWS and CommandRunner.
 */
@Module({
  providers: [CompanyClocks, CompanyDirectory, CompanyProjector, CompanyCommands, ApiTokens],
  exports: [CompanyClocks, CompanyDirectory, CompanyProjector, CompanyCommands, ApiTokens],
})
export class CompaniesModule {}
