import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../config/injection-tokens.js';
import type { EventStore } from '../log/event-store.js';
import type { Aggregate } from '../writing/aggregate.js';
import { CompanyClocks } from '../companies/index.js';
import { StreamWriter } from '../writing/stream-writer.js';
import { UnseenProjection } from '../writing/unseen-projection.js';
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

/** What operators did to pull sources, in the log. They change seldom: their folds are read from it. */
@Injectable()
export class PullSourceStreams {
  readonly #projection: UnseenProjection<PullSourceState, PullSourceEvent>;

  constructor(
    private readonly writer: StreamWriter,
    @Inject(EVENT_STORE) store: EventStore,
    private readonly clocks: CompanyClocks,
  ) {
    this.#projection = new UnseenProjection(PULL_SOURCE, store);
  }

  /** @throws StoreUnavailableError @throws WriteContendedError */
  async write(
    { _id: pull_source_id, company_id }: Pick<PullSourceRecord, '_id' | 'company_id'>,
    command: PullSourceCommand,
    context: WriteContext,
  ): Promise<void> {
    const clock = await this.clocks.of(company_id);
    const writing = { aggregate: PULL_SOURCE, projection: this.#projection, clock };
    await this.writer.write(writing, [{ stream: pullSourceStream(pull_source_id), command }], context);
  }
}
