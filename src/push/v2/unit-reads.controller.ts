import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ACCESS_POLICY_TABLE, ListUnits, presentUnit, ReadUnit } from '../../access/index.js';
import {
  type ApiTokenPrincipal,
  Authenticated,
  Context,
  Costly,
  envelope,
  ForOperators,
  notFound,
  type RequestContext,
  ValidQuery,
  validationFailed,
} from '../../http/index.js';
import { LocationDirectory } from '../../locations/index.js';
import { UnitListQuery } from './units.dto.js';

type PushContext = RequestContext<ApiTokenPrincipal>;

const USUAL_PAGE = 100;

/** What an integrator reads to reconcile (decisions on push reads). */
@Authenticated('api_token')
@Controller('api/v2')
export class UnitReadsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly locations: LocationDirectory,
  ) {}

  @Costly()
  @Get('units')
  async list(@ValidQuery(UnitListQuery) query: UnitListQuery, @Context() { principal }: PushContext) {
    const { cursor, limit = USUAL_PAGE, state, pms_location_code } = query;
    const { company_id } = principal;
    const location_id = await this.#locationOf(company_id, pms_location_code);
    const page = await this.queries.execute(new ListUnits({ company_id, location_id, state, cursor, limit }));
    return envelope({
      units: page.units.map((unit) => presentUnit(unit, false)),
      next_cursor: page.next_cursor,
    });
  }

  @Get('units/:crm_unit_id')
  async one(@Param('crm_unit_id') key: string, @Context() { principal }: PushContext) {
    const unit = await this.queries.execute(new ReadUnit(principal.company_id, key));
    if (unit === undefined) throw notFound('Unit not found.');
    return envelope(presentUnit(unit, true));
  }

  async #locationOf(company_id: string, code: string | undefined): Promise<string | undefined> {
    if (code === undefined) return undefined;
    const location = await this.locations.locationByCode(company_id, code);
    if (location === undefined) {
      throw validationFailed({ pms_location_code: ['The selected pms location code is invalid.'] });
    }
    return location._id;
  }
}

/** The decision procedure itself, for whoever is decided about (decisions §1). */
@ForOperators('auditor', 'api_token')
@Controller('api/v2/access-policy')
export class AccessPolicyController {
  @Get()
  read() {
    return envelope(ACCESS_POLICY_TABLE);
  }
}
