import { Inject, Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import type { Ids } from '#kernel/ids.js';
import { IDS } from '#kernel/injection-tokens.js';
import type { OperatorContext } from '#web/request-context.js';
import { ApiTokenAdministration, CompanyAdministration, OperatorWebhooks } from '#api/operator/index.js';
import { CompanyFrame, zoneOf } from '../frame/company-frame.js';
import { Page, type Refused } from '../page/page.js';
import { DrawerButton } from '../parts/drawer.js';
import { Icon } from '../parts/icon.js';
import { SectionHead } from '../parts/layout.js';
import { WebhookDrawer } from '../webhooks/webhook-form.js';
import { WebhookList, webhookCount } from '../webhooks/webhook-list.js';
import { TokenDrawer } from './token-form.js';
import { tokenList } from './token-list.js';

interface Beside {
  readonly refused?: Refused;
  /** A secret that the page shows once. */
  readonly issued?: ComponentChildren;
  readonly cursor?: string | undefined;
  /** The form whose drawer the page comes with, open. */
  readonly add?: string | undefined;
}

/** The page API of a company: its webhooks and its tokens. */
@Injectable()
export class ApiPage {
  constructor(
    private readonly tokens: ApiTokenAdministration,
    private readonly companies: CompanyAdministration,
    private readonly webhooks: OperatorWebhooks,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /** The time zone of the page's days. */
  async zoneOf(company_id: string): Promise<string> {
    return zoneOf((await this.companies.readWholeCompany(company_id)).locations);
  }

  async show(
    company_id: string,
    { received_at }: OperatorContext,
    { refused, issued, cursor, add }: Beside = {},
  ): Promise<Page> {
    const company = await this.companies.readWholeCompany(company_id);
    const zone = zoneOf(company.locations);
    const tokens = await this.tokens.listTokens(company_id);
    const webhooks = await this.webhooks.listWebhooks(company_id);
    const tries = await this.webhooks.readLastTries(webhooks);
    const list = await tokenList({ company_id, tokens, zone, now: received_at }).show(cursor);
    const drawer = { company_id, refused, ids: this.ids };
    const hasTokens = tokens.length > 0;
    const { mayAdd, text } = webhookCount(webhooks);
    const content = (
      <CompanyFrame company={company}>
        {issued}
        <SectionHead title="API tokens" {...(hasTokens && { count: tokens.length })}>
          {hasTokens ? <DrawerButton form="token">Create token</DrawerButton> : null}
        </SectionHead>
        <div class="card">{list.view}</div>
        <SectionHead title="Webhooks" id="webhooks" count={text}>
          {mayAdd && webhooks.length > 0 ? (
            <DrawerButton form="webhook" tone="usual">
              Add webhook
            </DrawerButton>
          ) : null}
        </SectionHead>
        <div class="card">
          <WebhookList {...{ webhooks, tries, zone }} />
        </div>
        <TokenDrawer {...drawer} isOpen={add === 'token'} />
        {mayAdd ? <WebhookDrawer {...drawer} isOpen={add === 'webhook'} /> : null}
      </CompanyFrame>
    );
    return new Page(company.name, content, refused?.status ?? (issued === undefined ? 200 : 201), {
      tab: 'API',
      heading: 'API',
      sub: 'For your PMS and your own systems',
      company_id,
      acts: (
        <a class="button" href="/docs">
          <Icon name="external-link" />
          Reference
        </a>
      ),
    });
  }
}
