import { Module } from '@nestjs/common';
import { ApiTokens } from './api-tokens.js';
import { CompanyCommands } from './company.commands.js';
import { CompanyDirectory } from './company.directory.js';
import { CompanyStreams } from './company.streams.js';
import { WriteCompanyHandler } from './write-company.handler.js';

/**
 * Companies and their API tokens. Needs, from global modules: the ports CLOCK, IDS, RECORDS and VIEWS, STREAM_WRITER
 * and Nest's CommandBus.
 */
@Module({
  providers: [CompanyDirectory, CompanyStreams, CompanyCommands, ApiTokens, WriteCompanyHandler],
  exports: [CompanyDirectory, CompanyStreams, CompanyCommands, ApiTokens],
})
export class CompaniesModule {}
