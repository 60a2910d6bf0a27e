import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { CLOCK, IDS } from '../config/injection-tokens.js';
import { SecretBox } from '../config/secret-box.js';
import { LocationsModule } from '../locations/index.js';
import { PushModule } from '../push/index.js';
import { PageReader } from './fetching/page-reader.js';
import { PULL_HTTP, type PullHttp } from './fetching/pull-http.js';
import { DueSources } from './due-sources.js';
import { KnownPages } from './known-pages.js';
import { PullAdministration } from './pull-administration.js';
import { PullDestinations } from './pull-destinations.js';
import { PullReads } from './pull-reads.js';
import { PullRecordsModule } from './pull-records.module.js';
import { PullRun } from './pull-run.js';
import { PullRunRecorder } from './pull-run-recorder.js';
import { PullScheduler } from './pull-scheduler.js';
import { PullSourceTest } from './pull-source-test.js';
import { PullSourceStreams } from './pull-source.streams.js';
import { PullSourcesController } from './pull-sources.controller.js';

/** The key that encrypts credentials of sources (`Buffer` of 32 bytes), derived from the master secret. */
export const PULL_SECRETS_KEY = Symbol('PullSecretsKey');

/**
 * Fetches data from PMSs. Global modules must provide CLOCK, IDS, LOGGER, RECORDS, EVENT_STORE, ENVIRONMENT, PULL_HTTP,
 * PULL_SECRETS_KEY and CommandRunner, and the needs of PushModule.
 */
@Module({
  imports: [CompaniesModule, LocationsModule, PullRecordsModule, PushModule],
  controllers: [PullSourcesController],
  providers: [
    // The dashboard's pages call it.
    PullSourcesController,
    DueSources,
    PullReads,
    KnownPages,
    PullSourceStreams,
    PullRun,
    PullRunRecorder,
    PullScheduler,
    PullAdministration,
    PullDestinations,
    PullSourceTest,
    { provide: SecretBox, useFactory: (key: Buffer) => new SecretBox(key), inject: [PULL_SECRETS_KEY] },
    {
      provide: PageReader,
      useFactory: (...ports: ConstructorParameters<typeof PageReader>) => new PageReader(...ports),
      inject: [PULL_HTTP, CLOCK, IDS],
    },
  ],
  exports: [PullRecordsModule, PullScheduler, PullSourcesController],
})
export class PullModule implements OnApplicationShutdown {
  constructor(@Inject(PULL_HTTP) private readonly http: PullHttp) {}

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
