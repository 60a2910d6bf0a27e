import { Get, Headers, Param, Post } from '@nestjs/common';
import { LocationDirectory } from '#domain/locations/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { invalidField } from '#kernel/errors/api-error.js';
import type { Deadline } from '#kernel/yielder.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { LocationAdministration, NameBody, NewEntryPointBody } from '#api/operator/index.js';
import {
  type FormValues,
  Fragment,
  type Page,
  type Refused,
  SeeOther,
  type StreamedDownload,
} from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { GatePassages } from '../hours/gate-passages.js';
import type { AddQuery } from '../parts/drawer.js';
import { mayDo } from '../parts/roles.js';
import { ADD_FORMS, AddEquipment, Equipment, EQUIPMENT_KINDS } from './equipment.js';
import {
  entryPointList,
  entryPointsFile,
  type ListedEntryPoint,
  type ListedZone,
  zoneList,
  zonesFile,
} from './equipment-lists.js';
import { FramedLocation } from '../frame/framed-location.js';
import { LockList, type LocksQuery, peekedIn } from './lock-list.js';
import { lockPeekPanel } from './lock-peek.js';
import { EquipmentItemReader } from './equipment-item.reader.js';
import { asksForPeek } from '../peek/asks-for-peek.js';
import { NewLocks } from './new-locks.js';
import { locationPage } from '../frame/location-frame.js';
import { type EquipmentKind, equipmentPath, locationPath, zonePath } from '../links/paths.js';

const NO_ZONE = 'The zone ids field must have at least one zone: without one it opens for nobody.';

/** The cursor of each list, and which locks are listed. */
interface EquipmentQuery extends LocksQuery, AddQuery {
  /** Which kind is listed. */
  readonly of?: unknown;
  readonly zones?: string;
  readonly entry_points?: string;
  readonly locks?: string;
}

/** Locks, zones or entry points of a location. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard')
export class EquipmentPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly directory: LocationDirectory,
    private readonly newLocks: NewLocks,
    private readonly locks: LockList,
    private readonly passages: GatePassages,
    private readonly items: EquipmentItemReader,
  ) {}

  @Costly()
  @Get('locations/:location_id/equipment')
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: EquipmentQuery,
    @Headers('hx-target') target: string | undefined,
    @Context() context: OperatorContext,
  ): Promise<Page | Fragment> {
    if (asksForPeek(target)) return this.#peek(location_id, query);
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
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#add('zones', { location_id, form, context }, async () => {
      const { zone_id } = await this.locations.addZone(location_id, validForm(NameBody, form), context);
      return new SeeOther(zonePath(zone_id), 'zone_added');
    });
  }

  @ForOperators('manager')
  @Post('locations/:location_id/entry-points')
  addEntryPoint(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#add('gates', { location_id, form, context }, async () => {
      const body = validForm(NewEntryPointBody, form);
      const zones = await this.locations.listZones(location_id);
      if (zones.length > 0 && (body.zone_ids ?? []).length === 0)
        throw invalidField('zone_ids', 'required', NO_ZONE);
      const { zone_ids } = await this.locations.addEntryPoint(location_id, body, context);
      const done = zone_ids.length === 0 ? 'entry_point_closed' : 'entry_point_added';
      return new SeeOther(equipmentPath(location_id, 'gates'), done);
    });
  }

  @ForOperators('manager')
  @Costly()
  @Post('locations/:location_id/locks')
  addLock(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#add('locks', { location_id, form, context }, async () => {
      const { unit_name } = await this.newLocks.add(location_id, form, context);
      return new SeeOther(equipmentPath(location_id), unit_name === null ? 'lock_added' : 'lock_added_on');
    });
  }

  #add(
    kind: EquipmentKind,
    { location_id, form, context }: { location_id: string; form: FormValues; context: OperatorContext },
    act: () => Promise<SeeOther>,
  ) {
    return submit({
      form: ADD_FORMS[kind].name,
      values: form,
      act,
      again: (refused) => this.#page(location_id, context, { refused, query: { of: kind } }),
    });
  }

  async #page(
    location_id: string,
    { principal, deadline }: OperatorContext,
    { refused, query }: { readonly refused?: Refused; readonly query: EquipmentQuery },
  ): Promise<Page> {
    const kind = kindIn(query);
    const framed = await this.framed.readLocation(location_id);
    const zones = await this.locations.listZones(location_id);
    const entryPoints = await this.locations.listEntryPoints(location_id);
    const mayChange = mayDo(principal.role, 'manager');
    const listed = await this.#list(kind, { framed, zones, entryPoints, mayChange, query, deadline });
    const counts = {
      locks: 'lock_count' in listed ? listed.lock_count : framed.head.counts.locks,
      zones: zones.length,
      gates: entryPoints.length,
    };
    const content = (
      <Equipment
        {...{ location_id, kind, counts, mayChange, zones, refused }}
        list={listed}
        add={query.add}
      />
    );
    const acts = mayChange ? <AddEquipment kind={kind} /> : undefined;
    const peek = 'rows' in listed ? { peek: await this.#panel(framed, query, listed) } : {};
    const equipment = counts.locks === undefined ? undefined : counts.locks + counts.zones + counts.gates;
    return locationPage(framed, '/equipment', content, { refused, acts, equipment, ...peek });
  }

  /** The panel alone, for a script that puts it into the page. */
  async #peek(location_id: string, query: EquipmentQuery): Promise<Fragment> {
    const framed = await this.framed.readLocation(location_id);
    const list = await this.locks.show(framed.location, query, query.locks);
    return new Fragment(await this.#panel(framed, query, list));
  }

  async #panel(
    { location, now }: Listing['framed'],
    query: EquipmentQuery,
    list: Pick<ResultOf<LockList['show']>, 'rows' | 'path'>,
  ) {
    const asked = peekedIn(query);
    const lock = asked === undefined ? undefined : await this.directory.lock(asked);
    const isHere = lock?.location_id === location.location_id && lock.removed_at === undefined;
    const of = isHere ? { lock, ...(await this.items.readLock(lock, now)) } : undefined;
    return lockPeekPanel({ of, ...list, zone: location.timezone });
  }

  async #list(kind: EquipmentKind, { framed, zones, entryPoints, mayChange, query, deadline }: Listing) {
    const { location } = framed;
    const { location_id } = location;
    const path = locationPath(location_id);
    if (kind === 'locks') {
      const { count, ...list } = await this.locks.show(location, query, query.locks);
      return { ...list, lock_count: count };
    }
    if (kind === 'zones') {
      const countUnits = (some: readonly ListedZone[]) =>
        this.directory.countUnitsInZones(
          some.map(({ zone_id }) => zone_id),
          deadline,
        );
      const { view } = await zoneList(location_id, zones, { entryPoints, countUnits }).show(query.zones);
      return { view, file: `${path}/zones.csv` };
    }
    const { now, passageOf } = await this.passages.readPassages(location);
    const settings = { zones, mayChange, zone: location.timezone, now, passageOf };
    const { view } = await entryPointList(location_id, entryPoints, settings).show(query.entry_points);
    return { view, file: `${path}/entry-points.csv` };
  }
}

interface Listing {
  readonly framed: ResultOf<FramedLocation['readLocation']>;
  readonly zones: readonly ListedZone[];
  readonly entryPoints: readonly ListedEntryPoint[];
  readonly mayChange: boolean;
  readonly query: EquipmentQuery;
  readonly deadline: Deadline | undefined;
}

function kindIn({ of }: EquipmentQuery): EquipmentKind {
  return EQUIPMENT_KINDS.find((kind) => kind === of) ?? 'locks';
}
