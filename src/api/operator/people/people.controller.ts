import { Controller, Get, Param } from '@nestjs/common';
import { envelope } from '#web/envelope.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Costly } from '#web/route-options.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { EntryPointPeopleReader } from './entry-point-people.reader.js';
import { PeopleQuery } from './people.dto.js';
import { ENTRY_POINT_PEOPLE_SCHEMA, UNIT_PEOPLE_SCHEMA } from './people.schemas.js';
import { UnitPeopleReader } from './unit-people.reader.js';

/** Who may open a unit or an entry point now (decisions §13). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator')
export class PeopleController {
  constructor(
    private readonly unitPeople: UnitPeopleReader,
    private readonly entryPointPeople: EntryPointPeopleReader,
  ) {}

  @Get('units/:unit_id/people')
  @Answers({
    id: 'listUnitPeople',
    description: 'Tenant, shares, passes and invitations, and who still holds a key that opens.',
    summary: 'List who may open a unit now',
    data: UNIT_PEOPLE_SCHEMA,
    errors: ['unit_not_found'],
  })
  async listUnitPeople(@Param('unit_id') unit_id: string) {
    return envelope(await this.unitPeople.readPeople(unit_id));
  }

  @Costly()
  @Get('entry-points/:entry_point_id/people')
  @Answers({
    id: 'listEntryPointPeople',
    description:
      'A page covers 500 units of the location, so it may hold few people or none while there is a next page.',
    summary: 'List who may open an entry point now',
    data: ENTRY_POINT_PEOPLE_SCHEMA,
    errors: ['entry_point_not_found'],
  })
  async listEntryPointPeople(
    @Param('entry_point_id') entry_point_id: string,
    @ValidQuery(PeopleQuery) { cursor }: PeopleQuery,
  ) {
    return envelope(await this.entryPointPeople.readPeople(entry_point_id, cursor));
  }
}
