import { UNKNOWN_LOCATION } from '../refusals.js';
import { Controller, Get, Param } from '@nestjs/common';
import { ACCESS_POLICY_SCHEMA, EXPLAINED_UNIT_SCHEMA, UNIT_SCHEMA } from '#api/shapes/index.js';
import {
  ACCESS_POLICY_TABLE,
  UnitLists,
  presentUnit,
  presentExplainedUnit,
  UnitAccess,
} from '#domain/access/index.js';
import { errorOf, invalidField } from '#kernel/errors/api-error.js';
import { Authenticated } from '#web/authentication.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import * as schema from '#web/openapi/schemas.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { UnitListQuery } from './units.dto.js';

type PushContext = RequestContext<ApiTokenPrincipal>;

/** Integrators read units to compare them with their own. */
@Authenticated('api_token')
@Controller('api/v2')
export class UnitReadsController {
  constructor(
    private readonly lists: UnitLists,
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly locations: LocationDirectory,
  ) {}

  @Costly()
  @Get('units')
  @Answers({
    id: 'listUnits',
    description:
      'All units of the company by key, or those of a state or a location. A page may be short and not the last.',
    summary: 'List units',
    data: schema.named('UnitPage', schema.page('units', UNIT_SCHEMA)),
  })
  async list(@ValidQuery(UnitListQuery) query: UnitListQuery, @Context() { principal }: PushContext) {
    const { cursor, limit = USUAL_PAGE, state, pms_location_code } = query;
    const { company_id } = principal;
    const location_id = await this.#locationOf(company_id, pms_location_code);
    const page = await this.lists.page({ company_id, location_id, state, cursor, limit });
    return envelope({
      units: page.units.map((unit) => presentUnit(unit)),
      next_cursor: page.next_cursor,
    });
  }

  @Get('units/:crm_unit_id')
  @Answers({
    id: 'getUnit',
    description: 'Facts, decision and checks now. A retired unit is 404.',
    summary: 'Read a unit with its decision',
    data: EXPLAINED_UNIT_SCHEMA,
    errors: ['unit_not_found'],
  })
  async one(@Param('crm_unit_id') key: string, @Context() { principal }: PushContext) {
    const unit = await this.units.byPathKey(principal.company_id, key);
    const [described] = unit === undefined ? [] : await this.access.describe([unit]);
    if (described === undefined) throw errorOf('unit_not_found');
    return envelope(presentExplainedUnit(described));
  }

  async #locationOf(company_id: string, code: string | undefined): Promise<string | undefined> {
    if (code === undefined) return undefined;
    const location = await this.locations.locationByCode(company_id, code);
    if (location === undefined) {
      throw invalidField('pms_location_code', 'unknown_value', UNKNOWN_LOCATION);
    }
    return location._id;
  }
}

@ForOperators('auditor', 'api_token')
@ForSiteOperators('own')
@Controller('api/v2/access-policy')
export class AccessPolicyController {
  @Get()
  @Answers({
    id: 'getAccessPolicy',
    description: 'The table of checks that decides every access, with its settings.',
    summary: 'Read how decisions are made',
    data: ACCESS_POLICY_SCHEMA,
  })
  read() {
    return envelope(ACCESS_POLICY_TABLE);
  }
}
