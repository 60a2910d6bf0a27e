import { Get, Param, Post } from '@nestjs/common';
import { ForOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validQuery } from '#web/validation/read-query.js';
import { UnitAdministration, SearchEverywhere, TenantReads, TenantSearchQuery } from '#api/operator/index.js';
import { Fragment, Page } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { aboutThing } from '../frame/location-frame.js';
import { Section, Trail } from '../parts/layout.js';
import { type SearchQuery, searchText } from '../parts/search-text.js';
import { changeUnit, type UnitForm as Form } from './change-unit.js';
import { type ShareCandidates, ShareHits, ShareSearch } from './share-search.js';
import { unitPath } from '../links/paths.js';
import { UnitTabs } from './unit-tabs.js';

/** Tenants that a search offers. */
const OFFERED = 10;

/** Shares a unit with another tenant of its location, whom the operator finds by name, phone or PMS id. */
@ForOperators('manager')
@Pages('dashboard/units/:unit_id')
export class UnitSharePages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly units: UnitAdministration,
    private readonly tenants: TenantReads,
    private readonly everywhere: SearchEverywhere,
  ) {}

  /** The tenants found, for a browser without a script. */
  @Costly()
  @Get('share')
  async find(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: SearchQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const text = searchText(query);
    const path = unitPath(unit_id);
    const content = (
      <>
        <Trail to={[[path, unit.unit_name]]} />
        <Section title="Share unit">
          <ShareSearch path={path} q={text} hits={await this.#found(unit_id, text, context)} />
          <p>
            <a href={path}>Cancel</a>
          </p>
        </Section>
      </>
    );
    return new Page(unit.unit_name, content, 200, aboutThing(unit, 'Share'));
  }

  /** The same as somebody types. */
  @Costly()
  @Get('share/hits')
  async hits(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: SearchQuery,
    @Context() context: OperatorContext,
  ): Promise<Fragment> {
    const found = await this.#found(unit_id, searchText(query), context);
    return new Fragment(<ShareHits path={unitPath(unit_id)} of={found} />);
  }

  @Post('shares')
  share(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.tabs, 'access', 'share', 'shared', { unit_id, form, context }, () =>
      this.units.shareUnit({ unit_id, tenant_id: String(form['tenant_id'] ?? '') }, {}, context),
    );
  }

  @Post('shares/:tenant_id/end')
  endShare(
    @Param('unit_id') unit_id: string,
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: Form,
    @Context() context: OperatorContext,
  ) {
    const given = { unit_id, form, context };
    return changeUnit(this.tabs, 'access', `end-share-${tenant_id}`, 'share_ended', given, () =>
      this.units.endShare(unit_id, tenant_id, context),
    );
  }

  /** Tenants of the unit's location, without those who have the unit. */
  async #found(unit_id: string, q: string, context: OperatorContext): Promise<ShareCandidates> {
    if (q === '') return { tenants: [], hasMore: false, isOpen: true };
    const { location, tenant, shares, access } = await this.units.readUnit(unit_id);
    const query = { ...validQuery(TenantSearchQuery, { q, location_id: location.id }), limit: OFFERED };
    const { tenants, next_cursor } = await this.tenants.findTenants(query, context.principal);
    const having = new Set([tenant?.tenant_id, ...shares.map(({ tenant_id }) => tenant_id)]);
    const others = tenants.filter(({ tenant_id }) => !having.has(tenant_id));
    return {
      tenants: await this.everywhere.withUnits(others),
      hasMore: next_cursor !== null,
      isOpen: access.state === 'tenant_permitted',
    };
  }
}
