import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { errorOf } from '../http/api-error.js';
import { type ApiTokenPrincipal, Authenticated } from '../http/authentication.js';
import { Answers } from '../http/openapi/answers.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Costly } from '../http/route-options.js';
import { USUAL_PAGE } from '../http/validation/page-query.js';
import { parseTimestamp } from '../http/validation/rules.js';
import { ValidQuery } from '../http/validation/valid.js';
import { UnitDirectory, type UnitDocument } from '../units/index.js';
import { AsOfQuery, HistoryQuery } from './history.dto.js';
import { type HistoryPage, UnitHistory } from './unit-history.js';
import { HISTORY_SCHEMA } from './history.schemas.js';
import { UNIT_AS_OF_SCHEMA } from '../access/index.js';

type PushContext = RequestContext<ApiTokenPrincipal>;

const NOT_THEN = 'The unit did not exist at that instant. Its history says when it began.';

/** The answers for integrators and for operators, who name units differently. */
@Injectable()
export class HistoryAnswers {
  constructor(private readonly units: UnitHistory) {}

  /** @param filter removes what the caller may not see @throws ApiError 404 */
  async history(
    unit: UnitDocument | undefined,
    query: HistoryQuery,
    filter = (page: HistoryPage): HistoryPage => page,
  ) {
    if (unit === undefined) throw errorOf('unit_not_found');
    const { cursor, limit = USUAL_PAGE, order } = query;
    const [from, to] = [query.from, query.to].map((text) => text && parseTimestamp(text)) as (
      number | undefined
    )[];
    const range = { cursor, limit, order, from, to };
    return envelope(filter(await this.units.page(unit, range)));
  }

  /** @throws ApiError 404, also if the unit did not exist then */
  async asOf(unit: UnitDocument | undefined, { at }: AsOfQuery, reader: 'integrator' | 'operator') {
    if (unit === undefined) throw errorOf('unit_not_found');
    const found = await this.units.asOf(unit, parseTimestamp(at)!, reader);
    if (found === undefined) throw errorOf('unit_not_found', { hint: NOT_THEN });
    return envelope(found);
  }
}

/** The name of an operator is the e-mail address, which callers with an API token may not see. */
function withoutOperators(page: HistoryPage): HistoryPage {
  const entries = page.entries.map((entry) =>
    entry.actor.kind === 'operator' ? { ...entry, actor: { ...entry.actor, name: null } } : entry,
  );
  return { ...page, entries };
}

/** The history of a unit, for integrators. */
@Authenticated('api_token')
@Controller('api/v2/units/:crm_unit_id')
export class UnitHistoryController {
  constructor(
    private readonly units: UnitDirectory,
    private readonly answers: HistoryAnswers,
  ) {}

  @Costly()
  @Get('history')
  @Answers({
    id: 'listUnitHistory',
    description:
      'Every change of facts and access, oldest first. A change by the calendar alone has the type `AccessChanged` and no revision.',
    summary: 'Read the history of a unit',
    data: HISTORY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async history(
    @Param('crm_unit_id') key: string,
    @ValidQuery(HistoryQuery) query: HistoryQuery,
    @Context() { principal }: PushContext,
  ) {
    const unit = await this.units.byPathKey(principal.company_id, key);
    return this.answers.history(unit, query, withoutOperators);
  }

  @Costly()
  @Get('as-of')
  @Answers({
    id: 'getUnitAsOf',
    description: 'The unit exactly as a read at that instant would have answered.',
    summary: 'Read a unit as of an instant',
    data: UNIT_AS_OF_SCHEMA,
    errors: ['unit_not_found'],
  })
  async asOf(
    @Param('crm_unit_id') key: string,
    @ValidQuery(AsOfQuery) query: AsOfQuery,
    @Context() { principal }: PushContext,
  ) {
    const unit = await this.units.byPathKey(principal.company_id, key);
    return this.answers.asOf(unit, query, 'integrator');
  }
}

/** The history of a unit, for operators. */
@ForOperators('auditor')
@Controller('api/operator/units/:unit_id')
export class OperatorUnitHistoryController {
  constructor(
    private readonly units: UnitDirectory,
    private readonly answers: HistoryAnswers,
  ) {}

  @Costly()
  @Get('history')
  @Answers({
    id: 'listUnitHistoryById',
    description:
      'Events of the unit, and changes by the calendar, by other units and by policies. `from` and `to` narrow it, `order` sorts it.',
    summary: 'Read the history of a unit',
    data: HISTORY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async history(@Param('unit_id') unit_id: string, @ValidQuery(HistoryQuery) query: HistoryQuery) {
    return this.answers.history(await this.units.byUnitId(unit_id), query);
  }

  @Costly()
  @Get('as-of')
  @Answers({
    id: 'getUnitAsOfById',
    description: 'Facts, policy and decision as they stood then. Before the unit existed the answer is 404.',
    summary: 'Read a unit as of an instant',
    data: UNIT_AS_OF_SCHEMA,
    errors: ['unit_not_found'],
  })
  async asOf(@Param('unit_id') unit_id: string, @ValidQuery(AsOfQuery) query: AsOfQuery) {
    return this.answers.asOf(await this.units.byUnitId(unit_id), query, 'operator');
  }
}
