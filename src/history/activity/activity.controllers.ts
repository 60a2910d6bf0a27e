import { Controller, Get, Param } from '@nestjs/common';
import { errorOf } from '../../http/api-error.js';
import { type ApiTokenPrincipal, Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { ForOperators } from '../../http/operator-access.js';
import { envelope } from '../../http/pipeline/answer.js';
import { isPossibleId } from '../../http/possible-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { USUAL_PAGE } from '../../http/validation/page-query.js';
import { parseTimestamp } from '../../http/validation/rules.js';
import { ValidQuery } from '../../http/validation/valid.js';
import { LocationDirectory } from '../../locations/index.js';
import { UnitDirectory } from '../../units/index.js';
import { ActivityQuery } from '../history.dto.js';
import { ActivityHistory, type ActivityPage, type ActivityRange } from './activity-history.js';
import { forIntegrators } from './activity.presenter.js';
import { DeniedOpenings } from './denied-openings.js';
import { ACTIVITY_SCHEMA, OPERATOR_ACTIVITY_SCHEMA } from '../history.schemas.js';

function rangeOf({ cursor, limit = USUAL_PAGE, from, to }: ActivityQuery): ActivityRange {
  return { cursor, limit, from: instantOf(from), to: instantOf(to) };
}

function instantOf(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : parseTimestamp(timestamp);
}

/** The reports of a unit's locks, for integrators (decisions §3). They are kept after the move-out (specification §2.1). */
@Authenticated('api_token')
@Controller('api/v2/units/:crm_unit_id/activity')
export class UnitActivityController {
  constructor(
    private readonly units: UnitDirectory,
    private readonly activity: ActivityHistory,
  ) {}

  @Costly()
  @Get()
  @Answers({
    id: 'listUnitActivity',
    description: 'Reports are kept after the tenancy.',
    summary: 'Read the reports of the locks of a unit, newest first',
    data: ACTIVITY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async list(
    @Param('crm_unit_id') key: string,
    @ValidQuery(ActivityQuery) query: ActivityQuery,
    @Context() { principal }: RequestContext<ApiTokenPrincipal>,
  ) {
    const unit = await this.units.byPathKey(principal.company_id, key);
    if (unit === undefined) throw errorOf('unit_not_found');
    const { entries, next_cursor } = await this.activity.ofUnit(unit.unit_id, rangeOf(query));
    return envelope({ entries: entries.map(forIntegrators), next_cursor });
  }
}

/** The reports of units, locks and entry points, for operators (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator')
export class OperatorActivityController {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly activity: ActivityHistory,
    private readonly denials: DeniedOpenings,
  ) {}

  @Costly()
  @Get('units/:unit_id/activity')
  @Answers({
    id: 'listUnitActivityById',
    description:
      'Reports of the locks that were on the unit. `occurred_at` orders them; `from` and `to` narrow it.',
    summary: 'Read the reports of the locks of a unit, newest first',
    data: OPERATOR_ACTIVITY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async ofUnit(@Param('unit_id') unit_id: string, @ValidQuery(ActivityQuery) query: ActivityQuery) {
    const unit = isPossibleId(unit_id) ? await this.units.byUnitId(unit_id) : undefined;
    if (unit === undefined) throw errorOf('unit_not_found');
    return this.#marked(unit, await this.activity.ofUnit(unit_id, rangeOf(query)));
  }

  @Costly()
  @Get('locks/:lock_id/activity')
  @Answers({
    id: 'listLockActivity',
    description:
      'Reports of apps, whichever unit the lock was on. `occurred_at` orders them; `from` and `to` narrow it.',
    summary: 'Read the reports of a lock, newest first',
    data: OPERATOR_ACTIVITY_SCHEMA,
    errors: ['lock_not_found'],
  })
  async ofLock(@Param('lock_id') lock_id: string, @ValidQuery(ActivityQuery) query: ActivityQuery) {
    const lock = await this.locations.lock(lock_id);
    if (lock === undefined) throw errorOf('lock_not_found');
    return this.#marked(lock, await this.activity.ofLock(lock_id, rangeOf(query)));
  }

  @Costly()
  @Get('entry-points/:entry_point_id/activity')
  @Answers({
    id: 'listEntryPointActivity',
    description: 'Reports of apps. `occurred_at` orders them; `from` and `to` narrow it.',
    summary: 'Read the reports of an entry point, newest first',
    data: OPERATOR_ACTIVITY_SCHEMA,
    errors: ['entry_point_not_found'],
  })
  async ofEntryPoint(
    @Param('entry_point_id') entry_point_id: string,
    @ValidQuery(ActivityQuery) query: ActivityQuery,
  ) {
    const entryPoint = await this.locations.entryPoint(entry_point_id);
    if (entryPoint === undefined) throw errorOf('entry_point_not_found');
    return this.#marked(entryPoint, await this.activity.ofEntryPoint(entry_point_id, rangeOf(query)));
  }

  async #marked({ location_id }: { readonly location_id: string }, { entries, next_cursor }: ActivityPage) {
    return envelope({ entries: await this.denials.mark(entries, () => location_id), next_cursor });
  }
}
