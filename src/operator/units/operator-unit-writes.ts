import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { presentDecision, UnitAccess } from '../../access/index.js';
import { toTimestamp } from '../../config/clock.js';
import { errorOf } from '../../http/api-error.js';
import type { RequestContext } from '../../http/request-context.js';
import { refusalError } from '../../push/index.js';
import {
  OperateUnit,
  type OperatorUnitCommand,
  UnitDirectory,
  type UnitDocument,
} from '../../units/index.js';

/** Runs the commands on units that only operators may send. They apply to units of any source. */
@Injectable()
export class OperatorUnitWrites {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
  ) {}

  /** @throws ApiError 404 `Unit not found.` */
  async demand(unit_id: string): Promise<UnitDocument> {
    const unit = await this.units.byUnitId(unit_id);
    if (unit === undefined) throw errorOf('unit_not_found');
    return unit;
  }

  /**
   * Runs a command and answers with the access decision after it.
   * @throws ApiError if the command is refused @throws StoreUnavailableError
   */
  async execute(
    unit_id: string,
    command: OperatorUnitCommand,
    context: RequestContext,
  ): Promise<Record<string, unknown>> {
    const { _id: stream, company_id } = await this.demand(unit_id);
    const outcome = await this.commandBus.execute(new OperateUnit(company_id, stream, command, context));
    if (outcome.kind === 'rejected') throw refusalError(outcome.refusal, 'standalone');
    const unit = outcome.after!.state;
    const [decision] = await this.access.decide([unit]);
    return {
      unit_id: unit.unit_id,
      applied_at: toTimestamp(outcome.applied_at),
      access: presentDecision(decision!, false),
    };
  }
}
