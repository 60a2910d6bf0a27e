import { Get, Inject, Param, Post } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import type { ActivityEntry } from '#domain/history/index.js';
import { ActivityReads } from '#api/history/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Costly } from '#web/route-options.js';
import { LARGEST_PAGE } from '#web/validation/page-query.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { IgnoresQuery, ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { ALWAYS_OPEN, type EntryPoint } from '#domain/locations/index.js';
import {
  EntryPointChangeBody,
  EquipmentAdministration,
  HoursAdministration,
  NameBody,
  SearchEverywhere,
} from '#api/operator/index.js';
import { type FormValues, type Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { equipmentPath, gatePath } from '../links/paths.js';
import { goneLinksPath, goneLinksText } from '../locations/gone-links.js';
import { ZoneChanges } from '../locations/zone-changes.js';
import { newestFirst } from '../parts/happened.js';
import { changeOfList, changesNothing, validChange } from '../parts/initial-values.js';
import { GateHours } from '../hours/gate-hours.js';
import { picturedDays, picturedWeek } from '../hours/pictured-days.js';
import { mayDo } from '../parts/roles.js';
import { NamedEntries } from '../activity/named-entries.js';
import { type AskedRange, lastNight, rangeOf } from './gate-range.js';
import { FramedGate } from './framed-gate.js';
import { gatePage, type Shown } from './gate-frame.js';
import { GateSetup } from './gate-setup.js';
import { GateView } from './gate-view.js';
import { withTenantsUnitsThen } from './judged-taps.js';

/** Most pages of 500 reports that are read. */
const MOST_PAGES = 4;
/** The newest reports that the table lists. */
const LISTED = 100;

/** A gate: who opened it when, and the zones that it leads to. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/entry-points/:entry_point_id')
export class GatePages {
  constructor(
    private readonly framed: FramedGate,
    private readonly equipment: EquipmentAdministration,
    private readonly activity: ActivityReads,
    private readonly named: NamedEntries,
    private readonly everywhere: SearchEverywhere,
    private readonly zones: ZoneChanges,
    private readonly siteHours: HoursAdministration,
    @Inject(CALENDAR) private readonly calendar: Calendar,
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
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#setup(id, context, { outcome: goneLinksText('zone', query) });
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
        const others = withoutZones(validChange(EntryPointChangeBody, form));
        if (Object.keys(others).length > 0) await this.equipment.changeEntryPoint(id, others, context);
        const gone = await this.zones.leadGate(id, changeOfList(form, 'zone_ids'), context);
        return new SeeOther(goneLinksPath(path, gone), 'entry_point');
      },
      again: (refused) => this.#setup(id, context, { refused }),
    });
  }

  @ForOperators('manager')
  @Post('remove')
  remove(
    @Param('entry_point_id') id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'gate-remove',
      values: form,
      act: async () => {
        const { location_id } = await this.equipment.removeEntryPoint(id, context);
        return new SeeOther(equipmentPath(location_id, 'gates'), 'entry_point_removed');
      },
      again: (refused) => this.#activity(id, context, {}, refused),
    });
  }

  @ForOperators('manager')
  @Post('name')
  rename(
    @Param('entry_point_id') id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'gate-name',
      values: form,
      act: async () => {
        await this.equipment.changeEntryPoint(id, validForm(NameBody, form), context);
        return new SeeOther(gatePath(id), 'entry_point_renamed');
      },
      again: (refused) => this.#activity(id, context, {}, refused),
    });
  }

  @ForOperators('manager')
  @Post('service')
  setService(
    @Param('entry_point_id') id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'service',
      values: form,
      act: async () => {
        const change = validForm(EntryPointChangeBody, form);
        const { in_service } = await this.equipment.changeEntryPoint(id, change, context);
        return new SeeOther(gatePath(id), in_service ? 'in_service' : 'out_of_service');
      },
      again: (refused) => this.#activity(id, context, {}, refused),
    });
  }

  @IgnoresQuery()
  @Get('hours')
  hours(@Param('entry_point_id') id: string, @Context() context: OperatorContext): Promise<Page> {
    return this.#hours(id, context);
  }

  @ForOperators('manager')
  @Post('hours')
  changeHours(
    @Param('entry_point_id') id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'gate-hours',
      values: form,
      act: async () => {
        const path = `${gatePath(id)}/hours`;
        if (changesNothing(form)) return new SeeOther(path, 'unchanged');
        await this.equipment.changeEntryPoint(id, validChange(EntryPointChangeBody, form), context);
        return new SeeOther(path, 'hours');
      },
      again: (refused) => this.#hours(id, context, refused),
    });
  }

  async #hours(id: string, { principal }: OperatorContext, refused?: Refused): Promise<Page> {
    const read = await this.framed.read(id, principal);
    const { now } = read;
    const { gate } = read.framing;
    const { location } = read.framed;
    const hours = (gate.hours === 'always' ? null : location.access_hours) ?? ALWAYS_OPEN;
    const stand = await this.siteHours.readSeen(gate.location_id, undefined);
    const mayChange = gate.removed_at === undefined && mayDo(principal.role, 'manager');
    const content = (
      <GateHours
        {...{ gate, location, stand, mayChange, refused }}
        week={picturedWeek(location.access_hours ?? ALWAYS_OPEN, this.calendar)}
        days={picturedDays(hours, location.timezone, now, this.calendar)}
      />
    );
    return gatePage(read, { current: '/hours', refused }, content);
  }

  async #activity(
    id: string,
    { principal, deadline }: OperatorContext,
    query: FormValues,
    refused?: Refused,
  ): Promise<Page> {
    const read = await this.framed.read(id, principal);
    const { now } = read;
    const { gate, zone } = read.framing;
    const { currency } = read.framed.location;
    const range = rangeOf(query, now, zone);
    const { entries, isCut } = await this.#read(gate, range);
    const [names, listed] = await Promise.all([
      this.named.findReporters(entries),
      this.named.withHadKey(entries.slice(0, LISTED)),
    ]);
    const { everywhere, named } = this;
    const taps = await withTenantsUnitsThen(listed, { everywhere, named, currency, deadline });
    const content = (
      <GateView
        {...{ gate, range, zone, entries, isCut, names, taps, refused }}
        night={lastNight(now, zone)}
      />
    );
    return gatePage(read, { current: '', refused }, content);
  }

  async #setup(id: string, { principal }: OperatorContext, said: Omit<Shown, 'current'>): Promise<Page> {
    const read = await this.framed.read(id, principal);
    const { gate, zones } = read.framing;
    const content = <GateSetup {...{ gate, zones }} refused={said.refused} />;
    return gatePage(read, { current: '/setup', ...said }, content);
  }

  /** At most 2,000 reports, those of the range that arrived last. */
  async #read({ entry_point_id }: EntryPoint, { first, last }: AskedRange) {
    const from = toTimestamp(first);
    const to = toTimestamp(last);
    const entries: ActivityEntry[] = [];
    let cursor: string | undefined;
    for (let read = 0; read < MOST_PAGES; read += 1) {
      const query = { limit: LARGEST_PAGE, from, to, ...(cursor && { cursor }) };
      const page = await this.activity.listOfEntryPoint(entry_point_id, query);
      entries.push(...page.entries);
      if (page.next_cursor === null) return { entries: newestFirst(entries), isCut: false };
      cursor = page.next_cursor;
    }
    return { entries: newestFirst(entries), isCut: true };
  }
}

/** Zones are led to one by one: what others add meanwhile stays. */
function withoutZones({ zone_ids: _, ...others }: EntryPointChangeBody) {
  return others;
}
