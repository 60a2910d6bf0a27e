import { Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { ApiTokenAdministration, ApiTokenBody } from '#api/operator/index.js';
import { Pages } from '../frame/pages.js';
import { companyPath } from '../links/paths.js';
import { formOf, onceFor } from '../page/once.js';
import { type FormValues, type Page, SeeOther, type StreamedDownload } from '../page/page.js';
import { submit } from '../page/submit.js';
import { ShownOnce } from '../parts/shown-once.js';
import { ApiPage } from './api-page.js';
import { tokenIn } from './token-form.js';
import { tokenList } from './token-list.js';

interface ApiQuery {
  readonly cursor?: string;
  readonly add?: string;
}

/** The API page of a company (specification §5.1), and what it does to tokens. */
@ForOperators('admin')
@ForSiteOperators('refused')
@Pages('dashboard/companies/:company_id/api-tokens')
export class ApiTokenPages {
  constructor(
    private readonly api: ApiPage,
    private readonly tokens: ApiTokenAdministration,
  ) {}

  @Get()
  show(
    @Param('company_id') company_id: string,
    @PlainQuery() { cursor, add }: ApiQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.api.show(company_id, context, { cursor, add });
  }

  @Get('api-tokens.csv')
  async csv(
    @Param('company_id') company_id: string,
    @Context() { received_at: now }: OperatorContext,
  ): Promise<StreamedDownload> {
    const tokens = await this.tokens.listTokens(company_id);
    return tokenList({ company_id, tokens, now, zone: 'UTC' }).csv();
  }

  /** The answer shows the value of the token, once. */
  @Post()
  create(
    @Param('company_id') company_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { form_id, fields } = formOf(form);
    return submit({
      form: 'token',
      // Without `form_id`: the form that is sent after a refusal is another one.
      values: fields,
      act: async () => {
        const zone = await this.api.zoneOf(company_id);
        const body = validForm(ApiTokenBody, tokenIn(fields, zone, context.received_at));
        // The answer is the page itself, so a reload sends the form again.
        const asked = ['api token form', company_id, JSON.stringify(body)] as const;
        const { name, token } = await this.tokens.issueToken(
          company_id,
          body,
          onceFor(form_id, asked, context),
        );
        const path = `${companyPath(company_id)}/api-tokens`;
        const issued = (
          <ShownOnce title={`The value of ${name}`} id="token-value" secret={token} path={path} />
        );
        return this.api.show(company_id, context, { issued });
      },
      again: (refused) => this.api.show(company_id, context, { refused }),
    });
  }

  @Post(':token_id/delete')
  async remove(
    @Param('company_id') company_id: string,
    @Param('token_id') token_id: string,
    @Context() context: OperatorContext,
  ): Promise<SeeOther> {
    await this.tokens.revokeToken(company_id, token_id, context);
    return new SeeOther(`${companyPath(company_id)}/api-tokens`, 'revoked');
  }
}
