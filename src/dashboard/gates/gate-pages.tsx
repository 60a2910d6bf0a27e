import { Get, Param, Post } from '@nestjs/common';
import { type ActivityEntry, OperatorActivityController } from '../../history/index.js';
import { notFound } from '../../http/api-error.js';
import { ForOperators } from '../../http/operator-access.js';
import { Costly } from '../../http/route-options.js';
import { LARGEST_PAGE } from '../../http/validation/page-query.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { ObjectBody, PlainQuery, validForm } from '../../http/validation/valid.js';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { type EntryPoint, LocationDirectory } from '../../locations/index.js';
import { EntryPointChangeBody, FacilityLinksController, LocationsController } from '../../operator/index.js';
import { type FormValues, type Page, type Refused, SeeOther } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { FramedLocation } from '../locations/framed-location.js';
import { locationPage } from '../locations/location-frame.js';
import { ThingNames } from '../names/thing-names.js';
import { mayDo } from '../parts/roles.js';
import { type AskedRange, lastNight, rangeOf } from './gate-range.js';
import { GateSetup } from './gate-setup.js';
import { GateView } from './gate-view.js';

/** Most pages of 500 reports that are read. */
const MOST_PAGES = 4;

/** A gate: who opened it when, and the zones that it leads to. */
@ForOperators('auditor')
@Pages('dashboard/entry-points/:entry_point_id')
export class GatePages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly directory: LocationDirectory,
    private readonly locations: LocationsController,
    private readonly links: FacilityLinksController,
    private readonly activity: OperatorActivityController,
    private readonly names: ThingNames,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get()
  show(
    @Param('entry_point_id') id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(id, context, query);
  }

  /** No zone chosen: it leads to none. */
  @ForOperators('manager')
  @Post('setup')
  setUp(
    @Param('entry_point_id') id: string,
    @ObjectBody() { name, zone_ids }: FormValues,
    @Context() context: OperatorContext,
  ) {
    const values = { name, zone_ids };
    return submit({
      form: 'gate',
      values,
      act: async () => {
        const body = validForm(EntryPointChangeBody, values, ['name']);
        await this.links.changeEntryPoint(id, body, context);
        return new SeeOther(`/dashboard/entry-points/${id}`, 'entry_point');
      },
      again: (refused) => this.#page(id, context, {}, refused),
    });
  }

  async #page(
    id: string,
    { principal }: OperatorContext,
    query: FormValues,
    refused?: Refused,
  ): Promise<Page> {
    const gate = await this.directory.entryPoint(id);
    if (gate === undefined) throw notFound('Entry point not found.');
    const framed = await this.framed.of(gate.location_id);
    const zone = framed.location.timezone;
    const now = await this.clocks.now(gate.company_id);
    const range = rangeOf(query, now, zone);
    const { entries, isCut } = await this.#read(gate, range);
    const names = await this.names.tenants(entries.map(({ tenant_id }) => tenant_id));
    const { zones } = (await this.locations.zones(gate.location_id)).data;
    const mayChange = mayDo(principal.role, 'manager');
    const content = (
      <>
        <GateView {...{ gate, range, zone, entries, isCut, names }} night={lastNight(now, zone)} />
        <GateSetup {...{ gate, zones, mayChange, refused }} />
      </>
    );
    return locationPage(framed, '/equipment', content, { title: gate.name, refused });
  }

  /** At most 2,000 reports, the newest of the range. */
  async #read({ entry_point_id }: EntryPoint, { first, last }: AskedRange) {
    const [from, to] = [toTimestamp(first), toTimestamp(last)];
    const entries: ActivityEntry[] = [];
    let cursor: string | undefined;
    for (let read = 0; read < MOST_PAGES; read += 1) {
      const query = { limit: LARGEST_PAGE, from, to, ...(cursor && { cursor }) };
      const page = (await this.activity.ofEntryPoint(entry_point_id, query)).data;
      entries.push(...page.entries);
      if (page.next_cursor === null) return { entries, isCut: false };
      cursor = page.next_cursor;
    }
    return { entries, isCut: true };
  }
}
