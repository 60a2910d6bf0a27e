import type { ResultOf } from '#kernel/result-of.js';
import type { UnitAdministration } from '#api/operator/index.js';

/** A unit as the operator API shows it. */
export type UnitDetail = ResultOf<UnitAdministration['readUnit']>;
