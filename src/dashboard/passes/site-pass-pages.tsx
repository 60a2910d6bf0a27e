import { Get, Param, Post } from '@nestjs/common';
import {
  LocationAdministration,
  NewPassBody,
  PassAdministration,
  PassReads,
  UnitAdministration,
} from '#api/operator/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { isLet } from '#domain/units/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { Pages } from '../frame/pages.js';
import { passesPath, passPath } from '../links/paths.js';
import { type FormValues, type Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { submit } from '../page/submit.js';
import { type AddQuery, Drawer, DrawerButton } from '../parts/drawer.js';
import { fieldsOf } from '../parts/initial-values.js';
import { Section, Tabs } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { PassForm } from './pass-form.js';
import { passList, type PassFilter } from './pass-list.js';
import { namingRentedUnits, PassUnits } from './pass-units.js';
import { typedTerms, typedWeek, unitNamesIn } from './typed-pass.js';

interface PassesQuery extends AddQuery {
  readonly standing?: unknown;
  readonly cursor?: unknown;
  /** The unit that a new pass is to open. */
  readonly unit?: unknown;
}

/** The passes of a location: who opens gates and empty units without renting one. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id')
export class SitePassPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly reads: PassReads,
    private readonly passes: PassAdministration,
    private readonly named: PassUnits,
    private readonly units: UnitAdministration,
    private readonly directory: LocationDirectory,
  ) {}

  @Costly()
  @Get('passes')
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: PassesQuery,
    @Context() context: OperatorContext,
  ) {
    return this.#page(location_id, context, query);
  }

  /** The whole list, read page by page as it is sent. */
  @Costly()
  @Get('passes.csv')
  async csv(
    @Param('location_id') location_id: string,
    @PlainQuery() { standing }: PassesQuery,
  ): Promise<StreamedDownload> {
    const { timezone } = await this.locations.readLocation(location_id);
    return this.#list(location_id, filterOf(standing), timezone).csv();
  }

  @ForOperators('manager')
  @Costly()
  @Post('passes')
  give(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'pass',
      values: form,
      act: async () => {
        const { timezone } = await this.locations.readLocation(location_id);
        const names = unitNamesIn(form);
        const unit_ids = await this.named.findIds(location_id, names);
        const body = validForm(NewPassBody, { ...typedTerms(fieldsOf(form), timezone), unit_ids }, [
          'name',
          'phone',
          'until',
        ]);
        const hours = typedWeek(form) ?? null;
        const issue = () => this.passes.issuePass(location_id, { ...body, hours }, context);
        const { pass_id } = await namingRentedUnits(names, issue);
        return new SeeOther(passPath(pass_id), 'pass_given');
      },
      again: (refused) => this.#page(location_id, context, {}, refused),
    });
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    query: PassesQuery,
    refused?: Refused,
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { location } = framed;
    const filter = filterOf(query.standing);
    const path = passesPath(location_id);
    const { view } = await this.#list(location_id, filter, location.timezone).show(query.cursor);
    const { entry_points = [] } = (await this.directory.location(location_id)) ?? {};
    const mayGive = mayDo(principal.role, 'manager');
    const unit_names = mayGive ? await this.#asked(location_id, query.unit) : [];
    const content = (
      <>
        <Tabs
          kind="chips"
          label="Passes by standing"
          of={[
            [path, 'In force and to come'],
            [`${path}?standing=ended`, 'Ended'],
          ]}
          current={filter === 'ended' ? `${path}?standing=ended` : path}
        />
        <Section title="Passes">{view}</Section>
        {mayGive ? (
          <Drawer
            form="pass"
            title="Give a pass"
            hint="For vendors, inspectors, staff on foot, and buyers at an auction. Its keys last an hour at most."
            path={path}
            refused={refused}
            isOpen={query.add === 'pass'}
          >
            <PassForm
              action={path}
              zone={location.timezone}
              gates={entry_points}
              refused={refused}
              of={{ kind: 'new', draft: { unit_names, reason: 'vendor' } }}
            />
          </Drawer>
        ) : null}
      </>
    );
    const acts = mayGive ? <DrawerButton form="pass">Give a pass</DrawerButton> : undefined;
    return locationPage(framed, '/passes', content, { refused, acts });
  }

  #list(location_id: string, filter: PassFilter, zone: string) {
    return passList(this.reads, { location_id, filter, zone });
  }

  /** The name of the unit that an address asks for, if it is of the location and a pass may open it. */
  async #asked(location_id: string, unit_id: unknown): Promise<string[]> {
    if (typeof unit_id !== 'string' || unit_id === '') return [];
    const { location, unit_name, facts } = await this.units.readUnit(unit_id);
    return location.id === location_id && !isLet(facts) ? [unit_name] : [];
  }
}

function filterOf(asked: unknown): PassFilter {
  return asked === 'ended' ? 'ended' : 'present';
}
