import { Injectable } from '@nestjs/common';
import type { Aggregate } from '../writing/aggregate.js';
import { CompanyClocks } from '../companies/index.js';
import { CommandRunner } from '../writing/command-runner.js';
import type { WriteContext } from '../writing/write-context.js';
import {
  decidePullSource,
  evolvePullSource,
  type PullSourceCommand,
  type PullSourceState,
} from './core/pull-source.decide.js';
import {
  PULL_SOURCE_CATEGORY,
  PULL_SOURCE_EVENT_TYPES,
  type PullSourceEvent,
  pullSourceStream,
} from './core/pull-source.events.js';
import type { PullSourceRecord } from './pull-sources.js';

/** Streams `pull-{pull_source_id}`. */
const PULL_SOURCE: Aggregate<PullSourceState, PullSourceEvent, PullSourceCommand, undefined, never> = {
  category: PULL_SOURCE_CATEGORY,
  types: PULL_SOURCE_EVENT_TYPES,
  evolve: evolvePullSource,
  decide: decidePullSource,
};

/** Writes the streams of pull sources. */
@Injectable()
export class PullSourceStreams {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws StoreUnavailableError @throws WriteContendedError */
  async write(
    { _id: pull_source_id, company_id }: Pick<PullSourceRecord, '_id' | 'company_id'>,
    command: PullSourceCommand,
    context: WriteContext,
  ): Promise<void> {
    const clock = await this.clocks.of(company_id);
    const stream = pullSourceStream(pull_source_id);
    await this.runner.write({ aggregate: PULL_SOURCE }, stream, command, clock, context);
  }
}
