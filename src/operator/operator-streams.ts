import { Injectable } from '@nestjs/common';
import type { Aggregate } from '../writing/aggregate.js';
import { CommandRunner } from '../writing/command-runner.js';
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

/** Writes the streams of operators. */
@Injectable()
export class OperatorStreams {
  constructor(private readonly runner: CommandRunner) {}

  /** @throws StoreUnavailableError @throws WriteContendedError */
  async write(operator_id: string, command: OperatorCommand, context: WriteContext): Promise<void> {
    await this.runner.write({ aggregate: OPERATOR }, operatorStream(operator_id), command, 'world', context);
  }
}
