import { Module } from '@nestjs/common';
import { PullRuns } from './pull-runs.js';
import { PullSources } from './pull-sources.js';
import { LastPulls } from './last-pulls.js';
import { PullTroubles } from './pull-troubles.js';

/** The records of pull sources and their runs. A global module must provide RECORDS. */
const SHARED = [PullSources, PullRuns, PullTroubles, LastPulls];

@Module({ providers: SHARED, exports: SHARED })
export class PullRecordsModule {}
