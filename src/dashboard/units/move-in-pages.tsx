import { Get, Param, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import {
  type KnownTenant,
  LeaseBody,
  MovesInByHand,
  PersonMoveInBody,
  UnitAdministration,
} from '#api/operator/index.js';
import { isOwnId } from '#domain/tenants/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { Pages } from '../frame/pages.js';
import { unitPath } from '../links/paths.js';
import { type FormValues, Fragment, lastOf, type Page, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { type SearchQuery, searchText } from '../parts/search-text.js';
import type { ListedTenant } from '../parts/tenant-links.js';
import { localDate } from '../parts/words.js';
import { actPage } from './act-page.js';
import { changeUnit } from './change-unit.js';
import { type MoveInCandidates, MoveInHits, MoveInSearch, Newcomer, NumberOfTenants } from './move-in.js';
import { TenantCandidates } from './tenant-candidates.reader.js';
import type { UnitDetail } from './unit-detail.js';
import { UnitLocationReader } from './unit-location.reader.js';
import { UnitTabs } from './unit-tabs.js';

/** Moves a tenant into a unit without a PMS: somebody new, or a tenant of the location whom the operator finds. */
@ForOperators('manager')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id')
export class MoveInPages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly units: UnitAdministration,
    private readonly location: UnitLocationReader,
    private readonly byHand: MovesInByHand,
    private readonly candidates: TenantCandidates,
  ) {}

  /** The tenants found, for a browser without a script. */
  @Costly()
  @Get('move-in')
  async find(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: SearchQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const q = searchText(query);
    const path = unitPath(unit_id);
    const [today, hits] = await Promise.all([this.#today(unit), this.#found(unit, q, context)]);
    return pageOf(
      unit,
      <>
        <MoveInSearch {...{ path, today, q, hits }} />
        <Newcomer {...{ path, today }} refused={undefined} />
      </>,
    );
  }

  /** The same as somebody types. */
  @Costly()
  @Get('move-in/hits')
  async hits(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: SearchQuery,
    @Context() context: OperatorContext,
  ): Promise<Fragment> {
    const unit = await this.units.readUnit(unit_id);
    const found = await this.#found(unit, searchText(query), context);
    return new Fragment(<MoveInHits path={unitPath(unit_id)} today={await this.#today(unit)} of={found} />);
  }

  /** Somebody new. Asks first where the number is that of a tenant. */
  @Post('tenancy')
  moveIn(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'move-in',
      values: form,
      act: async () => {
        const body = validForm(PersonMoveInBody, form, ['name', 'phone']);
        const moved = await this.byHand.moveIn(unit_id, body, context);
        if (moved.kind === 'known') return this.#ask(unit_id, moved.tenants, body);
        return new SeeOther(unitPath(unit_id), 'moved_in');
      },
      again: (refused) => this.tabs.access(unit_id, context, refused),
    });
  }

  /** A tenant whom the operator has chosen. */
  @Post('tenancy/known')
  moveKnownIn(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { tenant_id, ...lease } = form;
    return changeUnit(this.tabs, 'access', 'move-in', 'moved_in', { unit_id, form, context }, () =>
      this.byHand.moveKnownIn(unit_id, lastOf(tenant_id) ?? '', validForm(LeaseBody, lease), context),
    );
  }

  async #ask(
    unit_id: string,
    known: readonly KnownTenant[],
    { phone, move_in_date }: PersonMoveInBody,
  ): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const tenants = await this.candidates.withUnits(known);
    const path = unitPath(unit_id);
    return pageOf(unit, <NumberOfTenants {...{ path, tenants, phone }} day={move_in_date} />);
  }

  async #found({ location }: UnitDetail, q: string, context: OperatorContext): Promise<MoveInCandidates> {
    const isOffered = ({ pms_tenant_id }: ListedTenant) => !isOwnId(pms_tenant_id);
    const wanted = { location_id: location.id, q, isOffered };
    const { tenants, hasMore } = await this.candidates.find(wanted, context);
    return { tenants: await this.candidates.withUnits(tenants), hasMore };
  }

  async #today({ company_id, location }: UnitDetail): Promise<string> {
    const { clock } = await this.location.readCompany(company_id);
    return localDate(clock.now(), location.timezone);
  }
}

function pageOf(unit: UnitDetail, content: VNode): Page {
  return actPage(unit, { title: 'Move in', tab: 'Move in' }, content);
}
