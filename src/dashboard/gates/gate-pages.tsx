import { Get, Param, Post } from '@nestjs/common';
import { type ActivityEntry, OperatorActivityController } from '../../history/index.js';
import { errorOf } from '../../http/api-error.js';
import { ForOperators } from '../../http/operator-access.js';
import { Costly } from '../../http/route-options.js';
import { LARGEST_PAGE } from '../../http/validation/page-query.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { ObjectBody, PlainQuery } from '../../http/validation/valid.js';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { type EntryPoint, LocationDirectory } from '../../locations/index.js';
import {
  EntryPointChangeBody,
  FacilityLinksController,
  LocationsController,
  SearchEverywhere,
} from '../../operator/index.js';
import { type FormValues, type Page, type Refused, SeeOther } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { FramedLocation } from '../locations/framed-location.js';
import { gatePath, locationPage } from '../locations/location-frame.js';
import { newestFirst } from '../parts/happened.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { NamedEntries } from '../units/named-entries.js';
import { type AskedRange, lastNight, rangeOf } from './gate-range.js';
import { GateFrame } from './gate-frame.js';
import { GateSetup } from './gate-setup.js';
import { GateView } from './gate-view.js';

/** Most pages of 500 reports that are read. */
const MOST_PAGES = 4;
/** The newest reports that the table lists. */
const LISTED = 100;

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
    private readonly named: NamedEntries,
    private readonly everywhere: SearchEverywhere,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get()
  show(
    @Param('entry_point_id') id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'dates',
      values: query,
      act: () => this.#activity(id, context, query),
      again: (refused) => this.#activity(id, context, {}, refused),
    });
  }

  @ForOperators('manager')
  @Get('setup')
  setup(
    @Param('entry_point_id') id: string,
    @PlainQuery() _query: object,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#setup(id, context);
  }

  @ForOperators('manager')
  @Post('setup')
  change(
    @Param('entry_point_id') id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'gate',
      values: form,
      act: async () => {
        const path = `${gatePath(id)}/setup`;
        if (changesNothing(form)) return new SeeOther(path, 'unchanged');
        await this.links.changeEntryPoint(id, validChange(EntryPointChangeBody, form), context);
        return new SeeOther(path, 'entry_point');
      },
      again: (refused) => this.#setup(id, context, refused),
    });
  }

  async #activity(
    id: string,
    { principal }: OperatorContext,
    query: FormValues,
    refused?: Refused,
  ): Promise<Page> {
    const { gate, zones, framed } = await this.#gate(id);
    const zone = framed.location.timezone;
    const now = await this.clocks.now(gate.company_id);
    const range = rangeOf(query, now, zone);
    const { entries, isCut } = await this.#read(gate, range);
    const [names, listed] = await Promise.all([
      this.named.reporters(entries),
      this.named.withKeys(entries.slice(0, LISTED)),
    ]);
    const taps = await this.everywhere.withUnits(listed);
    const content = (
      <GateFrame {...{ gate, zones, role: principal.role }} current="">
        <GateView
          {...{ gate, range, zone, entries, isCut, names, taps, refused }}
          night={lastNight(now, zone)}
        />
      </GateFrame>
    );
    return locationPage(framed, '/equipment', content, { title: gate.name, refused });
  }

  async #setup(id: string, { principal }: OperatorContext, refused?: Refused): Promise<Page> {
    const { gate, zones, framed } = await this.#gate(id);
    const content = (
      <GateFrame {...{ gate, zones, role: principal.role }} current="/setup">
        <GateSetup {...{ gate, zones, refused }} />
      </GateFrame>
    );
    return locationPage(framed, '/equipment', content, { title: gate.name, tab: 'Set-up', refused });
  }

  /** A gate and all zones of its location. @throws ApiError 404 */
  async #gate(id: string) {
    const gate = await this.directory.entryPoint(id);
    if (gate === undefined) throw errorOf('entry_point_not_found');
    const { zones } = (await this.locations.zones(gate.location_id)).data;
    return { gate, zones, framed: await this.framed.of(gate.location_id) };
  }

  /** At most 2,000 reports, those of the range that arrived last. */
  async #read({ entry_point_id }: EntryPoint, { first, last }: AskedRange) {
    const [from, to] = [toTimestamp(first), toTimestamp(last)];
    const entries: ActivityEntry[] = [];
    let cursor: string | undefined;
    for (let read = 0; read < MOST_PAGES; read += 1) {
      const query = { limit: LARGEST_PAGE, from, to, ...(cursor && { cursor }) };
      const page = (await this.activity.ofEntryPoint(entry_point_id, query)).data;
      entries.push(...page.entries);
      if (page.next_cursor === null) return { entries: newestFirst(entries), isCut: false };
      cursor = page.next_cursor;
    }
    return { entries: newestFirst(entries), isCut: true };
  }
}
