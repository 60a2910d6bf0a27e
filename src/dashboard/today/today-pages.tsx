import { Get } from '@nestjs/common';
import { LockoutDays } from '#domain/history/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { validQuery } from '#web/validation/read-query.js';
import { CompanyAdministration, CompanyOverview, OperatorWebhooks, TodayQuery } from '#api/operator/index.js';
import { CompanyFrame, zoneOf, zonesOf } from '../frame/company-frame.js';
import { NoCompany, RegisterCompany } from '../companies/register-company.js';
import { Page } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { GateListReader } from '../gates/gate-list.reader.js';
import { GatesTodayReader } from '../gates/gates-today.reader.js';
import { mayDo } from '../parts/roles.js';
import type { Webhook } from '../webhooks/webhook-texts.js';
import { SiteChoice } from './to-call.js';
import { TodayView } from './today-view.js';

/** Units to call on a page. */
const TO_CALL = 14;
/** Sites with a card. */
const SITES = 12;
/** Visits at gates. */
const VISITS = 4;

/** The first page: the day of one company. Without a choice it is the first company. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard')
export class TodayPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly today: CompanyOverview,
    private readonly webhooks: OperatorWebhooks,
    private readonly lockouts: LockoutDays,
    private readonly gates: GateListReader,
    private readonly gatesToday: GatesTodayReader,
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
    const today = await this.today.readToday(chosen, wanted, context, TO_CALL);
    const first = company.locations.slice(0, SITES);
    const lockedOut = new Map(today.locked_out.locations.map((site) => [site.location_id, site.units]));
    const content = (
      <CompanyFrame company={company}>
        <TodayView
          company={company}
          role={context.principal.role}
          {...{ today, wanted }}
          gatesToday={await this.#gates(chosen, Date.parse(today.at), context)}
          counted={await this.lockouts.readDays(first.map(({ location_id }) => location_id))}
          isWhole={context.principal.sites === null}
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
      lockedOut,
      acts: company.locations.length > 1 && <SiteChoice company={company} wanted={wanted} />,
    });
  }

  async #gates(company_id: string, now: number, { principal, deadline }: OperatorContext) {
    const locations = await this.gates.listLocations(company_id, principal);
    const hasGates = locations.some(({ entry_points }) => entry_points.length > 0);
    return hasGates ? this.gatesToday.read(locations, now, VISITS, deadline) : undefined;
  }

  /** Those that an admin should look at. Others see no webhooks. */
  async #webhooks(company_id: string, { principal }: OperatorContext): Promise<readonly Webhook[]> {
    return mayDo(principal.role, 'admin') ? this.webhooks.listTroubled(company_id) : [];
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
