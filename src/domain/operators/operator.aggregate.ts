import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import {
  decideOperator,
  evolveOperator,
  type OperatorCommand,
  type OperatorState,
} from './core/operator.decide.js';
import { OPERATOR_CATEGORY, OPERATOR_EVENT_TYPES, type OperatorEvent } from './core/operator.events.js';

export type OperatorKind = Kind<OperatorState, OperatorEvent, OperatorCommand, undefined, never>;

/** Streams `operator-{operator_id}`. */
export const OPERATOR: Aggregate<OperatorKind> = {
  category: OPERATOR_CATEGORY,
  types: OPERATOR_EVENT_TYPES,
  evolve: evolveOperator,
  decide: decideOperator,
};
