import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../config/injection-tokens.js';
import type { EventStore } from '../log/event-store.js';
import type { Aggregate, Projection, Snapshot } from '../writing/aggregate.js';
import { foldOnto, readFrom } from '../writing/stored-stream.js';
import { StreamWriter } from '../writing/stream-writer.js';
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
  readonly #projection: Projection<OperatorState, OperatorEvent> = {
    fold: OPERATOR,
    load: (streams) => Promise.all(streams.map((stream) => this.#fold(stream))),
    project: () => Promise.resolve(),
  };

  constructor(
    private readonly writer: StreamWriter,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws StoreUnavailableError @throws WriteContendedError */
  async write(operator_id: string, command: OperatorCommand, context: WriteContext): Promise<void> {
    const writing = { aggregate: OPERATOR, projection: this.#projection, clock: 'world' as const };
    await this.writer.write(writing, [{ stream: operatorStream(operator_id), command }], context);
  }

  async #fold(stream: string): Promise<Snapshot<OperatorState> | undefined> {
    return foldOnto(OPERATOR, undefined, await readFrom<OperatorEvent>(this.store, OPERATOR, stream, 0));
  }
}
