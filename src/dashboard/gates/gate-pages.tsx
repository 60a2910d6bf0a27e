import { Get, Param } from '@nestjs/common';
import { type ActivityEntry, OperatorActivityController } from '../../history/index.js';
import { notFound } from '../../http/api-error.js';
import { ForOperators } from '../../http/operator-access.js';
import { Costly } from '../../http/route-options.js';
import { LARGEST_PAGE } from '../../http/validation/page-query.js';
import { PlainQuery } from '../../http/validation/valid.js';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { type EntryPoint, LocationDirectory } from '../../locations/index.js';
import type { FormValues, Page } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { FramedLocation } from '../locations/framed-location.js';
import { locationPage } from '../locations/location-frame.js';
import { ThingNames } from '../names/thing-names.js';
import { type AskedRange, lastNight, rangeOf } from './gate-range.js';
import { GateView } from './gate-view.js';

/** Most pages of 500 reports that are read. */
const MOST_PAGES = 4;

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
  async show(@Param('entry_point_id') id: string, @PlainQuery() query: FormValues): Promise<Page> {
    const gate = await this.directory.entryPoint(id);
    if (gate === undefined) throw notFound('Entry point not found.');
    const framed = await this.framed.of(gate.location_id);
    const zone = framed.location.timezone;
    const now = await this.clocks.now(gate.company_id);
    const range = rangeOf(query, now, zone);
    const { entries, isCut } = await this.#read(gate, range);
    const names = await this.names.tenants(entries.map(({ tenant_id }) => tenant_id));
    const view = <GateView {...{ gate, range, zone, entries, isCut, names }} night={lastNight(now, zone)} />;
    return locationPage(framed, '/equipment', view, { title: gate.name });
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
