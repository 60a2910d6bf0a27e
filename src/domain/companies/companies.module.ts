import { Module } from '@nestjs/common';
import { ApiTokens } from './api-tokens.js';
import { CompanyClocks } from './company-clocks.js';
import { CompanyDirectory } from './company.directory.js';
import { CompanyProjector } from './company.projector.js';
import { RejectionsAtSites } from './rejections-at-sites.js';
import { WriteCompanyHandler } from './write-company.js';

/**
 * Companies and their API tokens. Global modules must provide CLOCK, IDS, EVENT_STORE, RECORDS, VIEWS and CommandRunner.
 */
@Module({
  providers: [
    CompanyClocks,
    CompanyDirectory,
    CompanyProjector,
    WriteCompanyHandler,
    ApiTokens,
    RejectionsAtSites,
  ],
  exports: [CompanyClocks, CompanyDirectory, CompanyProjector, ApiTokens, RejectionsAtSites],
})
export class CompaniesModule {}
