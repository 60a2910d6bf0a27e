import { Controller, Param, Post } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { RateLimited } from '#web/route-options.js';
import { DemandedBody } from '#web/validation/parameters.js';
import { ActivityAnswers, CREATED, REPORTS } from './activity-answers.js';
import {
  bodyOf,
  CURRENT_FORMS,
  EARLIER_FORMS,
  namedBodyOf,
  namedReportsIn,
  type ReportForms,
  reportsIn,
} from './activity.dto.js';
import { ALL_REFUSED, LOGGED_SCHEMA } from './activity.schemas.js';

const ANSWER = {
  message: CREATED,
  data: LOGGED_SCHEMA,
  refused: ALL_REFUSED,
} as const;
const OF_LOCK = {
  ...ANSWER,
  id: 'reportLockActivity',
  description:
    'Reports what happened at a lock: one report, or up to 100 under `entries`. A report belongs to the unit that the lock was on at `occurred_at`. It is refused (403) if the tenant had no access to it then. If every report of a batch is refused, the answer has the status of the first error and tells each outcome. 120 reports in 60 s and 5 MB a day.',
  summary: 'Report what happened at a lock',
  errors: ['lock_not_found', 'no_access_then', 'client_log_id_reused', 'rate_limited'],
} as const;
const OF_ENTRY_POINT = {
  ...ANSWER,
  id: 'reportEntryPointActivity',
  description:
    'Reports what happened at a gate, door or elevator: one report, or up to 100 under `entries`. It is refused (403) if the tenant had no access to it at `occurred_at`. If every report of a batch is refused, the answer has the status of the first error and tells each outcome.',
  summary: 'Report what happened at an entry point',
  errors: ['entry_point_not_found', 'no_access_then', 'client_log_id_reused', 'rate_limited'],
} as const;
const OF_NAMED_ENTRY_POINT = {
  ...OF_ENTRY_POINT,
  id: 'reportNamedEntryPointActivity',
  description: 'As the route with the identifier in its path; the body names the entry point.',
  summary: 'Report what happened at an entry point that the body names',
} as const;

type TenantContext = RequestContext<TenantPrincipal>;
type Body = Readonly<Record<string, unknown>>;

/** Reports of tenants' apps about locks and entry points (specification §4.2), for one version of the API. */
function activityController(paths: string | string[], forms: ReportForms) {
  @Authenticated('tenant')
  @RateLimited(REPORTS.name)
  @Controller(paths)
  class ActivityReports {
    constructor(private readonly answers: ActivityAnswers) {}

    @Post('locks/:id/logs')
    @Answers({ ...OF_LOCK, body: bodyOf(forms) })
    reportLock(@Param('id') id: string, @DemandedBody() body: Body, @Context() context: TenantContext) {
      return this.answers.reportOfLock(id, { reports: reportsIn(body, forms), context });
    }

    @Post('entry-points/logs')
    @Answers({ ...OF_NAMED_ENTRY_POINT, body: namedBodyOf(forms) })
    reportNamedEntryPoint(@DemandedBody() body: Body, @Context() context: TenantContext) {
      const { entry_point_id, reports } = namedReportsIn(body, forms);
      return this.answers.reportOfEntryPoint(entry_point_id, { reports, context });
    }

    @Post('entry-points/:id/logs')
    @Answers({ ...OF_ENTRY_POINT, body: bodyOf(forms) })
    reportEntryPoint(@Param('id') id: string, @DemandedBody() body: Body, @Context() context: TenantContext) {
      return this.answers.reportOfEntryPoint(id, { reports: reportsIn(body, forms), context });
    }
  }
  return ActivityReports;
}

export const ActivityController = activityController('api/v2', CURRENT_FORMS);
export const EarlierActivityController = activityController(['api/v1', 'api'], EARLIER_FORMS);
