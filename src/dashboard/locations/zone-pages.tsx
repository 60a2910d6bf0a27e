import { Get, Param, Post } from '@nestjs/common';
import { EquipmentAdministration, NameBody } from '#api/operator/index.js';
import { LocationDirectory, type Zone } from '#domain/locations/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { FramedLocation } from '../frame/framed-location.js';
import { thingPage } from '../frame/location-frame.js';
import { Pages } from '../frame/pages.js';
import { equipmentPath, zonePath } from '../links/paths.js';
import { type Done, type FormValues, lastOf, type Page, type Refused, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { changeOfList, changesNothing } from '../parts/initial-values.js';
import { mayDo } from '../parts/roles.js';
import { Removed } from '../parts/times.js';
import { countText } from '../parts/words.js';
import { EquipmentItemReader } from './equipment-item.reader.js';
import { goneLinksPath, goneLinksText } from './gone-links.js';
import { ZoneChanges } from './zone-changes.js';
import { ZoneActs, zoneText, ZoneView } from './zone-view.js';

interface ZoneQuery {
  readonly page?: unknown;
  /** How many units an action added. */
  readonly added?: unknown;
  /** How many gates an action left out, because they were removed meanwhile. */
  readonly gone?: unknown;
}

/** A zone: its units, the gates that lead to it, its name, and its end. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/zones/:zone_id')
export class ZonePages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly directory: LocationDirectory,
    private readonly equipment: EquipmentAdministration,
    private readonly changes: ZoneChanges,
    private readonly parts: EquipmentItemReader,
  ) {}

  @Costly()
  @Get()
  async show(
    @Param('zone_id') zone_id: string,
    @PlainQuery() query: ZoneQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(await this.#zone(zone_id), context, { query });
  }

  @ForOperators('manager')
  @Post('name')
  rename(
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#change('name', { zone_id, form, context }, async () => {
      await this.equipment.renameZone(zone_id, validForm(NameBody, form), context);
      return new SeeOther(zonePath(zone_id), 'zone_renamed');
    });
  }

  @ForOperators('manager')
  @Costly()
  @Post('units')
  addUnits(
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#change('units', { zone_id, form, context }, async (zone) => {
      const { added, hasEntryPoint } = await this.changes.addUnits(zone, unitsOf(form), context);
      const done: Done = hasEntryPoint ? 'units_zoned' : 'units_zoned_closed';
      return new SeeOther(`${zonePath(zone_id)}?added=${added}`, done);
    });
  }

  @ForOperators('manager')
  @Costly()
  @Post('units/take-out')
  takeOutUnits(
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#change('take-out', { zone_id, form, context }, async (zone) => {
      await this.changes.takeOutUnits(zone, unitsOf(form), context);
      return new SeeOther(zonePath(zone_id), 'units_unzoned');
    });
  }

  @ForOperators('manager')
  @Post('gates')
  leadGates(
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#change('gates', { zone_id, form, context }, async (zone) => {
      if (changesNothing(form)) return new SeeOther(zonePath(zone_id), 'unchanged');
      const gone = await this.changes.leadGates(zone, changeOfList(form, 'entry_point_ids'), context);
      return new SeeOther(goneLinksPath(zonePath(zone_id), gone), 'gates_led');
    });
  }

  @ForOperators('manager')
  @Post('remove')
  remove(
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#change('remove', { zone_id, form, context }, async ({ location_id }) => {
      await this.equipment.removeZone(zone_id, context);
      return new SeeOther(equipmentPath(location_id, 'zones'), 'zone_removed');
    });
  }

  /** @throws ApiError 404 */
  async #zone(zone_id: string): Promise<Zone> {
    const zone = await this.directory.zone(zone_id);
    if (zone === undefined) throw errorOf('zone_not_found');
    return zone;
  }

  /** @throws ApiError 404, also for a zone that was removed */
  async #change(
    name: string,
    { zone_id, form, context }: { zone_id: string; form: FormValues; context: OperatorContext },
    act: (zone: Zone) => Promise<SeeOther>,
  ) {
    const zone = await this.#zone(zone_id);
    return submit({
      form: name,
      values: form,
      act: () => {
        if (zone.removed_at !== undefined) throw errorOf('zone_not_found');
        return act(zone);
      },
      again: (refused) => this.#page(zone, context, { refused }),
    });
  }

  async #page(
    zone: Zone,
    { principal }: OperatorContext,
    { refused, query = {} }: { readonly refused?: Refused; readonly query?: ZoneQuery },
  ): Promise<Page> {
    const { zone_id, location_id, name, removed_at } = zone;
    const framed = await this.framed.readLocation(location_id);
    const { timezone } = framed.location;
    const parts = await this.parts.readZone(zone, pageIn(query));
    const mayChange = removed_at === undefined && mayDo(principal.role, 'manager');
    const content = (
      <>
        <Removed at={removed_at} zone={timezone} />
        <ZoneView {...{ zone, parts, timezone, mayChange, refused }} path={zonePath(zone_id)} />
      </>
    );
    const equipment = equipmentPath(location_id);
    const trail = [
      [equipment, 'Equipment'],
      [equipmentPath(location_id, 'zones'), 'Zones'],
    ] as const;
    return thingPage(framed, trail, content, {
      title: name,
      tab: 'Zone',
      sub: zoneText(parts),
      acts: mayChange ? <ZoneActs zone={zone} parts={parts} /> : undefined,
      refused,
      outcome: addedText(query) ?? goneLinksText('gate', query),
    });
  }
}

function unitsOf({ units }: FormValues): string {
  return lastOf(units) ?? '';
}

function pageIn({ page }: ZoneQuery): number {
  return typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

function addedText({ added }: ZoneQuery): string | undefined {
  return typeof added === 'string' && /^\d{1,3}$/.test(added)
    ? `${countText(Number(added), 'unit')} added.`
    : undefined;
}
