import { Get, Headers, Param, Post } from '@nestjs/common';
import { invalidField } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { LARGEST_PAGE } from '#web/validation/page-query.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { LocationAdministration, NameBody, SiteSetup } from '#api/operator/index.js';
import {
  type FormValues,
  Fragment,
  lastOf,
  type Page,
  type Refused,
  SeeOther,
  type StreamedDownload,
} from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { csvFile } from '../parts/csv.js';
import { ExportCsv } from '../parts/list-card.js';
import { numberedPage, pageNumberIn } from '../parts/numbered-pages.js';
import { mayDo } from '../parts/roles.js';
import { searchText } from '../parts/search-text.js';
import { orderOf } from '../parts/sorting.js';
import { yesOrNo } from '../parts/states.js';
import { withQuery } from '../links/with-query.js';
import { countText } from '../parts/words.js';
import { MapOrTable, StateFilter } from '../site/site-map-view.js';
import { asksForPeek } from '../peek/asks-for-peek.js';
import { peekPanel } from '../peek/peek.js';
import { UnitPeekReader } from '../peek/unit-peek.reader.js';
import { countStates, filterOf } from '../site/site-map.js';
import { filterIn } from '../site/unit-filter.js';
import { type LocationIds, UnitTableReader } from '../site/unit-table.reader.js';
import { type TableQuery, UnitTableSearch, UnitTableView } from '../site/unit-table-view.js';
import { sorted, SORTS, type TableUnit, unitsFound } from '../site/unit-table.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { locationPath } from '../links/paths.js';

const PAGE = 200;

/** Columns of the file. */
const FILED = [
  ...(['unit_id', 'crm_unit_id', 'unit_name', 'tenant', 'balance_due', 'currency'] as const),
  ...(['paid_through_date', 'state', 'reason'] as const),
  'round_the_clock',
  'locked_out_since',
] as const;

/** The units of a location as a table, which puts those that are selected into a zone. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/table')
export class UnitTablePages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly setup: SiteSetup,
    private readonly reader: UnitTableReader,
    private readonly peeks: UnitPeekReader,
  ) {}

  @Costly()
  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: FormValues,
    @Headers('hx-target') target: string | undefined,
    @Context() context: OperatorContext,
  ): Promise<Page | Fragment> {
    return asksForPeek(target)
      ? this.#peek(location_id, query, context)
      : this.#page(location_id, query, context);
  }

  /** The rows of all pages of the table, in its order. */
  @Costly()
  @Get('units.csv')
  async csv(
    @Param('location_id') location_id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const { location } = await this.framed.readLocation(location_id);
    const { wanted } = await this.#read(location, tableQuery(query), context, true);
    const { currency } = location;
    const lines = wanted.map((unit) => FILED.map((name) => filed({ ...unit, currency }, name)));
    return csvFile('units', FILED, () => Promise.resolve({ lines, next_cursor: null }));
  }

  @ForOperators('manager')
  @Costly()
  @Post('zone')
  zone(
    @Param('location_id') location_id: string,
    @PlainQuery() query: FormValues,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'zone-units',
      values: form,
      act: async () => {
        const { name } = validForm(NameBody, { name: form['name'] });
        const { added, hasEntryPoint } = await this.setup.zoneUnits(
          location_id,
          selectedIn(form),
          name,
          context,
        );
        const path = withQuery(`${locationPath(location_id)}/table`, {
          ...tableQuery(query),
          added: String(added),
        });
        return new SeeOther(path, hasEntryPoint ? 'units_zoned' : 'units_zoned_closed');
      },
      again: (refused) => this.#page(location_id, query, context, refused),
    });
  }

  /** The panel alone, for a script that puts it into the page. */
  async #peek(location_id: string, given: FormValues, context: OperatorContext): Promise<Fragment> {
    const { location } = await this.framed.readLocation(location_id);
    const { wanted } = await this.#read(location, tableQuery(given), context);
    return new Fragment(await this.#panel(location, given, wanted, context));
  }

  async #panel(
    location: LocationIds,
    given: FormValues,
    units: readonly TableUnit[],
    context: OperatorContext,
  ) {
    return peekPanel({
      of: await this.peeks.find(location, lastOf(given['peek']), context),
      path: withQuery(`${locationPath(location.location_id)}/table`, { ...tableQuery(given) }),
      units,
      mayChange: mayDo(context.principal.role, 'manager'),
    });
  }

  async #page(
    location_id: string,
    given: FormValues,
    context: OperatorContext,
    refused?: Refused,
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { location } = framed;
    const query = tableQuery(given);
    const { order, state, found, wanted, isNamed } = await this.#read(location, query, context);
    const counts = countStates(found);
    const { rows: shown, page, pages } = numberedPage(wanted, pageNumberIn(query.page), PAGE);
    const owed = wanted.reduce((sum, unit) => sum + Math.max(unit.balance_due, 0), 0);
    const mayChange = mayDo(context.principal.role, 'manager');
    const path = `${locationPath(location_id)}/table`;
    const content = (
      <>
        <StateFilter
          path={withQuery(path, { q: query.q, sort: query.sort })}
          current={state}
          counts={counts}
        />
        <div class="bar">
          <MapOrTable path={locationPath(location_id)} shown="table" state={state} />
          <UnitTableSearch {...{ path, query, order }} />
          {wanted.length === 0 ? null : (
            <ExportCsv path={withQuery(`${path}/units.csv`, { ...query, page: undefined })} />
          )}
        </div>
        <UnitTableView
          zone={location.timezone}
          currency={location.currency}
          map={locationPath(location_id)}
          {...{ path, query, order, page, refused }}
          peeked={lastOf(given['peek'])}
          units={isNamed ? shown : await this.reader.withTenants(location, shown, context)}
          total={{ units: wanted.length, owed, pages }}
          zones={mayChange ? await this.locations.listZones(location_id) : undefined}
        />
      </>
    );
    const peek = await this.#panel(location, given, wanted, context);
    return locationPage(framed, '', content, {
      tab: 'Table of units',
      refused,
      peek,
      lockedOut: query.q === undefined ? (counts.get('tenant_denied') ?? 0) : undefined,
      outcome: addedText(given),
    });
  }

  /**
   * The units that the address asks for, in its order. Names cost a read of every tenant, so they are read where needed.
   * @throws ApiError 422 for a state that does not exist
   */
  async #read(location: LocationIds, query: TableQuery, context: OperatorContext, withNames = false) {
    const state = filterIn(query.state);
    const order = orderOf(query.sort, SORTS);
    const isNamed = withNames || order.sort === 'tenant' || query.q !== undefined;
    const all = await this.reader.read(location, context);
    const named = isNamed ? await this.reader.withTenants(location, all, context) : all;
    const found = query.q === undefined ? named : unitsFound(named, query.q);
    const ofState = state === undefined ? found : found.filter((unit) => filterOf(unit) === state);
    return { order, state, found, isNamed, wanted: sorted(ofState, order) };
  }
}

function filed(
  unit: TableUnit & { readonly currency: string },
  name: (typeof FILED)[number],
): string | number | null {
  if (name === 'round_the_clock') return yesOrNo(unit.round_the_clock);
  const value = unit[name] ?? null;
  return name === 'locked_out_since' && value !== null ? new Date(value).toISOString() : value;
}

function tableQuery(given: FormValues): TableQuery {
  const of = (name: string) => lastOf(given[name]) || undefined;
  return {
    state: of('state'),
    q: searchText({ q: of('q') }) || undefined,
    sort: of('sort'),
    page: of('page'),
  };
}

/** How many units an action added. */
function addedText({ added }: FormValues): string | undefined {
  const text = lastOf(added) ?? '';
  return /^\d{1,3}$/.test(text) ? `${countText(Number(text), 'unit')} added.` : undefined;
}

/** @throws ApiError 422 for no unit, or too many */
function selectedIn(form: FormValues): readonly string[] {
  const selected = [form['unit_ids'] ?? []].flat();
  if (selected.length === 0) throw invalidField('unit_ids', 'required', 'Select at least one unit.');
  if (selected.length > LARGEST_PAGE)
    throw invalidField('unit_ids', 'too_long', `Select at most ${LARGEST_PAGE} units.`);
  return selected;
}
