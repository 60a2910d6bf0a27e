import { Get, Param } from '@nestjs/common';
import { ForOperators } from '../../http/operator-access.js';
import type { DataOf } from '../../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { PlainQuery } from '../../http/validation/valid.js';
import { LocationOutlookController } from '../../operator/index.js';
import type { Page, StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { Section } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { StateMark } from '../parts/states.js';
import { amountText, countText, dateText } from '../parts/words.js';
import { PhoneLink } from '../tenants/tenant-list.js';
import { TENANT, UnitLink } from '../units/unit-list.js';
import { type Owing, UnitTenants } from '../units/unit-tenants.js';
import { FramedLocation } from './framed-location.js';
import { locationPage, locationPath } from './location-frame.js';

const DAYS = 7;

type ForeseenChange = DataOf<LocationOutlookController['foresee']>['changes'][number] & Partial<Owing>;

/** Units that will lose or gain access in the next days, if nothing is written. */
@ForOperators('auditor')
@Pages('dashboard/locations/:location_id/forecast')
export class ForecastPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly outlook: LocationOutlookController,
    private readonly tenants: UnitTenants,
  ) {}

  @Costly()
  @Get()
  async show(
    @Param('location_id') location_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const framed = await this.framed.of(location_id);
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
      ...{ caption: 'Changes of access, soonest first', name: 'forecast', path, columns: COLUMNS },
      ...{ file: `${path}/forecast.csv`, keyOf: ({ unit_id, at }: ForeseenChange) => `${unit_id}-${at}` },
      read: async (range) => {
        const wanted = { days: DAYS, ...range };
        const { changes, ...page } = (await this.outlook.foresee(location_id, wanted, context)).data;
        const owing = await this.tenants.byUnitId(changes.map(({ unit_id }) => unit_id));
        return { ...page, rows: changes.map((change) => ({ ...change, ...owing.get(change.unit_id) })) };
      },
      empty: 'No changes expected.',
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
    cell: ({ balance_due = 0 }) => amountText(balance_due),
    value: ({ balance_due }) => balance_due,
  },
  {
    title: 'From',
    name: 'from',
    cell: ({ from }) => <StateMark {...from} />,
    value: ({ from }) => from.state,
  },
  { title: 'To', name: 'to', cell: ({ to }) => <StateMark {...to} />, value: ({ to }) => to.state },
  { name: 'reason', value: ({ to }) => to.reason },
];
