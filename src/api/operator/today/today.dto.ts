import { IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { ACCESS_REASONS, type AccessReason } from '#domain/access/index.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { IsTimestamp, IsUlid, Says } from '#web/validation/decorators.js';
import { PageQuery } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';
import { STAFF_TYPES } from './staff-kinds.js';

const ACTOR_KINDS = [
  'api_token',
  'operator',
  'pull',
  'tenant',
  'system',
] as const satisfies readonly Actor['kind'][];

export class ChangesQuery extends PageQuery {
  @Says(
    'Only events of this type. Types that the feed of events does not have are told of staff alone. Left out: all.',
  )
  @ValidateIf(isGiven)
  @IsIn(STAFF_TYPES)
  type?: string;
  @Says(
    'Only what actors of this kind did. `operator`: staff, as far back as the log reaches. Left out: all.',
  )
  @ValidateIf(isGiven)
  @IsIn(ACTOR_KINDS)
  actor?: Actor['kind'];
  @Says('Only what this operator did, as far back as the log reaches. Left out: anybody.')
  @ValidateIf(isGiven)
  @IsUlid()
  operator_id?: string;
  @Says('Only what happened at or after this instant. Left out: from `since` on.')
  @ValidateIf(isGiven)
  @IsTimestamp()
  from?: string;
  @Says('Only what happened before this instant. Left out: up to now.')
  @ValidateIf(isGiven)
  @IsTimestamp()
  to?: string;
}

export class TodayQuery {
  @Says('`locked_out.first` and `in_auction.first` list only units of this location. Left out: of all.')
  @ValidateIf(isGiven)
  @IsUlid()
  location_id?: string;
  @Says('The same lists name only units with this reason. Units in auction have none. Left out: with any.')
  @ValidateIf(isGiven)
  @IsIn(ACCESS_REASONS)
  reason?: AccessReason;
  @Says('`locked_out.next_skip` of the page before. Left out: 0.')
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  skip?: number;
}
