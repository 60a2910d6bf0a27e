import { Get, Param } from '@nestjs/common';
import { type ActivityEntry, OperatorActivityController } from '../../history/index.js';
import { invalidField, notFound } from '../../http/api-error.js';
import { ForOperators } from '../../http/operator-access.js';
import { Costly } from '../../http/route-options.js';
import { LARGEST_PAGE } from '../../http/validation/page-query.js';
import { PlainQuery } from '../../http/validation/valid.js';
import { CompanyClocks } from '../../companies/index.js';
import { type EntryPoint, LocationDirectory } from '../../locations/index.js';
import { Page } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { FramedLocation } from '../locations/framed-location.js';
import { LocationFrame, placeOf } from '../locations/location-frame.js';
import { ThingNames } from '../names/thing-names.js';
import { localInstant } from '../parts/words.js';
import { laterBy } from '../pictures/columns.js';
import { localTime } from './gate-times.js';
import { GateView } from './gate-view.js';

const USUAL_DAYS = 7;
const MOST_DAYS = 31;
/** Pages of 500 reports that a picture reads. */
const MOST_PAGES = 4;

interface GateQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A gate: who opened it when. */
@ForOperators('auditor')
@Pages('dashboard/entry-points/:entry_point_id')
export class GatePages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly directory: LocationDirectory,
    private readonly activity: OperatorActivityController,
    private readonly names: ThingNames,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get()
  async show(@Param('entry_point_id') id: string, @PlainQuery() query: GateQuery): Promise<Page> {
    const gate = await this.directory.entryPoint(id);
    if (gate === undefined) throw notFound('Entry point not found.');
    const { location, company } = await this.framed.of(gate.location_id);
    const zone = location.timezone;
    const now = await this.clocks.now(gate.company_id);
    const dates = datesOf(query, localTime(now, zone).date);
    const { entries, isCut } = await this.#read(gate, dates, zone);
    const names = await this.names.tenants(entries.map(({ tenant_id }) => tenant_id));
    const content = (
      <LocationFrame location={location} company={company} current="/equipment">
        <GateView gate={gate} dates={dates} zone={zone} entries={entries} isCut={isCut} names={names} />
      </LocationFrame>
    );
    return new Page(gate.name, content, 200, { place: placeOf(location, '/equipment') });
  }

  /** At most 2,000 reports, the newest of these dates. */
  async #read({ entry_point_id }: EntryPoint, dates: readonly string[], zone: string) {
    const from = localInstant(`${dates[0]}T00:00`, zone);
    const end = localInstant(`${laterBy(dates.at(-1)!, 1)}T00:00`, zone);
    const to = new Date(Date.parse(end) - 1).toISOString();
    const entries: ActivityEntry[] = [];
    let cursor: string | undefined;
    for (let read = 0; read < MOST_PAGES; read += 1) {
      const range = { limit: LARGEST_PAGE, from, to, ...(cursor && { cursor }) };
      const page = (await this.activity.ofEntryPoint(entry_point_id, range)).data;
      entries.push(...page.entries);
      if (page.next_cursor === null) return { entries, isCut: false };
      cursor = page.next_cursor;
    }
    return { entries, isCut: true };
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function isDate(text: string): boolean {
  return DATE.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && laterBy(text, 0) === text;
}

/** Every date that is asked for: the last 7 unless told otherwise. @throws ApiError 422 */
function datesOf(query: GateQuery, today: string): string[] {
  for (const name of ['from', 'to'] as const) {
    const given: unknown = query[name];
    if (given !== undefined && given !== '' && !(typeof given === 'string' && isDate(given)))
      throw invalidField(name, 'format', `The ${name} field must be a date.`);
  }
  const to = query.to || today;
  const from = query.from || laterBy(to, 1 - USUAL_DAYS);
  const days = (Date.parse(to) - Date.parse(from)) / (24 * 60 * 60_000) + 1;
  if (days < 1) throw invalidField('to', 'out_of_range', 'The to field must not be before from.');
  if (days > MOST_DAYS) throw invalidField('from', 'out_of_range', `Choose at most ${MOST_DAYS} days.`);
  return Array.from({ length: days }, (_, place) => laterBy(from, place));
}
