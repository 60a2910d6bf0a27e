import { Module } from '@nestjs/common';
import { PullRuns } from './pull-runs.js';
import { PullSources } from './pull-sources.js';
import { PullTroubles } from './pull-troubles.js';

/** The records of pull sources and their runs. A global module must provide RECORDS. */
@Module({ providers: [PullSources, PullRuns, PullTroubles], exports: [PullSources, PullRuns, PullTroubles] })
export class PullRecordsModule {}
