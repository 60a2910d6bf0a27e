import { Controller, Get } from '@nestjs/common';
import { IsString, Length, ValidateIf } from 'class-validator';
import { type ApiError, errorOf } from '#kernel/errors/api-error.js';
import { FIXES } from '#kernel/errors/error-codes.js';
import { Authenticated } from '#web/authentication.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { fieldRule, Says } from '#web/validation/decorators.js';
import { IsPageLimit, USUAL_PAGE } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';
import { rule } from '#web/validation/rules.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import { FEED_SCHEMA } from './history.schemas.js';
import { EventFeed, FED_TYPES } from '#domain/history/index.js';

const LATEST = 'latest';
const POSITION = new RegExp(`^(${LATEST}|\\d{1,19})$`);

const IsPosition = () =>
  fieldRule(
    'isPosition',
    rule({ type: 'string', pattern: POSITION.source }, (value) =>
      typeof value === 'string' && POSITION.test(value) ? undefined : { code: 'format', text: 'is invalid.' },
    ),
  );

const FED_TYPE = `(${FED_TYPES.join('|')})`;
const TYPES = new RegExp(`^${FED_TYPE}(,${FED_TYPE})*$`);

const IsTypes = () =>
  fieldRule(
    'isTypes',
    rule({ type: 'string', pattern: TYPES.source }, (value) =>
      typeof value === 'string' && TYPES.test(value)
        ? undefined
        : { code: 'unknown_value', text: 'must be types of events between commas.' },
    ),
  );

export class FeedQuery {
  @Says(
    'Position after which to read: the last `next_after`. `latest`: no events, and the present end as `next_after`. Left out: from the first event. A position beyond the end is 422 `position_unknown`.',
  )
  @ValidateIf(isGiven)
  @IsPosition()
  after?: string;
  @IsPageLimit() limit?: number;
  @Says('Types of events, with commas between them. Left out: all.')
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, 2_000)
  @IsTypes()
  types?: string;
}

/** The company's events in order. Integrators read them instead of webhooks (decisions §3). */
@Authenticated('api_token')
@Controller('api/v2/events')
export class FeedController {
  constructor(private readonly feed: EventFeed) {}

  @Costly()
  @Get()
  @Answers({
    id: 'listEvents',
    description:
      "The company's events in order, in place of webhooks. Keep `next_after` and send it as `after`. `AccessChanged` tells each change of access, whatever caused it: a write, the calendar, another unit or a policy. `valid_until` and the forecast tell what the calendar will change.",
    summary: 'Read the events of the company in order',
    data: FEED_SCHEMA,
    errors: ['position_unknown'],
  })
  async read(
    @ValidQuery(FeedQuery) { after, limit = USUAL_PAGE, types }: FeedQuery,
    @Context() { principal }: RequestContext<ApiTokenPrincipal>,
  ) {
    if (after === LATEST) return envelope(await this.feed.pageAtEnd());
    const range = {
      after: after === undefined ? undefined : BigInt(after),
      limit,
      types: types === undefined ? undefined : new Set(types.split(',')),
    };
    try {
      return envelope(await this.feed.page(principal.company_id, range));
    } catch (error) {
      if (error instanceof PositionLostError) throw positionUnknown();
      throw error;
    }
  }
}

/** The position is invented, or it is of a log before a restore. */
function positionUnknown(): ApiError {
  const message = 'The after field is a position that the log does not hold.';
  return errorOf('position_unknown', {
    hint: FIXES.position_unknown,
    details: [{ field: 'after', code: 'position_unknown', message }],
  });
}
