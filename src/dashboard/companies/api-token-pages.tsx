import type { ResultOf } from '#kernel/result-of.js';
import { Get, Inject, Param, Post } from '@nestjs/common';
import type { Ids } from '#kernel/ids.js';
import { IDS } from '#kernel/injection-tokens.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import {
  ApiTokenAdministration,
  ApiTokenBody,
  CompanyAdministration,
  OperatorWebhooks,
} from '#api/operator/index.js';
import { formOf, onceFor } from '../page/once.js';
import { type FormValues, Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { CopyButton } from '../parts/copy-button.js';
import { Select } from '../parts/choices.js';
import { Danger, Field, Form, Kept } from '../parts/form.js';
import { inMemory } from '../parts/in-memory.js';
import { Section } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { Instant } from '../parts/times.js';
import { WebhookList } from '../webhooks/webhook-list.js';
import { CompanyFrame, zoneOf } from '../frame/company-frame.js';
import { companyPath } from '../links/paths.js';
import { RejectedRows } from './rejected-rows.js';

type Token = ResultOf<ApiTokenAdministration['listTokens']>[number];
type Issued = ResultOf<ApiTokenAdministration['issueToken']>;

interface Beside {
  readonly refused?: Refused;
  readonly issued?: Issued;
  readonly cursor?: string | undefined;
}

/** The API tab of a company's page (specification §5.1): its tokens, and its webhooks. */
@ForOperators('admin')
@ForSiteOperators('refused')
@Pages('dashboard/companies/:company_id/api-tokens')
export class ApiTokenPages {
  constructor(
    private readonly tokens: ApiTokenAdministration,
    private readonly companies: CompanyAdministration,
    private readonly webhooks: OperatorWebhooks,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  @Get()
  show(
    @Param('company_id') company_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(company_id, context, { cursor });
  }

  @Get('api-tokens.csv')
  async csv(
    @Param('company_id') company_id: string,
    @Context() { received_at }: OperatorContext,
  ): Promise<StreamedDownload> {
    return (await this.#list(company_id, received_at, 'UTC')).csv();
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
        const body = validForm(ApiTokenBody, fields);
        // The answer is the page itself, so a reload sends the form again.
        const asked = ['api token form', company_id, JSON.stringify(body)] as const;
        const issued = await this.tokens.issueToken(company_id, body, onceFor(form_id, asked, context));
        return this.#page(company_id, context, { issued });
      },
      again: (refused) => this.#page(company_id, context, { refused }),
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

  async #page(
    company_id: string,
    { received_at }: OperatorContext,
    { refused, issued, cursor }: Beside,
  ): Promise<Page> {
    const company = await this.companies.readWholeCompany(company_id);
    const { view } = await (
      await this.#list(company_id, received_at, zoneOf(company.locations))
    ).show(cursor);
    const path = `${companyPath(company_id)}/api-tokens`;
    const webhooks = await this.webhooks.listWebhooks(company_id);
    const content = (
      <CompanyFrame company={company}>
        {issued === undefined ? null : <TokenValue issued={issued} />}
        <Section title="API tokens">{view}</Section>
        <Section title="Create a token">
          <Form name="token" action={path} submit="Create" refused={refused}>
            <Kept name="form_id" value={this.ids.ulid()} />
            <Field name="name" label="Token name" required maxLength={255} />
            <Select name="scope" label="Permissions" options={Object.entries(SCOPES)} />
          </Form>
        </Section>
        <WebhookList {...{ company_id, webhooks }} zone={zoneOf(company.locations)} />
      </CompanyFrame>
    );
    return new Page(company.name, content, refused?.status ?? (issued === undefined ? 200 : 201), {
      tab: 'API',
      heading: 'API',
      company_id,
    });
  }

  async #list(company_id: string, now: number, zone: string) {
    const tokens = await this.tokens.listTokens(company_id);
    const keyOf = ({ token_id }: Token) => token_id;
    const path = `${companyPath(company_id)}/api-tokens`;
    return listPage({
      caption: 'API tokens',
      name: 'api-tokens',
      path,
      file: `${path}/api-tokens.csv`,
      columns: columnsOf(company_id, now, zone),
      keyOf,
      read: inMemory(tokens, keyOf),
      empty: 'No token yet. A PMS needs one to write: create it below, one for each environment.',
    });
  }
}

function TokenValue({ issued: { name, token } }: { readonly issued: Issued }) {
  return (
    <section class="card" role="status">
      <h2>The value of {name}</h2>
      <p class="warning">
        It is shown only now. Keep it where secrets are kept; nobody can look it up later.
      </p>
      <code class="secret" id="token-value">
        {token}
      </code>
      <CopyButton of="token-value" />
    </section>
  );
}

const SCOPES: Readonly<Record<Token['scope'], string>> = { write: 'Read and write', read: 'Read only' };

/** @param now milliseconds */
function columnsOf(company_id: string, now: number, zone: string): readonly Column<Token>[] {
  return [
    { name: 'token_id' },
    { title: 'Name', name: 'name' },
    { title: 'Permissions', name: 'scope', cell: ({ scope }) => SCOPES[scope] },
    {
      title: 'Created',
      name: 'created_at',
      cell: ({ created_at }) => <Instant at={created_at} zone={zone} />,
    },
    {
      title: 'Expires',
      name: 'expires_at',
      cell: ({ expires_at }) => <End at={expires_at} now={now} zone={zone} />,
    },
    {
      title: 'Last used',
      name: 'last_used_at',
      cell: ({ last_used_at }) => <Instant at={last_used_at} zone={zone} />,
    },
    {
      title: 'Rejected rows',
      cell: ({ last_rejected_bulk: bulk }) =>
        bulk === null ? <span class="none">none</span> : <RejectedRows of={bulk} zone={zone} />,
    },
    { name: 'revoked_at' },
    { title: 'Delete', cell: (token) => <Deletion {...{ company_id, token, zone }} /> },
  ];
}

interface EndProps {
  readonly at: Token['expires_at'];
  readonly now: number;
  readonly zone: string;
}

function End({ at, now, zone }: EndProps) {
  if (at === null) return <Instant at={null} />;
  return (
    <>
      {Date.parse(at) <= now ? 'ended' : 'ends'} <Instant at={at} zone={zone} />
    </>
  );
}

interface DeletionProps {
  readonly company_id: string;
  readonly token: Token;
  readonly zone: string;
}

function Deletion({ company_id, token, zone }: DeletionProps) {
  const { token_id, name, revoked_at } = token;
  if (revoked_at !== null) {
    return (
      <>
        deleted <Instant at={revoked_at} zone={zone} />
      </>
    );
  }
  return (
    <Danger summary="Delete">
      <p>Whatever uses {name} is refused at once. This cannot be undone.</p>
      <Form
        name={`delete-${token_id}`}
        action={`${companyPath(company_id)}/api-tokens/${token_id}/delete`}
        submit={`Delete ${name}`}
        tone="danger"
      />
    </Danger>
  );
}
