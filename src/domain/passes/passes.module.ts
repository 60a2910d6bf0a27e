import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { PassDirectory } from './pass.directory.js';
import { PassProjector } from './pass.projector.js';
import { PassRecords } from './pass-records.js';
import { PassesOfErased } from './passes-of-erased.js';
import { WritePassHandler } from './write-pass.js';

/** Passes of people who rent nothing. Global modules must provide RECORDS, VIEWS and CommandRunner. */
@Module({
  imports: [CompaniesModule],
  providers: [PassDirectory, PassProjector, PassRecords, PassesOfErased, WritePassHandler],
  exports: [PassDirectory, PassProjector, PassRecords, PassesOfErased],
})
export class PassesModule {}
