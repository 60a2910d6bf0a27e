import type { ResultOf } from '#kernel/result-of.js';
import { Get, Param } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { LocationOutlook } from '#api/operator/index.js';
import type { Page, StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { EmptyState } from '../parts/empty-state.js';
import { Section } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { StateMark } from '../parts/states.js';
import { amountText, countText, dateText } from '../parts/words.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { TENANT } from '../lists/unit-list.js';
import { UnitLink } from '../parts/unit-link.js';
import { type Owing, UnitTenants } from '../lists/unit-tenants.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { locationPath } from '../links/paths.js';

const DAYS = 7;

type ForeseenChange = ResultOf<LocationOutlook['forecastAccess']>['changes'][number] &
  Partial<Owing> & { readonly currency: string };

/** Units that will lose or gain access in the next days, if nothing is written. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/forecast')
export class ForecastPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly outlook: LocationOutlook,
    private readonly tenants: UnitTenants,
  ) {}

  @Costly()
  @Get()
  async show(
    @Param('location_id') location_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { page, view } = await this.#list(location_id, context).show(cursor);
    const denied = page.dates.reduce((sum, date) => sum + date.denied, 0);
    const others = page.dates.reduce((sum, date) => sum + date.changes, 0) - denied;
    const content = (
      <Section title={`The next ${DAYS} days`}>
        <p class="sentence">
          {denied === 0 ? 'No lockouts expected' : `${countText(denied, 'unit')} will be locked`}
          {others === 0 ? '' : `; ${countText(others, 'other change')}`}. Payments and PMS updates can change
          this.
        </p>
        {view}
      </Section>
    );
    return locationPage(framed, '/forecast', content);
  }

  @Costly()
  @Get('forecast.csv')
  async csv(
    @Param('location_id') location_id: string,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    return this.#list(location_id, context).csv();
  }

  #list(location_id: string, context: OperatorContext) {
    const path = `${locationPath(location_id)}/forecast`;
    return listPage({
      caption: 'Changes of access, soonest first',
      name: 'forecast',
      path,
      columns: COLUMNS,
      file: `${path}/forecast.csv`,
      keyOf: ({ unit_id, at }: ForeseenChange) => `${unit_id}-${at}`,
      read: async (range) => {
        const wanted = { days: DAYS, ...range };
        const forecast = await this.outlook.forecastAccess(location_id, wanted, context.deadline);
        const { changes, ...page } = forecast;
        const { currency } = forecast.location;
        const owing = await this.tenants.byUnitId(changes.map(({ unit_id }) => unit_id));
        return {
          ...page,
          rows: changes.map((change) => ({ ...change, ...owing.get(change.unit_id), currency })),
        };
      },
      empty: (
        <EmptyState icon="calendar" title="No changes expected">
          A payment that is missed, or a lease that begins, shows here a week ahead.
        </EmptyState>
      ),
    });
  }
}

const COLUMNS: readonly Column<ForeseenChange>[] = [
  { name: 'at' },
  { title: 'On', cell: ({ date }) => dateText(date) },
  { name: 'unit_id' },
  { title: 'Unit', name: 'unit_name', cell: (change) => <UnitLink unit={change} /> },
  TENANT,
  {
    title: 'Phone',
    name: 'phone',
    cell: ({ tenant }) => <PhoneLink phone={tenant?.phone ?? null} />,
    value: ({ tenant }) => tenant?.phone,
  },
  {
    title: 'Owes',
    name: 'balance_due',
    cell: ({ balance_due = 0, currency }) => amountText(balance_due, currency),
    value: ({ balance_due }) => balance_due,
  },
  { name: 'currency' },
  {
    title: 'From',
    name: 'from',
    cell: ({ from }) => <StateMark {...from} />,
    value: ({ from }) => from.state,
  },
  { title: 'To', name: 'to', cell: ({ to }) => <StateMark {...to} />, value: ({ to }) => to.state },
  { name: 'reason', value: ({ to }) => to.reason },
];
