import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { CLOCK, IDS } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import { LocationsModule } from '#domain/locations/index.js';
import { PushModule } from '#api/push/index.js';
import { PageReader } from './fetching/page-reader.js';
import { PullHttp } from './fetching/pull-http.js';
import { DueSources } from './due-sources.js';
import { KnownPages } from './known-pages.js';
import { PullSourceWrites } from './pull-source-writes.js';
import { PullDestinations } from './pull-destinations.js';
import { PullReads } from './pull-reads.js';
import { PullRecordsModule } from './pull-records.module.js';
import { PullRun } from './pull-run.js';
import { PullRunRecorder } from './pull-run-recorder.js';
import { PullScheduler } from './pull-scheduler.js';
import { PullSourceAdministration } from './pull-source-administration.js';
import { PullSourceTest } from './pull-source-test.js';
import { WritePullSourceHandler } from './write-pull-source.js';
import { PullSourcesController } from './pull-sources.controller.js';

/** The key that encrypts credentials of sources (`Buffer` of 32 bytes), derived from the master secret. */
export const PULL_SECRETS_KEY = Symbol('PullSecretsKey');

/**
 * Fetches data from PMSs. Global modules must provide CLOCK, IDS, LOGGER, RECORDS, EVENT_STORE, ENVIRONMENT, PullHttp,
 * PULL_SECRETS_KEY and CommandRunner, and the needs of PushModule.
 */
@Module({
  imports: [CompaniesModule, LocationsModule, PullRecordsModule, PushModule],
  controllers: [PullSourcesController],
  providers: [
    PullSourceAdministration,
    DueSources,
    PullReads,
    KnownPages,
    WritePullSourceHandler,
    PullRun,
    PullRunRecorder,
    PullScheduler,
    PullSourceWrites,
    PullDestinations,
    PullSourceTest,
    { provide: SecretBox, useFactory: (key: Buffer) => new SecretBox(key), inject: [PULL_SECRETS_KEY] },
    {
      provide: PageReader,
      useFactory: (...ports: ConstructorParameters<typeof PageReader>) => new PageReader(...ports),
      inject: [PullHttp, CLOCK, IDS],
    },
  ],
  exports: [PullRecordsModule, PullScheduler, PullSourceAdministration],
})
export class PullModule implements OnApplicationShutdown {
  constructor(private readonly http: PullHttp) {}

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
