import { Module } from '@nestjs/common';
import { ApiTokens } from './api-tokens.js';
import { CompanyClocks } from './company-clocks.js';
import { CompanyCommands } from './company.commands.js';
import { CompanyDirectory } from './company.directory.js';
import { CompanyProjection } from './company.projection.js';
import { WriteCompanyHandler } from './write-company.handler.js';

/**
 * Companies and their API tokens. Needs, from global modules: the ports CLOCK, IDS, RECORDS and VIEWS, StreamWriter
 * and Nest's CommandBus.
 */
@Module({
  providers: [
    CompanyClocks,
    CompanyDirectory,
    CompanyProjection,
    CompanyCommands,
    ApiTokens,
    WriteCompanyHandler,
  ],
  exports: [CompanyClocks, CompanyDirectory, CompanyProjection, CompanyCommands, ApiTokens],
})
export class CompaniesModule {}
