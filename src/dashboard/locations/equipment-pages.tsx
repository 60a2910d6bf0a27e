import { Get, Param, Post } from '@nestjs/common';
import {
  Context,
  ForOperators,
  LARGEST_PAGE,
  ObjectBody,
  PlainQuery,
  validForm,
  type OperatorContext,
} from '../../http/index.js';
import {
  EntryPointChangeBody,
  FacilityLinksController,
  LocationsController,
  NameBody,
  NewEntryPointBody,
  NewLockBody,
} from '../../operator/index.js';
import { type Done, Page, type Refused, SeeOther, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { csvOfList, csvOfPages } from '../parts/csv.js';
import { pageOf } from '../parts/page-of.js';
import { mayDo } from '../parts/roles.js';
import { ThingNames } from '../names/thing-names.js';
import { Equipment } from './equipment.js';
import { FramedLocation } from './framed-location.js';
import { LocationFrame, locationPath } from './location-frame.js';
import { LockLists } from './lock-lists.js';

const PAGE = 100;

/** Where each list of the page goes on, and which locks are told. */
interface EquipmentQuery {
  readonly zones?: string;
  readonly entry_points?: string;
  readonly locks?: string;
  /** `true` for those alone that are on no unit. */
  readonly free?: string;
}

/** What a location is fitted with: zones, entry points and locks. */
@ForOperators('auditor')
@Pages('dashboard')
export class EquipmentPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationsController,
    private readonly links: FacilityLinksController,
    private readonly names: ThingNames,
    private readonly locks: LockLists,
  ) {}

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
    return csvOfList('zones', ['zone_id', 'name'], zones);
  }

  @Get('locations/:location_id/entry-points.csv')
  async entryPointsAsCsv(@Param('location_id') location_id: string): Promise<StreamedDownload> {
    const { entry_points } = (await this.locations.entryPoints(location_id)).data;
    const rows = entry_points.map((one) => ({ ...one, zone_ids: one.zone_ids.join(' ') }));
    const columns = ['entry_point_id', 'name', 'kind', 'in_service', 'zone_ids'] as const;
    return csvOfList('entry-points', columns, rows);
  }

  @Get('locations/:location_id/locks.csv')
  async locksAsCsv(
    @Param('location_id') location_id: string,
    @PlainQuery() { free }: EquipmentQuery,
  ): Promise<StreamedDownload> {
    await this.locations.one(location_id);
    const read = (cursor?: string) => this.locks.page(location_id, { free, cursor, limit: LARGEST_PAGE });
    return csvOfPages('locks', LOCK_COLUMNS, { read, rows: ({ shown }) => shown });
  }

  @ForOperators('manager')
  @Post('locations/:location_id/zones')
  addZone(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#add('zone', 'zone_added', { location_id, form, context }, () =>
      this.locations.addZone(location_id, validForm(NameBody, form), context),
    );
  }

  @ForOperators('manager')
  @Post('locations/:location_id/entry-points')
  addEntryPoint(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#add('entry-point', 'entry_point_added', { location_id, form, context }, () =>
      this.locations.addEntryPoint(location_id, validForm(NewEntryPointBody, form), context),
    );
  }

  @ForOperators('manager')
  @Post('locations/:location_id/locks')
  addLock(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#add('lock', 'lock_added', { location_id, form, context }, () =>
      this.locations.addLock(location_id, validForm(NewLockBody, form), context),
    );
  }

  @ForOperators('manager')
  @Post('entry-points/:entry_point_id')
  async changeEntryPoint(
    @Param('entry_point_id') entry_point_id: string,
    @ObjectBody() form: { readonly in_service?: string },
    @Context() context: OperatorContext,
  ): Promise<SeeOther> {
    // Of a form for the service alone: an empty list of zones would take the entry point out of all of them.
    const { in_service } = validForm(EntryPointChangeBody, { in_service: form.in_service });
    const change = in_service === undefined ? {} : { in_service };
    const { data } = await this.links.changeEntryPoint(entry_point_id, change, context);
    const done = data.in_service ? 'in_service' : 'out_of_service';
    return new SeeOther(`${locationPath(data.location_id)}/equipment`, done);
  }

  #add(
    name: string,
    done: Done,
    { location_id, form, context }: { location_id: string; form: object; context: OperatorContext },
    add: () => Promise<unknown>,
  ) {
    return submit({
      form: name,
      values: form,
      act: async () => {
        await add();
        return new SeeOther(`${locationPath(location_id)}/equipment`, done);
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    { refused, query = {} }: { readonly refused?: Refused; readonly query?: EquipmentQuery },
  ): Promise<Page> {
    const { location, company } = await this.framed.of(location_id);
    const [zones, entryPoints, locks] = await Promise.all([
      this.locations.zones(location_id),
      this.locations.entryPoints(location_id),
      this.locks.page(location_id, { free: query.free, cursor: query.locks, limit: PAGE }),
    ]);
    const allZones = zones.data.zones;
    const content = (
      <LocationFrame location={location} company={company} current="/equipment">
        <Equipment
          path={locationPath(location_id)}
          mayChange={mayDo(principal.role, 'manager')}
          allZones={allZones}
          zones={pageOf(allZones, { ...of(query.zones), key: ({ zone_id }) => zone_id })}
          entryPoints={pageOf(entryPoints.data.entry_points, {
            ...of(query.entry_points),
            key: ({ entry_point_id }) => entry_point_id,
          })}
          locks={locks}
          onlyFree={query.free !== undefined}
          unitNames={await this.names.units(locks.shown.flatMap(({ unit_id }) => unit_id ?? []))}
          refused={refused}
        />
      </LocationFrame>
    );
    return new Page(location.name, content, refused?.status);
  }
}

const LOCK_COLUMNS = ['lock_id', 'name', 'serial', 'unit_id'] as const;

const of = (cursor: string | undefined) => ({ cursor, limit: PAGE });
