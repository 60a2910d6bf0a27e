import { Get, Param, Post } from '@nestjs/common';
import { invalidField } from '../../http/api-error.js';
import { ForOperators } from '../../http/operator-access.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { ObjectBody, PlainQuery, validForm } from '../../http/validation/valid.js';
import {
  EntryPointChangeBody,
  FacilityLinksController,
  LocationsController,
  NameBody,
  NewEntryPointBody,
  NewLockBody,
} from '../../operator/index.js';
import { type Done, type Page, type Refused, SeeOther, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { mayDo } from '../parts/roles.js';
import { Equipment } from './equipment.js';
import { entryPointList, zoneList } from './equipment-lists.js';
import { FramedLocation } from './framed-location.js';
import { LockList, type LocksQuery } from './lock-list.js';
import { locationPage, locationPath } from './location-frame.js';

const NO_ZONE = 'The zone ids field must have at least one zone: without one it opens for nobody.';

/** The cursor of each list of the page, and which locks are listed. */
interface EquipmentQuery extends LocksQuery {
  readonly zones?: string;
  readonly entry_points?: string;
  readonly locks?: string;
}

/** Zones, entry points and locks of a location. */
@ForOperators('auditor')
@Pages('dashboard')
export class EquipmentPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationsController,
    private readonly links: FacilityLinksController,
    private readonly locks: LockList,
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
    const { zones } = (await this.locations.zones(location_id)).data;
    return zoneList(location_id, zones, []).csv();
  }

  @Get('locations/:location_id/entry-points.csv')
  async entryPointsAsCsv(@Param('location_id') location_id: string): Promise<StreamedDownload> {
    const { entry_points } = (await this.locations.entryPoints(location_id)).data;
    return entryPointList(location_id, entry_points, { zones: [], mayChange: false }).csv();
  }

  @Costly()
  @Get('locations/:location_id/locks.csv')
  async locksAsCsv(
    @Param('location_id') location_id: string,
    @PlainQuery() query: EquipmentQuery,
  ): Promise<StreamedDownload> {
    return this.locks.csv((await this.locations.one(location_id)).data, query);
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
      const { zones } = (await this.locations.zones(location_id)).data;
      if (zones.length > 0 && (body.zone_ids ?? []).length === 0)
        throw invalidField('zone_ids', 'required', NO_ZONE);
      const { data } = await this.locations.addEntryPoint(location_id, body, context);
      return data.zone_ids.length === 0 ? 'entry_point_closed' : 'entry_point_added';
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
    const { data } = await this.links.changeEntryPoint(entry_point_id, change, context);
    const done = data.in_service ? 'in_service' : 'out_of_service';
    return new SeeOther(`${locationPath(data.location_id)}/equipment`, done);
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
        return new SeeOther(`${locationPath(location_id)}/equipment`, await add());
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    { refused, query = {} }: { readonly refused?: Refused; readonly query?: EquipmentQuery },
  ): Promise<Page> {
    const framed = await this.framed.of(location_id);
    const { zones } = (await this.locations.zones(location_id)).data;
    const { entry_points } = (await this.locations.entryPoints(location_id)).data;
    const mayChange = mayDo(principal.role, 'manager');
    const [zonesShown, entryPointsShown, locksShown] = await Promise.all([
      zoneList(location_id, zones, entry_points).show(query.zones),
      entryPointList(location_id, entry_points, { zones, mayChange }).show(query.entry_points),
      this.locks.show(framed.location, query, query.locks),
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
