import { Get } from '@nestjs/common';
import type { ComponentChild } from 'preact';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { type FoundUnit, SearchEverywhere, TenantReads } from '#api/operator/index.js';
import { Fragment, Page, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { SideBarReader } from '../frame/side-bar.reader.js';
import { mayDo } from '../parts/roles.js';
import { inMemory } from '../parts/in-memory.js';
import { Empty, Section } from '../parts/layout.js';
import { listPage } from '../parts/list-page.js';
import { type SearchQuery, searchText } from '../parts/search-text.js';
import { withQuery } from '../links/with-query.js';
import { TENANT_COLUMNS } from '../lists/tenant-columns.js';
import { foundColumns, FoundView } from './found-view.js';
import { actHits, askedIn, onlyAct } from './asked-act.js';
import { findConsolePages, type FoundPages, mayNamePage, NO_PAGES } from './console-pages.js';
import { type Hit, Hits, hitsOf } from './hits.js';

interface HitsQuery extends SearchQuery {
  /** The company and the site of the page from which somebody searches. */
  readonly company_id?: unknown;
  readonly location_id?: unknown;
}

interface FindQuery extends HitsQuery {
  /** Sent by the search box, not by links: it asks for the only match itself. */
  readonly open?: unknown;
}

const PATH = '/dashboard/find';
/** Most of each kind on the page, and most rows below the search box. */
const LIMIT = 50;
const MOST_HITS = 10;
/** Most units in the file. */
const MOST_FILED = 5_000;

/** Finds units, tenants, companies, locations, gates and locks by one text. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/find')
export class FindPages {
  constructor(
    private readonly tenants: TenantReads,
    private readonly everywhere: SearchEverywhere,
    private readonly sideBars: SideBarReader,
  ) {}

  @Costly()
  @Get()
  async find(
    @PlainQuery() query: FindQuery,
    @Context() { principal }: OperatorContext,
  ): Promise<Page | SeeOther> {
    const text = searchText(query);
    if (text === '') return findPage(text, <Nothing />);
    const { act, rest, found, pages, forms } = await this.#find(text, query, principal, LIMIT);
    const only = query.open === undefined ? undefined : onlyAct(act, found, rest, [...pages, ...forms]);
    if (only !== undefined) return new SeeOther(only);
    const content = (
      <>
        <Links title="Do" of={[...actHits(act, found), ...forms]} />
        <Links title="Go to" of={pages} />
        <FoundView q={rest} found={found} limit={LIMIT} hasPages={pages.length + forms.length > 0} />
      </>
    );
    return findPage(text, content);
  }

  /** The rows below the search box, as somebody types. */
  @Costly()
  @Get('hits')
  async hits(@PlainQuery() query: HitsQuery, @Context() { principal }: OperatorContext): Promise<Fragment> {
    const text = searchText(query);
    const all = withQuery(PATH, { q: text, ...placeOf(query) });
    if (text === '') return new Fragment(<Hits acts={[]} of={[]} pages={[]} q={text} all={all} />);
    const { act, rest, found, pages, forms } = await this.#find(text, query, principal, MOST_HITS);
    const hits = hitsOf(found, rest, MOST_HITS);
    return new Fragment(
      <Hits acts={[...actHits(act, found), ...forms]} of={hits} pages={pages} q={text} all={all} />,
    );
  }

  /** @param limit most of each kind */
  async #find(text: string, query: HitsQuery, principal: OperatorContext['principal'], limit: number) {
    const { act, rest } = askedOf(text, principal);
    const [found, called] = await Promise.all([
      this.everywhere.find(rest, principal, limit),
      this.#consolePages(act === undefined ? rest : '', query, principal),
    ]);
    return { act, rest, found, ...called };
  }

  /** The pages of the console that are called so. */
  async #consolePages(
    text: string,
    query: HitsQuery,
    principal: OperatorContext['principal'],
  ): Promise<FoundPages> {
    if (!mayNamePage(text)) return NO_PAGES;
    const { company_id, location_id } = placeOf(query);
    const places = await this.sideBars.readPlaces(principal, company_id);
    return places === undefined ? NO_PAGES : findConsolePages(text, { ...principal, places, location_id });
  }

  @Costly()
  @Get('units.csv')
  async unitsCsv(
    @PlainQuery() query: SearchQuery,
    @Context() { principal }: OperatorContext,
  ): Promise<StreamedDownload> {
    const text = searchText(query);
    const { units, companyNames } =
      text === ''
        ? { units: [], companyNames: new Map<string, string>() }
        : await this.everywhere.unitsCalled(text, principal, MOST_FILED);
    const keyOf = ({ unit_id }: FoundUnit) => unit_id;
    return listPage({
      caption: 'Units',
      name: 'units',
      path: PATH,
      file: withQuery(`${PATH}/units.csv`, { q: text }),
      columns: foundColumns(companyNames),
      keyOf,
      read: inMemory(units, keyOf),
      empty: null,
    }).csv();
  }

  @Costly()
  @Get('tenants.csv')
  tenantsCsv(
    @PlainQuery() query: SearchQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const text = searchText(query);
    return listPage({
      caption: 'Tenants',
      name: 'tenants',
      path: PATH,
      file: withQuery(`${PATH}/tenants.csv`, { q: text }),
      columns: TENANT_COLUMNS,
      keyOf: ({ tenant_id }) => tenant_id,
      read: async (range) => {
        const { tenants, next_cursor } = await this.tenants.findTenants(
          { q: text, ...range },
          context.principal,
        );
        return { rows: tenants, next_cursor };
      },
      empty: null,
    }).csv();
  }
}

function placeOf({ company_id, location_id }: HitsQuery) {
  return {
    company_id: typeof company_id === 'string' ? company_id : undefined,
    location_id: typeof location_id === 'string' ? location_id : undefined,
  };
}

/** An auditor may call and text, and opens no form. */
function askedOf(text: string, { role }: OperatorContext['principal']) {
  const { act, rest } = askedIn(text);
  return { rest, act: act?.kind === 'form' && !mayDo(role, 'manager') ? undefined : act };
}

function findPage(text: string, content: ComponentChild): Page {
  const searched = (
    <>
      <form class="form line" method="get" action={PATH} id="form-find" role="search" aria-label="Find or do">
        <div class="field grows">
          <label for="find-q">Find, or say what to do</label>
          <input type="search" id="find-q" name="q" value={text} maxLength={255} />
        </div>
        <button class="quiet">Find</button>
      </form>
      {content}
    </>
  );
  return new Page('Find', searched, 200, text === '' ? {} : { tab: text });
}

/** Acts and pages, where the search box has no script to offer them. */
function Links({ title, of }: { readonly title: string; readonly of: readonly Hit[] }) {
  if (of.length === 0) return null;
  return (
    <Section title={title}>
      <ul class="plain">
        {of.map(({ href, title: name, detail }) => (
          <li key={href}>
            <a href={href}>{name}</a> <span class="soft">{detail}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Nothing() {
  return (
    <Empty>
      Type a unit, a tenant’s name, a phone number or its last digits, an e-mail, a PMS id, a company, a site,
      a gate, a serial number, or a page such as Policy or Hours into the box above.
    </Empty>
  );
}
