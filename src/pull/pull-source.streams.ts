import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../config/injection-tokens.js';
import type { EventStore } from '../log/event-store.js';
import type { Aggregate } from '../writing/aggregate.js';
import { CompanyClocks } from '../companies/index.js';
import { CommandRunner } from '../writing/command-runner.js';
import { LogStates } from '../writing/log-states.js';
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

/** Writes the streams of pull sources. No view holds their states: sources change seldom, so each state is read from the log. */
@Injectable()
export class PullSourceStreams {
  readonly #states: LogStates<PullSourceState, PullSourceEvent>;

  constructor(
    private readonly runner: CommandRunner,
    @Inject(EVENT_STORE) store: EventStore,
    private readonly clocks: CompanyClocks,
  ) {
    this.#states = new LogStates(PULL_SOURCE, store);
  }

  /** @throws StoreUnavailableError @throws WriteContendedError */
  async write(
    { _id: pull_source_id, company_id }: Pick<PullSourceRecord, '_id' | 'company_id'>,
    command: PullSourceCommand,
    context: WriteContext,
  ): Promise<void> {
    const clock = await this.clocks.of(company_id);
    const kind = { aggregate: PULL_SOURCE, states: this.#states };
    await this.runner.write(kind, pullSourceStream(pull_source_id), command, clock, context);
  }
}
