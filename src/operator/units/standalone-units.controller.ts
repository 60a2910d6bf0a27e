import { Controller, Delete, Param, Patch, Post, Put } from '@nestjs/common';
import {
  Answers,
  Context,
  envelope,
  ForOperators,
  type RequestContext,
  ValidBody,
} from '../../http/index.js';
import {
  FactsBody,
  MoveInBody,
  statedFacts,
  statedMoveIn,
  UNIT_WRITTEN_SCHEMA,
  UnitWriteAnswers,
} from '../../push/index.js';
import { LocationDirectory } from '../../locations/index.js';
import type { Writer } from '../../units/index.js';
import { found } from '../facility.refusals.js';
import { OperatorUnitWrites } from './operator-unit-writes.js';
import { NewUnitBody } from './operator-units.dto.js';

/** Units whose data is kept in the dashboard: as in push, but for standalone units only (decisions §6). */
@ForOperators('manager')
@Controller('api/operator')
export class StandaloneUnitsController {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly units: OperatorUnitWrites,
    private readonly answers: UnitWriteAnswers,
  ) {}

  @Post('locations/:location_id/units')
  @Answers({ summary: 'Create a standalone unit', data: UNIT_WRITTEN_SCHEMA, errors: ['location_not_found'] })
  async register(
    @Param('location_id') location_id: string,
    @ValidBody(NewUnitBody) { crm_unit_id, unit_name }: NewUnitBody,
    @Context() context: RequestContext,
  ) {
    const { company_id } = found(await this.locations.location(location_id), 'location_not_found');
    const write = { kind: 'register', unit_name, location_id, facts: {} } as const;
    const { data } = await this.answers.write(standalone(company_id), crm_unit_id, write, context);
    return envelope(data);
  }

  @Put('units/:unit_id/tenancy')
  @Answers({
    summary: 'Move a tenant into a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere', 'unit_retired'],
  })
  async moveIn(
    @Param('unit_id') unit_id: string,
    @ValidBody(MoveInBody) body: MoveInBody,
    @Context() context: RequestContext,
  ) {
    return this.#write(unit_id, statedMoveIn(body), context);
  }

  @Delete('units/:unit_id/tenancy')
  @Answers({
    summary: 'Move the tenant out of a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere', 'unit_retired'],
  })
  async moveOut(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    return this.#write(unit_id, { kind: 'move_out', facts: {} }, context);
  }

  @Patch('units/:unit_id')
  @Answers({
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
    const facts = statedFacts(body);
    return this.#write(unit_id, { kind: 'change_facts', facts }, context, 'Unit updated.');
  }

  async #write(
    unit_id: string,
    write: Parameters<UnitWriteAnswers['write']>[2],
    context: RequestContext,
    message?: string,
  ) {
    const { company_id } = await this.units.demand(unit_id);
    const { data } = await this.answers.write(standalone(company_id), `ulid:${unit_id}`, write, context);
    return envelope(data, message);
  }
}

function standalone(company_id: string): Writer {
  return { company_id, source: 'standalone' };
}
