import { Get, Param, Post } from '@nestjs/common';
import { ACCESS_STATES, type AccessState } from '../../access/index.js';
import {
  Context,
  Costly,
  ForOperators,
  LARGEST_PAGE,
  ObjectBody,
  type OperatorContext,
  PlainQuery,
  validForm,
  validQuery,
} from '../../http/index.js';
import {
  LocationsController,
  NewUnitBody,
  OperatorUnitsController,
  StandaloneUnitsController,
  UnitSearchQuery,
} from '../../operator/index.js';
import { Page, type Refused, SeeOther, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { csvOfPages } from '../parts/csv.js';
import { Field, Form } from '../parts/form.js';
import { Empty, ListEnd, Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { STATE_TEXTS } from '../parts/states.js';
import { withQuery } from '../parts/with-query.js';
import { type ListedUnit, UNIT_COLUMNS, unitRows } from '../units/unit-list.js';
import { FramedLocation } from './framed-location.js';
import { LocationFrame, locationPath } from './location-frame.js';

interface UnitsQuery {
  readonly state?: string | undefined;
  readonly cursor?: string | undefined;
}

const PAGE_OF_UNITS = '100';

/** A location: the map of its units by state. */
@ForOperators('auditor')
@Pages('dashboard/locations/:location_id')
export class LocationPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationsController,
    private readonly units: OperatorUnitsController,
    private readonly standalone: StandaloneUnitsController,
  ) {}

  @Costly()
  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(location_id, context, query);
  }

  /** The whole list as CSV, read page by page as it is sent. */
  @Costly()
  @Get('units.csv')
  async csv(
    @Param('location_id') location_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    await this.locations.one(location_id);
    const { state } = query;
    const read = (cursor?: string) =>
      this.#units(location_id, context, { state, cursor }, String(LARGEST_PAGE));
    return csvOfPages('units', UNIT_COLUMNS, { read, rows: unitRows });
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
        const { data } = await this.standalone.register(location_id, validForm(NewUnitBody, form), context);
        return new SeeOther(`/dashboard/units/${String(data['unit_id'])}`, 'unit_added');
      },
      again: (refused) => this.#page(location_id, context, {}, refused),
    });
  }

  async #units(location_id: string, context: OperatorContext, { state, cursor }: UnitsQuery, limit: string) {
    const query = { location_id, state, limit, ...(cursor ? { cursor } : {}) };
    return (await this.units.list(validQuery(UnitSearchQuery, query), context)).data;
  }

  async #page(
    location_id: string,
    context: OperatorContext,
    query: UnitsQuery,
    refused?: Refused,
  ): Promise<Page> {
    const { location, company } = await this.framed.of(location_id);
    const { units, next_cursor } = await this.#units(location_id, context, query, PAGE_OF_UNITS);
    const path = locationPath(location_id);
    const mayChange = mayDo(context.principal.role, 'manager');
    const content = (
      <LocationFrame location={location} company={company} current="">
        <Section title="Units">
          <States path={path} current={query.state} />
          {units.length === 0 ? (
            <NoUnit ofState={query.state !== undefined} mayAdd={mayChange} />
          ) : (
            <UnitMap units={units} />
          )}
          <ListEnd
            path={path}
            file={`${path}/units.csv`}
            query={{ state: query.state }}
            cursor={next_cursor}
          />
        </Section>
        {mayChange ? <NewUnit path={path} refused={refused} /> : null}
      </LocationFrame>
    );
    return new Page(location.name, content, refused?.status);
  }
}

function States({ path, current }: { readonly path: string; readonly current: string | undefined }) {
  const links: (readonly [AccessState | undefined, string])[] = [[undefined, 'All']];
  for (const state of ACCESS_STATES) links.push([state, STATE_TEXTS[state]]);
  return (
    <nav class="tabs" aria-label="Units by state">
      {links.map(([state, text]) => (
        <a key={text} href={withQuery(path, { state })} aria-current={state === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

function NoUnit({ ofState, mayAdd }: { readonly ofState: boolean; readonly mayAdd: boolean }) {
  if (ofState) return <Empty>No unit is in this state.</Empty>;
  const others = mayAdd ? '; a unit that no PMS knows is added below' : '';
  return <Empty>No unit yet. The PMS makes units by writing of them{others}.</Empty>;
}

function UnitMap({ units }: { readonly units: readonly ListedUnit[] }) {
  return (
    <ul class="map">
      {units.map(({ unit_id, unit_name, access: { state, reason } }) => (
        <li key={unit_id}>
          <a class={`tile ${state}`} href={`/dashboard/units/${unit_id}`}>
            <strong>{unit_name}</strong>{' '}
            <span>{reason ? reason.replaceAll('_', ' ') : STATE_TEXTS[state]}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function NewUnit({ path, refused }: { readonly path: string; readonly refused: Refused | undefined }) {
  return (
    <Section title="Add a unit that no PMS knows">
      <Form name="unit" action={`${path}/units`} submit="Add the unit" refused={refused}>
        <Field name="crm_unit_id" label="Identifier" hint="Cannot be changed." required maxLength={128} />
        <Field name="unit_name" label="Name" hint="The identifier, if left empty." maxLength={255} />
      </Form>
    </Section>
  );
}
