import { Controller, Get, Param } from '@nestjs/common';
import { IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { ACCESS_REASONS, type AccessReason, BALANCE_DUE, REASON, REASON_SCHEMA } from '../../access/index.js';
import { CompanyClocks, CompanyDirectory } from '../../companies/index.js';
import { toTimestamp } from '../../config/clock.js';
import {
  CHANGES_SCHEMA,
  CompanyChanges,
  DENIED_UNITS,
  EVENT_TYPE_SCHEMA,
  FED_TYPES,
  LOCKED_OUT_SINCE,
} from '../../history/index.js';
import { Answers } from '../../http/openapi/answers.js';
import * as field from '../../http/openapi/fields.js';
import * as schema from '../../http/openapi/schemas.js';
import { ForOperators } from '../../http/operator-access.js';
import { envelope } from '../../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { IsUlid, Says } from '../../http/validation/decorators.js';
import { PageQuery, USUAL_PAGE } from '../../http/validation/page-query.js';
import { isGiven } from '../../http/validation/presence.js';
import { ValidQuery } from '../../http/validation/valid.js';
import { ACTIVITY_EVENTS } from '../../locks/index.js';
import { PULL_LATE_SCHEMA } from '../../pull/index.js';
import { found } from '../facility.refusals.js';
import { REJECTED_BULK } from '../facility.schemas.js';
import { CompanyToday, CHANGES_SPAN } from './company-today.js';

const { location_id, name, pull_source_id, tenant_id, token_id, unit_id, unit_name } = field;
const { flag, instant, list, nullable, number, object, oneOf, says, text, whole } = schema;

export class ChangesQuery extends PageQuery {
  @Says('Only events of this type. Left out: all.')
  @ValidateIf(isGiven)
  @IsIn(FED_TYPES)
  type?: string;
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

const UNITS = says('How many units.', whole);

const TENANT = {
  tenant_id,
  tenant_name: says("The tenant's name. Null if it is not known or was erased.", nullable(text)),
};

/** A unit whose tenant is to be called. */
const TO_CALL = {
  ...{ unit_id, unit_name, location_id, ...TENANT },
  location_name: says('Name of the location.', text),
  phone: field.phone,
  balance_due: BALANCE_DUE,
  days_late: says('Whole days past `paid_through_date`. Null if there is no date.', nullable(whole)),
  last_refused_at: says(
    "Instant of the tenant's last refusal at a lock of such a unit or at a gate of the location. Null if there is none among their newest reports.",
    nullable(instant),
  ),
};

const LOCKED_OUT_SCHEMA = schema.named(
  'LockedOutUnit',
  object({ ...TO_CALL, reason: REASON_SCHEMA }, { locked_out_since: LOCKED_OUT_SINCE }),
);

const DENIED_OPENING = object(
  {
    log_id: says("The service's identifier of the report.", schema.id),
    occurred_at: says('Instant at which it was opened.', instant),
    recorded_at: says('Instant at which an app reported it.', instant),
    location_id,
    ...TENANT,
    name: says('Name of the lock or entry point. Null if it is gone.', nullable(text)),
    had_key: says('Whether the tenant had a key to it that was given out before and had not expired.', flag),
    denied_units: DENIED_UNITS,
  },
  { lock_id: field.lock_id, entry_point_id: field.entry_point_id },
  'DeniedOpening',
);

/** The lock or the entry point that was reported. */
const REPORTED = {
  location_id,
  name: says('Name of the lock or entry point. Null if it is gone.', nullable(text)),
  unit_id: says('The unit that the lock is on. Null: none, or an entry point.', nullable(schema.id)),
  unit_name: says('Name of that unit. Null without one.', nullable(text)),
};

const LOW_BATTERY_SCHEMA = object(
  {
    ...REPORTED,
    battery_percent: says('Charge of the battery in percent.', number),
    reported_at: says('Instant of the report.', instant),
  },
  { lock_id: field.lock_id, entry_point_id: field.entry_point_id },
  'LowBattery',
);

const FAILURE_SCHEMA = object(
  {
    ...REPORTED,
    event: says('What failed.', oneOf(ACTIVITY_EVENTS)),
    failure_code: says("The app's code of the failure. Null if it gave none.", nullable(text)),
    occurred_at: says('Instant of the failure.', instant),
    recorded_at: says('Instant at which an app reported it.', instant),
  },
  { lock_id: field.lock_id, entry_point_id: field.entry_point_id },
  'Failure',
);

const TODAY_SCHEMA = schema.named(
  'Today',
  object({
    at: says('The instant that the answer describes.', instant),
    changes: says(
      'What happened in the last 24 hours.',
      object({
        since: says('Instant from which on events are counted.', instant),
        by_type: says(
          'Counts by type of event.',
          list(object({ type: EVENT_TYPE_SCHEMA, events: says('How many events.', whole) })),
        ),
      }),
    ),
    lost_access: says(
      'Units that lost access on each of the last days. Units that were locked out from their move-in are left out. It is counted anew each 15 minutes.',
      object({
        days: says('How many days before today.', whole),
        counted_at: says(
          'Instant up to which all locations are counted. Null before the first count.',
          nullable(instant),
        ),
        dates: says(
          'The days on which a unit did, today among them.',
          list(object({ date: says('Local date at the location.', schema.date), units: UNITS })),
        ),
      }),
    ),
    losing_access: says(
      'Units that lose access in the coming days.',
      object({
        days: says('How many days, from today.', whole),
        locations: says(
          'The locations where a unit does.',
          list(object({ location_id, name, units: UNITS })),
        ),
        dates: says(
          'The days on which a unit does.',
          list(object({ date: says('Local date at the location.', schema.date), units: UNITS })),
        ),
      }),
    ),
    denied: says('Denied units, by reason.', list(object({ reason: REASON_SCHEMA, units: UNITS }))),
    locked_out: says(
      'Units that are denied for a debt or a lockout, without those of `future_move_in`.',
      object({
        tenants: says('How many tenants.', whole),
        units: UNITS,
        owed: says('What they owe together, at most 2 decimals.', number),
        first: says('The first of them, the most owed first.', list(LOCKED_OUT_SCHEMA)),
        next_skip: says('`skip` for the units that follow these. Null at the end.', nullable(whole)),
      }),
    ),
    in_auction: says(
      'Units in auction. At most 500 that nobody rents are counted at each location.',
      object({
        units: UNITS,
        first: says(
          'Those that are rented, the most owed first.',
          list(object({ ...TO_CALL, reason: REASON }, {}, 'AuctionUnit')),
        ),
      }),
    ),
    denied_openings: says(
      'Openings in the last 24 hours by tenants whose units were denied at that instant, among the newest 500 reports since `changes.since`.',
      object({
        openings: says('How many.', whole),
        first: says('The newest of them.', list(DENIED_OPENING)),
      }),
    ),
    low_batteries: says(
      'Locks on units and entry points whose last reported charge is below 20 %.',
      object({
        batteries: says('How many.', whole),
        first: says('The first of them, the lowest first.', list(LOW_BATTERY_SCHEMA)),
      }),
    ),
    failures: says(
      'The newest failure of each lock and entry point that was reported in the last 24 hours. A correct refusal is no failure.',
      object({
        failed: says('How many locks and entry points.', whole),
        first: says('The newest of them.', list(FAILURE_SCHEMA)),
      }),
    ),
    troubled_pull_sources: says(
      'Pull sources that are late, failed or refused rows.',
      list(
        object({
          pull_source_id,
          name,
          late: PULL_LATE_SCHEMA,
          last_run_at: says('End of the last run that has ended. Null if there is none.', nullable(instant)),
          last_run_failed: says('True if this run failed.', flag),
          last_run_errors: says('Rows that this run refused.', whole),
          last_run_total: says('Rows that this run read.', whole),
          reasons: says('Why this run failed, and the first reasons for refused rows.', list(text)),
        }),
      ),
    ),
    silent_tokens: says(
      'Tokens that used to write and stopped.',
      list(object({ token_id, name, last_used_at: says('Instant of the last use.', instant) })),
    ),
    rejected_bulks: says(
      'For each valid token: its last bulk of the last 24 hours with rejected rows, or refused as a whole.',
      list(object({ token_id, name, ...REJECTED_BULK })),
    ),
  }),
);

/** The overview that an operator sees first in the morning (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/companies/:company_id')
export class CompanyTodayController {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly digest: CompanyToday,
    private readonly recent: CompanyChanges,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get('today')
  @Answers({
    id: 'getToday',
    description:
      'Counts events of 24 h and looks 7 days ahead. Lists name the first entries; the counts are of all.',
    summary:
      'Read recent changes, denied units now and soon, late pull sources, silent tokens and rejected rows',
    data: TODAY_SCHEMA,
    errors: ['company_not_found'],
  })
  async today(
    @Param('company_id') company_id: string,
    @ValidQuery(TodayQuery) wanted: TodayQuery,
    @Context() { deadline }: Pick<OperatorContext, 'deadline'>,
  ) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    return envelope(await this.digest.of(company_id, this.clocks.clockOf(company), deadline, wanted));
  }

  @Costly()
  @Get('changes')
  @Answers({
    id: 'listRecentChanges',
    description:
      "The company's events since this time yesterday. `data.occurred_at` orders reports of apps. `GET /api/v2/events` has all.",
    summary: 'List what happened in the last 24 hours, newest first',
    data: CHANGES_SCHEMA,
    errors: ['company_not_found'],
  })
  async changes(
    @Param('company_id') company_id: string,
    @ValidQuery(ChangesQuery) { limit = USUAL_PAGE, ...query }: ChangesQuery,
  ) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    const clock = this.clocks.clockOf(company);
    const range = { ...query, since: clock.now() - CHANGES_SPAN, ahead: clock.ahead, limit };
    const { since, ...page } = await this.recent.page(company_id, range);
    return envelope({ ...page, since: toTimestamp(since) });
  }
}
