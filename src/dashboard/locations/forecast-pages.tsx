import { Get, Param } from '@nestjs/common';
import {
  Context,
  Costly,
  ForOperators,
  LARGEST_PAGE,
  type OperatorContext,
  PlainQuery,
  type DataOf,
} from '../../http/index.js';
import { LocationOutlookController } from '../../operator/index.js';
import { Page, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { csvOfPages } from '../parts/csv.js';
import { Empty, ListEnd, Section, Table } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { countText, dateText } from '../parts/words.js';
import { FramedLocation } from './framed-location.js';
import { LocationFrame, locationPath } from './location-frame.js';

const DAYS = 7;
const CHANGES = 100;

type Forecast = DataOf<LocationOutlookController['foresee']>;

/** Who will lose or gain access in the next days, if nothing is written. */
@ForOperators('auditor')
@Pages('dashboard/locations/:location_id/forecast')
export class ForecastPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly outlook: LocationOutlookController,
  ) {}

  @Costly()
  @Get()
  async show(
    @Param('location_id') location_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const { location, company } = await this.framed.of(location_id);
    const { changes, dates, next_cursor } = await this.#page(location_id, CHANGES, context, cursor);
    const path = `${locationPath(location_id)}/forecast`;
    const denied = dates.reduce((sum, date) => sum + date.denied, 0);
    const others = dates.reduce((sum, date) => sum + date.changes, 0) - denied;
    const content = (
      <LocationFrame location={location} company={company} current="/forecast">
        <Section title={`The next ${DAYS} days`}>
          <p class="sentence">
            If nothing is paid or written, access is lost {denied === 1 ? 'once' : `${denied} times`}
            {others === 0 ? '' : `; in ${countText(others, 'other change')} nobody loses it`}.
          </p>
          {changes.length === 0 ? (
            <Empty>The calendar changes nothing here.</Empty>
          ) : (
            <Table
              caption="What the calendar changes, soonest first"
              head={['On', 'Unit', 'From', 'To']}
              rows={changes.map(({ unit_id, unit_name, date, at, from, to }) => ({
                key: `${unit_id}-${at}`,
                cells: [
                  dateText(date),
                  <a href={`/dashboard/units/${unit_id}`}>{unit_name}</a>,
                  <StateMark {...from} />,
                  <StateMark {...to} />,
                ],
              }))}
            />
          )}
          <ListEnd path={path} file={`${path}/forecast.csv`} cursor={next_cursor} />
        </Section>
      </LocationFrame>
    );
    return new Page(location.name, content);
  }

  @Costly()
  @Get('forecast.csv')
  async csv(
    @Param('location_id') location_id: string,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const read = (cursor?: string) => this.#page(location_id, LARGEST_PAGE, context, cursor);
    return csvOfPages('forecast', COLUMNS, { read, rows: rowsOf });
  }

  async #page(location_id: string, limit: number, context: OperatorContext, cursor?: string) {
    const range = { days: DAYS, limit, ...(cursor ? { cursor } : {}) };
    return (await this.outlook.foresee(location_id, range, context)).data;
  }
}

const COLUMNS = ['at', 'unit_id', 'unit_name', 'from', 'to', 'reason'] as const;

function rowsOf({ changes }: Forecast) {
  return changes.map(({ from, to, ...change }) => ({
    ...change,
    from: from.state,
    to: to.state,
    reason: to.reason,
  }));
}
