import type { OperatorUnitsController } from '../../operator/index.js';

/** A unit as the operator API shows it. */
export type UnitDetail = NonNullable<Awaited<ReturnType<OperatorUnitsController['one']>>['data']>;
