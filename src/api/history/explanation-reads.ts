import { Injectable } from '@nestjs/common';
import { errorOf } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { UnitExplanation } from '#domain/history/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { RequestContext } from '#web/request-context.js';

type Deadline = RequestContext['deadline'];

/** The reason for a unit's access. Operators see who set each value by name. */
@Injectable()
export class ExplanationReads {
  constructor(
    private readonly units: UnitDirectory,
    private readonly explanation: UnitExplanation,
  ) {}

  /** @throws ApiError 404 */
  async explainForIntegrator(company_id: string, key: string, deadline: Deadline) {
    const unit = await this.units.byPathKey(company_id, key);
    if (unit === undefined) throw errorOf('unit_not_found');
    return this.explanation.explain(unit, false, deadline);
  }

  /** @throws ApiError 404 */
  async explainForOperator(unit_id: string, deadline: Deadline) {
    const unit = isPossibleId(unit_id) ? await this.units.byUnitId(unit_id) : undefined;
    if (unit === undefined) throw errorOf('unit_not_found');
    return this.explainUnitForOperator(unit, deadline);
  }

  explainUnitForOperator(unit: UnitDocument, deadline: Deadline) {
    return this.explanation.explain(unit, true, deadline);
  }
}
