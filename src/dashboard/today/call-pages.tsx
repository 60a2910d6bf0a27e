import { Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody } from '#web/validation/parameters.js';
import { CallAdministration } from '#api/operator/index.js';
import { Pages } from '../frame/pages.js';
import { withQuery } from '../links/with-query.js';
import { type FormValues, lastOf, SeeOther } from '../page/page.js';

/** The buttons of the list of whom to call. */
@ForOperators('manager')
@ForSiteOperators('named')
@Pages('dashboard/tenants/:tenant_id/called')
export class CallPages {
  constructor(private readonly calls: CallAdministration) {}

  @Post()
  async call(
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ): Promise<SeeOther> {
    await this.calls.callTenant(tenant_id, context);
    return new SeeOther(listOf(form), 'called');
  }

  @Post('undo')
  async takeBack(
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ): Promise<SeeOther> {
    await this.calls.takeCallBack(tenant_id, context);
    return new SeeOther(listOf(form), 'call_taken_back');
  }
}

/** The list with its filter, as the form was sent from it. */
function listOf(form: FormValues): string {
  const { company_id, location_id, reason } = form;
  return withQuery('/dashboard', {
    company_id: lastOf(company_id),
    location_id: lastOf(location_id),
    reason: lastOf(reason),
  });
}
