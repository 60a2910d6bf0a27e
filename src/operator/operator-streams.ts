import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../config/injection-tokens.js';
import type { EventStore } from '../log/event-store.js';
import type { Aggregate } from '../writing/aggregate.js';
import { CommandRunner } from '../writing/command-runner.js';
import { LogStates } from '../writing/log-states.js';
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
export const OPERATOR: Aggregate<OperatorState, OperatorEvent, OperatorCommand, undefined, never> = {
  category: OPERATOR_CATEGORY,
  types: OPERATOR_EVENT_TYPES,
  evolve: evolveOperator,
  decide: decideOperator,
};

/** Writes the streams of operators. No view holds their states: operators are few, so each state is read from the log. */
@Injectable()
export class OperatorStreams {
  readonly #states: LogStates<OperatorState, OperatorEvent>;

  constructor(
    private readonly runner: CommandRunner,
    @Inject(EVENT_STORE) store: EventStore,
  ) {
    this.#states = new LogStates(OPERATOR, store);
  }

  /** @throws StoreUnavailableError @throws WriteContendedError */
  async write(operator_id: string, command: OperatorCommand, context: WriteContext): Promise<void> {
    const kind = { aggregate: OPERATOR, states: this.#states };
    await this.runner.write(kind, operatorStream(operator_id), command, 'world', context);
  }
}
