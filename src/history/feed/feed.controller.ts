import { Controller, Get } from '@nestjs/common';
import { IsString, Length, ValidateIf } from 'class-validator';
import { invalidField } from '../../http/api-error.js';
import { type ApiTokenPrincipal, Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { envelope } from '../../http/pipeline/answer.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { fieldRule, Says } from '../../http/validation/decorators.js';
import { IsPageLimit, USUAL_PAGE } from '../../http/validation/page-query.js';
import { isGiven } from '../../http/validation/presence.js';
import { rule } from '../../http/validation/rules.js';
import { ValidQuery } from '../../http/validation/valid.js';
import { PositionLostError } from '../../log/event-store.errors.js';
import { FEED_SCHEMA } from '../history.schemas.js';
import { EventFeed, FED_TYPES } from './event-feed.js';

const POSITION = /^\d{1,19}$/;

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
    'Position after which to read: the last `next_after`. Left out: from the first event. An unknown position is 422.',
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
      "The company's events in order, in place of webhooks. Keep `next_after` and send it as `after`. Changes that the calendar causes are no events: read `valid_until`, the forecast, or units by state.",
    summary: 'Read the events of the company in order',
    data: FEED_SCHEMA,
  })
  async read(
    @ValidQuery(FeedQuery) { after, limit = USUAL_PAGE, types }: FeedQuery,
    @Context() { principal }: RequestContext<ApiTokenPrincipal>,
  ) {
    const range = {
      after: after === undefined ? undefined : BigInt(after),
      limit,
      types: types === undefined ? undefined : new Set(types.split(',')),
    };
    try {
      return envelope(await this.feed.page(principal.company_id, range));
    } catch (error) {
      // The position is invented, or it is of a log before a restore.
      if (error instanceof PositionLostError)
        throw invalidField('after', 'format', 'The after field is invalid.');
      throw error;
    }
  }
}
