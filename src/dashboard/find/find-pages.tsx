import { Get } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { type FoundUnit, SearchEverywhere, TenantReads } from '#api/operator/index.js';
import { Fragment, Page, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { mayDo } from '../parts/roles.js';
import { inMemory } from '../parts/in-memory.js';
import { Empty } from '../parts/layout.js';
import { listPage } from '../parts/list-page.js';
import { type SearchQuery, searchText } from '../parts/search-text.js';
import { withQuery } from '../links/with-query.js';
import { TENANT_COLUMNS } from '../lists/tenant-columns.js';
import { foundColumns, FoundView } from './found-view.js';
import { actHits, askedIn, onlyAct } from './asked-act.js';
import { Hits, hitsOf } from './hits.js';

interface FindQuery extends SearchQuery {
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
  ) {}

  @Costly()
  @Get()
  async find(
    @PlainQuery() query: FindQuery,
    @Context() { principal }: OperatorContext,
  ): Promise<Page | SeeOther> {
    const text = searchText(query);
    if (text === '') return new Page('Find', <Nothing />);
    const { act, rest } = askedOf(text, principal);
    const found = await this.everywhere.find(rest, principal, LIMIT);
    const only = query.open === undefined ? undefined : onlyAct(act, found, rest);
    if (only !== undefined) return new SeeOther(only);
    return new Page('Find', <FoundView q={rest} found={found} limit={LIMIT} />, 200, { tab: text });
  }

  /** The rows below the search box, as somebody types. */
  @Costly()
  @Get('hits')
  async hits(@PlainQuery() query: SearchQuery, @Context() { principal }: OperatorContext): Promise<Fragment> {
    const text = searchText(query);
    if (text === '') return new Fragment(<Hits of={[]} q={text} />);
    const { act, rest } = askedOf(text, principal);
    const found = await this.everywhere.find(rest, principal, MOST_HITS);
    const hits = [...actHits(act, found), ...hitsOf(found, rest, MOST_HITS)];
    return new Fragment(<Hits of={hits} q={text} />);
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

/** An auditor may let nobody in. */
function askedOf(text: string, { role }: OperatorContext['principal']) {
  const { act, rest } = askedIn(text);
  return { rest, act: act === 'let-in' && !mayDo(role, 'manager') ? undefined : act };
}

function Nothing() {
  return (
    <Empty>
      Type a unit, a tenant’s name, a phone number or its last digits, an e-mail, a PMS id, a company, a
      location, a gate or a serial number into the box above.
    </Empty>
  );
}
