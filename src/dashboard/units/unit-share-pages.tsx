import { Get, Param, Post } from '@nestjs/common';
import { ForOperators } from '../../http/operator-access.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { ObjectBody, PlainQuery, validQuery } from '../../http/validation/valid.js';
import {
  OperatorUnitsController,
  SearchEverywhere,
  TenantReadsController,
  TenantSearchQuery,
} from '../../operator/index.js';
import { Fragment, Page } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { aboutThing } from '../locations/location-frame.js';
import { Section, Trail } from '../parts/layout.js';
import { type SearchQuery, searchText } from '../parts/search-text.js';
import { changeUnit, type UnitForm as Form } from './change-unit.js';
import { type ShareCandidates, ShareHits, ShareSearch } from './share-search.js';
import { unitPath } from './unit-list.js';
import { UnitPage } from './unit-page.js';

/** Tenants that a search offers. */
const OFFERED = 10;

/** Shares a unit with another tenant of its location, whom the operator finds by name, phone or PMS id. */
@ForOperators('manager')
@Pages('dashboard/units/:unit_id')
export class UnitSharePages {
  constructor(
    private readonly page: UnitPage,
    private readonly units: OperatorUnitsController,
    private readonly tenants: TenantReadsController,
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
    const unit = (await this.units.one(unit_id)).data;
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
    return changeUnit(this.page, 'access', 'share', 'shared', { unit_id, form, context }, () =>
      this.units.share(unit_id, String(form['tenant_id'] ?? ''), context),
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
    return changeUnit(this.page, 'access', `end-share-${tenant_id}`, 'share_ended', given, () =>
      this.units.endShare(unit_id, tenant_id, context),
    );
  }

  /** Tenants of the unit's location, without those who have the unit. */
  async #found(unit_id: string, q: string, context: OperatorContext): Promise<ShareCandidates> {
    if (q === '') return { tenants: [], hasMore: false, isOpen: true };
    const { location, tenant, shares, access } = (await this.units.one(unit_id)).data;
    const query = { ...validQuery(TenantSearchQuery, { q, location_id: location.id }), limit: OFFERED };
    const { tenants, next_cursor } = (await this.tenants.list(query, context)).data;
    const having = new Set([tenant?.tenant_id, ...shares.map(({ tenant_id }) => tenant_id)]);
    const others = tenants.filter(({ tenant_id }) => !having.has(tenant_id));
    return {
      tenants: await this.everywhere.withUnits(others),
      hasMore: next_cursor !== null,
      isOpen: access.state === 'tenant_permitted',
    };
  }
}
