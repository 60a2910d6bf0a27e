import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../config/injection-tokens.js';
import type { EventStore } from '../log/event-store.js';
import type { Aggregate } from '../writing/aggregate.js';
import { StreamWriter } from '../writing/stream-writer.js';
import { UnseenProjection } from '../writing/unseen-projection.js';
import type { WriteContext } from '../writing/write-context.js';
import {
  decideOperator,
  evolveOperator,
  type OperatorCommand,
  type OperatorState,
} from './core/operator.decide.js';
import {
  OPERATOR_CATEGORY,
  OPERATOR_EVENT_TYPES,
  type OperatorEvent,
  operatorStream,
} from './core/operator.events.js';

/** Streams `operator-{operator_id}`. */
const OPERATOR: Aggregate<OperatorState, OperatorEvent, OperatorCommand, undefined, never> = {
  category: OPERATOR_CATEGORY,
  types: OPERATOR_EVENT_TYPES,
  evolve: evolveOperator,
  decide: decideOperator,
};

/** What was done to operators, in the log. They are few and change seldom: their folds are read from it. */
@Injectable()
export class OperatorStreams {
  readonly #projection: UnseenProjection<OperatorState, OperatorEvent>;

  constructor(
    private readonly writer: StreamWriter,
    @Inject(EVENT_STORE) store: EventStore,
  ) {
    this.#projection = new UnseenProjection(OPERATOR, store);
  }

  /** @throws StoreUnavailableError @throws WriteContendedError */
  async write(operator_id: string, command: OperatorCommand, context: WriteContext): Promise<void> {
    const writing = { aggregate: OPERATOR, projection: this.#projection, clock: 'world' as const };
    await this.writer.write(writing, [{ stream: operatorStream(operator_id), command }], context);
  }
}
