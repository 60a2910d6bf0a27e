import { Get } from '@nestjs/common';
import { LatestTaps } from '#domain/history/index.js';
import { seesSite } from '#kernel/principals.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { validQuery } from '#web/validation/read-query.js';
import { LocationDirectory } from '#domain/locations/index.js';
import {
  CompanyAdministration,
  CompanyOverview,
  OperatorWebhooks,
  SearchEverywhere,
  TodayQuery,
} from '#api/operator/index.js';
import { CompanyFrame, zoneOf, zonesOf } from '../frame/company-frame.js';
import { NoCompany, RegisterCompany } from '../companies/register-company.js';
import { Page } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { ThingNames } from '../names/thing-names.js';
import { NamedEntries } from '../activity/named-entries.js';
import { mayDo } from '../parts/roles.js';
import type { Webhook } from '../webhooks/webhook-texts.js';
import { type GateToday, TodayView } from './today-view.js';

/** Gates that the page leads to. */
const GATES = 12;

/** The first page: the day of one company. Without a choice it is the first company. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard')
export class TodayPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly today: CompanyOverview,
    private readonly webhooks: OperatorWebhooks,
    private readonly locations: LocationDirectory,
    private readonly taps: LatestTaps,
    private readonly everywhere: SearchEverywhere,
    private readonly names: ThingNames,
    private readonly named: NamedEntries,
  ) {}

  @Costly()
  @Get()
  async show(
    @PlainQuery()
    { company_id, location_id, reason, skip }: Readonly<Record<'company_id' | keyof TodayQuery, unknown>>,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const { companies } = await this.companies.listCompanies({ limit: 1 }, context.principal);
    const chosen = typeof company_id === 'string' ? company_id : companies[0]?.company_id;
    if (chosen === undefined) return nothingYet(context);
    const company = await this.companies.readCompany(chosen, context.principal);
    // “All” of a choice is empty.
    const wanted = validQuery(TodayQuery, {
      location_id: location_id || undefined,
      reason: reason || undefined,
      skip: skip || undefined,
    });
    const today = await this.today.readToday(chosen, wanted, context);
    const content = (
      <CompanyFrame company={company}>
        <TodayView
          company={company}
          role={context.principal.role}
          {...{ today, wanted }}
          gates={await this.#gates(chosen, context)}
          webhooks={await this.#webhooks(chosen, context)}
          zone={zoneOf(company.locations)}
          zoneIn={zonesOf(company.locations)}
        />
      </CompanyFrame>
    );
    return new Page(`Today at ${company.name}`, content, 200, {
      heading: 'Today',
      sub: longDateText(Date.parse(today.at), zoneOf(company.locations)),
      company_id: chosen,
    });
  }

  /** Those that an admin should look at. Others see no webhooks. */
  async #webhooks(company_id: string, { principal }: OperatorContext): Promise<readonly Webhook[]> {
    return mayDo(principal.role, 'admin') ? this.webhooks.listTroubled(company_id) : [];
  }

  /** The first gates of the company, each with its newest tap. */
  async #gates(company_id: string, { principal }: OperatorContext): Promise<GateToday[]> {
    const all = await this.locations.locationsOfCompany(company_id);
    const locations = all.filter(({ _id: location_id }) => seesSite(principal, { company_id, location_id }));
    const gates = locations.flatMap(({ entry_points }) => entry_points).slice(0, GATES);
    const newest = await this.taps.newestAt(gates);
    const [taps, names] = await Promise.all([
      this.everywhere.withUnits(await this.named.withHadKey(newest)),
      this.names.findTenants(newest.map(({ tenant_id }) => tenant_id)),
    ]);
    return gates.map(({ entry_point_id, name, location_id }) => {
      const tap = taps.find((one) => one.entry_point_id === entry_point_id);
      return {
        entry_point_id,
        name,
        location_id,
        location_name: locations.length < 2 ? null : locations.find(({ _id }) => _id === location_id)!.name,
        tap: tap && { ...tap, tenant: names.get(tap.tenant_id) ?? 'Unknown' },
      };
    });
  }
}

/** `Saturday, November 28` */
function longDateText(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(at);
}

/** The page before there is a company. */
function nothingYet(context: OperatorContext): Page {
  const content = (
    <>
      <NoCompany context={context} />
      <RegisterCompany context={context} />
    </>
  );
  return new Page('Today', content);
}
