import { Module } from '@nestjs/common';
import { PullRuns } from './pull-runs.js';
import { PullSources } from './pull-sources.js';
import { PullTroubles } from './pull-troubles.js';

/** Keeps pull sources and their runs, and fetches nothing. Needs the port RECORDS from a global module. */
@Module({ providers: [PullSources, PullRuns, PullTroubles], exports: [PullSources, PullRuns, PullTroubles] })
export class PullRecordsModule {}
