import { Module } from '@nestjs/common';
import { PullRuns } from './pull-runs.js';
import { PullSources } from './pull-sources.js';
import { PullTroubles } from './pull-troubles.js';

/** What is kept of pull sources and their runs, without what fetches. Needs, from a global module: the port RECORDS. */
@Module({ providers: [PullSources, PullRuns, PullTroubles], exports: [PullSources, PullRuns, PullTroubles] })
export class PullRecordsModule {}
