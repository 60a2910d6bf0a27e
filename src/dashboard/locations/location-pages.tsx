import { Get, Headers, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import {
  LocationAdministration,
  NewUnitBody,
  OperatorUnitSearch,
  StandaloneUnitWrites,
} from '#api/operator/index.js';
import { Fragment, type Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { GatePassages } from '../hours/gate-passages.js';
import { GatesNow } from '../hours/gates-now.js';
import { type AddQuery, Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { CsvLink, NextPage } from '../parts/layout.js';
import { listPage } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { withQuery } from '../links/with-query.js';
import { GateFilter, MapOrTable, NoUnit, SiteMapView, StateFilter } from '../site/site-map-view.js';
import { peekPanel } from '../peek/peek.js';
import { asksForPeek } from '../peek/asks-for-peek.js';
import { UnitPeekReader } from '../peek/unit-peek.reader.js';
import { byZone, countStates, filterOf, type StateCounts } from '../site/site-map.js';
import { type MapQuery, type SiteMap, SiteMapReader } from '../site/site-map.reader.js';
import { filterIn, rentedText, searchOf } from '../site/unit-filter.js';
import { type LocationIds, UnitTableReader } from '../site/unit-table.reader.js';
import { COLUMNS_WITH_SINCE } from '../lists/unit-list.js';
import { UnitTenants } from '../lists/unit-tenants.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { locationPath, unitPath } from '../links/paths.js';

/** A location: the map of its units by state. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id')
export class LocationPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly units: OperatorUnitSearch,
    private readonly standalone: StandaloneUnitWrites,
    private readonly map: SiteMapReader,
    private readonly table: UnitTableReader,
    private readonly tenants: UnitTenants,
    private readonly passages: GatePassages,
    private readonly peeks: UnitPeekReader,
  ) {}

  @Costly()
  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: MapQuery & AddQuery,
    @Headers('hx-target') target: string | undefined,
    @Context() context: OperatorContext,
  ): Promise<Page | Fragment> {
    return asksForPeek(target)
      ? this.#peek(location_id, query, context)
      : this.#page(location_id, context, query);
  }

  /** The whole list as CSV, read page by page as it is sent. */
  @Costly()
  @Get('units.csv')
  async csv(
    @Param('location_id') location_id: string,
    @PlainQuery() query: MapQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    await this.locations.readLocation(location_id);
    return this.#list(location_id, query, context).csv();
  }

  @ForOperators('manager')
  @Post('units')
  register(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'unit',
      values: form,
      act: async () => {
        const { unit_id } = await this.standalone.addUnit(location_id, validForm(NewUnitBody, form), context);
        return new SeeOther(unitPath(String(unit_id)), 'unit_added');
      },
      again: (refused) => this.#page(location_id, context, {}, refused),
    });
  }

  /** @throws ApiError 422 for a state that does not exist */
  #list(location_id: string, { state }: MapQuery, { principal }: OperatorContext) {
    const filter = filterIn(state);
    const wanted = { location_id, ...searchOf(filter) };
    const path = locationPath(location_id);
    return listPage({
      caption: 'Units',
      name: 'units',
      path,
      file: `${path}/units.csv`,
      query: { state },
      columns: COLUMNS_WITH_SINCE,
      keyOf: ({ unit_id }) => unit_id,
      read: async (range) => {
        const { units, next_cursor } = await this.units.page({ ...wanted, ...range }, principal);
        const left = units.filter(({ access }) => filter === undefined || filterOf(access) === filter);
        return { rows: await this.tenants.withTenants(left), next_cursor };
      },
      empty: null,
    });
  }

  /** The panel alone, for a script that puts it into the page. */
  async #peek(location_id: string, query: MapQuery, context: OperatorContext): Promise<Fragment> {
    const { location } = await this.framed.readLocation(location_id);
    return new Fragment(
      await this.#panel(location, query, await this.map.read(location_id, query, context), context),
    );
  }

  async #panel(location: LocationIds, query: MapQuery, map: SiteMap, context: OperatorContext) {
    const { state, gate, cursor } = query;
    return peekPanel({
      of: await this.peeks.find(location, query.peek, context),
      path: withQuery(locationPath(location.location_id), { state, gate, cursor }),
      units: byZone(map.units, map.zones).flatMap(({ units }) => units),
      mayChange: mayDo(context.principal.role, 'manager'),
    });
  }

  async #page(
    location_id: string,
    context: OperatorContext,
    query: MapQuery & AddQuery,
    refused?: Refused,
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const map = await this.map.read(location_id, query, context);
    const { state, gate, cursor } = query;
    const counts =
      map.counts ??
      (gate === undefined ? countStates(await this.table.read(framed.location, context)) : undefined);
    const path = locationPath(location_id);
    const mayChange = mayDo(context.principal.role, 'manager');
    const { location } = framed;
    const { passageOf } = await this.passages.readPassages(location);
    const content = (
      <>
        <StateFilter path={withQuery(path, { gate })} current={state} counts={counts} />
        <div class="bar">
          <MapOrTable path={path} shown="map" state={state} />
          <GateFilter path={withQuery(path, { state })} current={gate} gates={map.entry_points} />
          {gate === undefined ? <CsvLink path={withQuery(`${path}/units.csv`, { state })} /> : null}
        </div>
        <section class="card">
          <h2 class="unseen">Units</h2>
          {map.next_cursor === null ? null : (
            <p class="hint">
              These are {map.units.length.toLocaleString('en-US')} of the site’s units.{' '}
              <a href={withQuery(path, { state, gate, cursor: map.next_cursor })}>Show the next ones</a>, or{' '}
              <a href={withQuery(`${path}/table`, { state })}>search the table</a>.
            </p>
          )}
          {map.units.length > 0 ? (
            <SiteMapView map={map} path={withQuery(path, { state, gate, cursor })} peeked={query.peek} />
          ) : (
            <NoUnit
              isFiltered={(state ?? gate) !== undefined}
              isLast={map.next_cursor === null}
              form={mayChange ? path : undefined}
            />
          )}
          <NextPage path={withQuery(path, { state, gate })} cursor={map.next_cursor} />
        </section>
        <GatesNow location={location} gates={map.entry_points} passageOf={passageOf} />
        {mayChange ? <NewUnit path={path} refused={refused} isOpen={query.add === 'unit'} /> : null}
      </>
    );
    const acts = mayChange ? <DrawerButton form="unit">Add unit</DrawerButton> : undefined;
    const peek = await this.#panel(location, query, map, context);
    return locationPage(framed, '', content, {
      refused,
      acts,
      peek,
      sub: rentedIn(counts, gate),
      lockedOut: lockedOutIn(counts, gate),
    });
  }
}

/** Undefined if only a part of the units is counted. */
function lockedOutIn(counts: StateCounts | undefined, gate: string | undefined): number | undefined {
  return gate === undefined ? counts && (counts.get('tenant_denied') ?? 0) : undefined;
}

/** Undefined if only a part of the units is counted. */
function rentedIn(counts: StateCounts | undefined, gate: string | undefined): string | undefined {
  return gate === undefined ? counts && rentedText(counts) : undefined;
}

interface NewUnitProps {
  readonly path: string;
  readonly refused: Refused | undefined;
  readonly isOpen: boolean;
}

function NewUnit({ path, refused, isOpen }: NewUnitProps) {
  return (
    <Drawer
      form="unit"
      title="Add unit"
      hint="Units appear by themselves when your PMS syncs. Add only those it does not know."
      {...{ path, refused, isOpen }}
    >
      <Form name="unit" action={`${path}/units`} submit="Add unit" refused={refused}>
        <Field
          name="crm_unit_id"
          label="Unit number"
          hint="Cannot be changed."
          required
          maxLength={128}
          autofocus
        />
        <Field name="unit_name" label="Name" hint="The unit number, if left empty." maxLength={255} />
      </Form>
    </Drawer>
  );
}
