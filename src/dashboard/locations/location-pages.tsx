import { Get, Param, Post } from '@nestjs/common';
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
import { type Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { GatePassages } from '../hours/gate-passages.js';
import { GatesNow } from '../hours/gates-now.js';
import { type AddQuery, Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { CsvLink, NextPage, Section } from '../parts/layout.js';
import { listPage } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { withQuery } from '../links/with-query.js';
import {
  GateFilter,
  MapLegend,
  MapOrTable,
  NoUnit,
  SiteMapView,
  StateFilter,
} from '../site/site-map-view.js';
import { countStates } from '../site/site-map.js';
import { type MapQuery, SiteMapReader } from '../site/site-map.reader.js';
import { filterIn, searchOf } from '../site/unit-filter.js';
import { UnitTableReader } from '../site/unit-table.reader.js';
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
  ) {}

  @Costly()
  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: MapQuery & AddQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(location_id, context, query);
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
    const wanted = { location_id, ...searchOf(filterIn(state)) };
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
        return { rows: await this.tenants.withTenants(units), next_cursor };
      },
      empty: null,
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
    const { state, gate } = query;
    const counts =
      map.counts ??
      (gate === undefined ? countStates(await this.table.read(framed.location, context)) : undefined);
    const path = locationPath(location_id);
    const mayChange = mayDo(context.principal.role, 'manager');
    const { location } = framed;
    const { passageOf } = await this.passages.readPassages(location);
    const content = (
      <>
        <Section title="Units">
          <MapOrTable path={path} shown="map" state={state} />
          <StateFilter path={withQuery(path, { gate })} current={state} counts={counts} />
          <GateFilter path={withQuery(path, { state })} current={gate} gates={map.entry_points} />
          <MapLegend />
          {map.next_cursor === null ? null : (
            <p class="warning">
              The location has more units than one map shows. <a href="#map-next">Go to the next page</a>
            </p>
          )}
          {map.units.length > 0 ? (
            <SiteMapView map={map} />
          ) : (
            <NoUnit
              isFiltered={(state ?? gate) !== undefined}
              isLast={map.next_cursor === null}
              form={mayChange ? path : undefined}
            />
          )}
          <div id="map-next">
            <NextPage path={withQuery(path, { state, gate })} cursor={map.next_cursor} />
          </div>
          {gate === undefined ? <CsvLink path={withQuery(`${path}/units.csv`, { state })} /> : null}
        </Section>
        <GatesNow location={location} gates={map.entry_points} passageOf={passageOf} />
        {mayChange ? <NewUnit path={path} refused={refused} isOpen={query.add === 'unit'} /> : null}
      </>
    );
    const acts = mayChange ? <DrawerButton form="unit">Add unit</DrawerButton> : undefined;
    return locationPage(framed, '', content, { refused, acts });
  }
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
          label="Identifier"
          hint="Cannot be changed."
          required
          maxLength={128}
          autofocus
        />
        <Field name="unit_name" label="Name" hint="The identifier, if left empty." maxLength={255} />
      </Form>
    </Drawer>
  );
}
