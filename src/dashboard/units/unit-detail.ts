import type { DataOf } from '../../http/pipeline/answer.js';
import type { OperatorUnitsController } from '../../operator/index.js';

/** A unit as the operator API shows it. */
export type UnitDetail = DataOf<OperatorUnitsController['one']>;
