import { Controller, Delete, Param, Patch, Post, Put } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { Answers } from '../../http/openapi/answers.js';
import { ForOperators } from '../../http/operator-access.js';
import { envelope } from '../../http/pipeline/answer.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Creates } from '../../http/route-options.js';
import { ValidBody } from '../../http/validation/valid.js';
import {
  FactsBody,
  MoveInBody,
  statedFacts,
  statedMoveIn,
  UNIT_WRITTEN_SCHEMA,
  UnitAnswers,
} from '../../push/index.js';
import { LocationDirectory } from '../../locations/index.js';
import {
  ChangeUnitFacts,
  MoveTenantIn,
  MoveTenantOut,
  RegisterUnits,
  type UnitOutcome,
  type Writer,
} from '../../units/index.js';
import { found } from '../facility.refusals.js';
import { OperatorUnitWrites } from './operator-unit-writes.js';
import { NewUnitBody } from './operator-units.dto.js';

/** Writes to standalone units: units whose data comes from operators and not from a PMS (decisions §6). */
@ForOperators('manager')
@Controller('api/operator')
export class StandaloneUnitsController {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly units: OperatorUnitWrites,
    private readonly answers: UnitAnswers,
    private readonly commands: CommandBus,
  ) {}

  @Post('locations/:location_id/units')
  @Creates('/api/operator/units/{unit_id}')
  @Answers({
    id: 'createUnit',
    description: 'For a location without a PMS: operators write the data of the unit.',
    summary: 'Create a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['location_not_found'],
  })
  async register(
    @Param('location_id') location_id: string,
    @ValidBody(NewUnitBody) { crm_unit_id, unit_name }: NewUnitBody,
    @Context() context: RequestContext,
  ) {
    const { company_id } = found(await this.locations.location(location_id), 'location_not_found');
    const unit = {
      crm_unit_id: await this.answers.crmUnitId(company_id, crm_unit_id),
      unit_name,
      location_id,
    };
    const writer: Writer = { company_id, source: 'standalone' };
    const [outcome] = await this.commands.execute(new RegisterUnits(writer, [unit], { context }));
    return envelope(await this.answers.written(outcome!, writer));
  }

  @Put('units/:unit_id/tenancy')
  @Answers({
    id: 'moveInById',
    description: 'As `moveIn`, for a standalone unit. A unit of a PMS is refused (409).',
    summary: 'Move a tenant into a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  async moveIn(
    @Param('unit_id') unit_id: string,
    @ValidBody(MoveInBody) body: MoveInBody,
    @Context() context: RequestContext,
  ) {
    const { company_id, crm_unit_id } = await this.units.demand(unit_id);
    const moveIn = statedMoveIn(crm_unit_id, body);
    return this.#execute(company_id, (writer) => new MoveTenantIn(writer, moveIn, { context }));
  }

  @Delete('units/:unit_id/tenancy')
  @Answers({
    id: 'moveOutById',
    description:
      'As `moveOut`, for a standalone unit. A unit of a PMS is refused (409). A vacant unit does not change.',
    summary: 'Move the tenant out of a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere', 'unit_retired'],
  })
  async moveOut(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    const { company_id, crm_unit_id } = await this.units.demand(unit_id);
    return this.#execute(company_id, (writer) => new MoveTenantOut(writer, crm_unit_id, { context }));
  }

  @Patch('units/:unit_id')
  @Answers({
    id: 'changeFactsById',
    description: 'Fields left out stay. A unit of a PMS is refused (409).',
    summary: 'Change facts of a standalone unit',
    message: 'Unit updated.',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere', 'unit_retired'],
  })
  async changeFacts(
    @Param('unit_id') unit_id: string,
    @ValidBody(FactsBody) body: FactsBody,
    @Context() context: RequestContext,
  ) {
    const { company_id, crm_unit_id } = await this.units.demand(unit_id);
    const command = (writer: Writer) =>
      new ChangeUnitFacts(writer, crm_unit_id, statedFacts(body), { context });
    return this.#execute(company_id, command, 'Unit updated.');
  }

  async #execute(company_id: string, command: (writer: Writer) => Command<UnitOutcome>, message?: string) {
    const writer: Writer = { company_id, source: 'standalone' };
    const outcome = await this.commands.execute(command(writer));
    return envelope(await this.answers.written(outcome, writer), message);
  }
}
