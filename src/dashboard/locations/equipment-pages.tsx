import { Get, Param, Post } from '@nestjs/common';
import { invalidField } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import {
  EntryPointChangeBody,
  EquipmentAdministration,
  LocationAdministration,
  NameBody,
  NewEntryPointBody,
  NewLockBody,
} from '#api/operator/index.js';
import { type Done, type Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { GatePassages } from '../hours/gate-passages.js';
import { mayDo } from '../parts/roles.js';
import { Equipment } from './equipment.js';
import { entryPointList, entryPointsFile, zoneList, zonesFile } from './equipment-lists.js';
import { FramedLocation } from '../frame/framed-location.js';
import { LockList, type LocksQuery } from './lock-list.js';
import { locationPage } from '../frame/location-frame.js';
import { equipmentPath, locationPath } from '../links/paths.js';

const NO_ZONE = 'The zone ids field must have at least one zone: without one it opens for nobody.';

/** The cursor of each list of the page, and which locks are listed. */
interface EquipmentQuery extends LocksQuery {
  readonly zones?: string;
  readonly entry_points?: string;
  readonly locks?: string;
}

/** Zones, entry points and locks of a location. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard')
export class EquipmentPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly equipment: EquipmentAdministration,
    private readonly locks: LockList,
    private readonly passages: GatePassages,
  ) {}

  @Costly()
  @Get('locations/:location_id/equipment')
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: EquipmentQuery,
    @Context() context: OperatorContext,
  ) {
    return this.#page(location_id, context, { query });
  }

  @Get('locations/:location_id/zones.csv')
  async zonesAsCsv(@Param('location_id') location_id: string): Promise<StreamedDownload> {
    return zonesFile(location_id, await this.locations.listZones(location_id));
  }

  @Get('locations/:location_id/entry-points.csv')
  async entryPointsAsCsv(@Param('location_id') location_id: string): Promise<StreamedDownload> {
    return entryPointsFile(location_id, await this.locations.listEntryPoints(location_id));
  }

  @Costly()
  @Get('locations/:location_id/locks.csv')
  async locksAsCsv(
    @Param('location_id') location_id: string,
    @PlainQuery() query: EquipmentQuery,
  ): Promise<StreamedDownload> {
    return this.locks.csv(await this.locations.readLocation(location_id), query);
  }

  @ForOperators('manager')
  @Post('locations/:location_id/zones')
  addZone(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#add('zone', { location_id, form, context }, async () => {
      await this.locations.addZone(location_id, validForm(NameBody, form), context);
      return 'zone_added';
    });
  }

  @ForOperators('manager')
  @Post('locations/:location_id/entry-points')
  addEntryPoint(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#add('entry-point', { location_id, form, context }, async () => {
      const body = validForm(NewEntryPointBody, form);
      const zones = await this.locations.listZones(location_id);
      if (zones.length > 0 && (body.zone_ids ?? []).length === 0)
        throw invalidField('zone_ids', 'required', NO_ZONE);
      const { zone_ids } = await this.locations.addEntryPoint(location_id, body, context);
      return zone_ids.length === 0 ? 'entry_point_closed' : 'entry_point_added';
    });
  }

  @ForOperators('manager')
  @Post('locations/:location_id/locks')
  addLock(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#add('lock', { location_id, form, context }, async () => {
      await this.locations.addLock(location_id, validForm(NewLockBody, form), context);
      return 'lock_added';
    });
  }

  @ForOperators('manager')
  @Post('entry-points/:entry_point_id')
  async changeEntryPoint(
    @Param('entry_point_id') entry_point_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ): Promise<SeeOther> {
    const change = validForm(EntryPointChangeBody, form);
    const { location_id, in_service } = await this.equipment.changeEntryPoint(
      entry_point_id,
      change,
      context,
    );
    const done = in_service ? 'in_service' : 'out_of_service';
    return new SeeOther(equipmentPath(location_id), done);
  }

  #add(
    name: string,
    { location_id, form, context }: { location_id: string; form: object; context: OperatorContext },
    add: () => Promise<Done>,
  ) {
    return submit({
      form: name,
      values: form,
      act: async () => {
        return new SeeOther(equipmentPath(location_id), await add());
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    { refused, query = {} }: { readonly refused?: Refused; readonly query?: EquipmentQuery },
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const zones = await this.locations.listZones(location_id);
    const entry_points = await this.locations.listEntryPoints(location_id);
    const mayChange = mayDo(principal.role, 'manager');
    const { passageOf } = await this.passages.readPassages(framed.location);
    const [zonesShown, entryPointsShown, locksShown] = await Promise.all([
      zoneList(location_id, zones, entry_points, mayChange).show(query.zones),
      entryPointList(location_id, entry_points, {
        zones,
        mayChange,
        zone: framed.location.timezone,
        passageOf,
      }).show(query.entry_points),
      this.locks.show(framed.location, query, { cursor: query.locks, mayChange }),
    ]);
    const content = (
      <Equipment
        path={locationPath(location_id)}
        mayChange={mayChange}
        zones={zones}
        shown={{ zones: zonesShown.view, entryPoints: entryPointsShown.view, locks: locksShown }}
        refused={refused}
      />
    );
    return locationPage(framed, '/equipment', content, { refused });
  }
}
