import { Get, Param, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { NewPersonShareBody, NewPersonShares, ShareBody, UnitAdministration } from '#api/operator/index.js';
import { isPassHolderId } from '#domain/tenants/index.js';
import { type FormValues, Fragment, lastOf, type Page, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { Pages } from '../frame/pages.js';
import { type SearchQuery, searchText } from '../parts/search-text.js';
import { actPage } from './act-page.js';
import { changeUnit } from './change-unit.js';
import { NewPerson, NumberOfPeople, type ShareCandidates, ShareHits, ShareSearch } from './share-search.js';
import { type ListedTenant, nameOf } from '../parts/tenant-links.js';
import { typedInstant } from '../parts/typed-instant.js';
import { unitPath } from '../links/paths.js';
import { TenantCandidates } from './tenant-candidates.reader.js';
import type { UnitDetail } from './unit-detail.js';
import { UnitTabs } from './unit-tabs.js';

/** Shares a unit with another tenant of its location, whom the operator finds by name, phone or PMS id. */
@ForOperators('manager')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id')
export class UnitSharePages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly units: UnitAdministration,
    private readonly people: NewPersonShares,
    private readonly candidates: TenantCandidates,
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
    const zone = unit.location.timezone;
    return sharePage(
      unit,
      <>
        <ShareSearch {...{ path, zone }} q={text} hits={await this.#found(unit, text, context)} />
        <NewPerson {...{ path, zone }} refused={undefined} />
      </>,
    );
  }

  /** The same as somebody types. */
  @Costly()
  @Get('share/hits')
  async hits(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: SearchQuery,
    @Context() context: OperatorContext,
  ): Promise<Fragment> {
    const unit = await this.units.readUnit(unit_id);
    const found = await this.#found(unit, searchText(query), context);
    return new Fragment(<ShareHits path={unitPath(unit_id)} zone={unit.location.timezone} of={found} />);
  }

  @Post('shares')
  share(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const tenant_id = lastOf(form['tenant_id']) ?? '';
    return changeUnit(this.tabs, 'access', 'share-with', 'shared', { unit_id, form, context }, async () => {
      const body = validForm(ShareBody, { until: await this.#until(unit_id, form) });
      await this.units.shareUnit({ unit_id, tenant_id }, body, context);
    });
  }

  /** With somebody who has no account yet. */
  @Post('shares/new')
  shareWithPerson(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'share-person',
      values: form,
      act: async () => {
        const until = await this.#until(unit_id, form);
        const body = validForm(NewPersonShareBody, { ...form, until }, ['name', 'phone']);
        const { kind } = await this.people.shareUnit(unit_id, body, context);
        if (kind === 'known') return this.#ask(unit_id, body.phone, context);
        return new SeeOther(unitPath(unit_id), 'shared');
      },
      again: (refused) => this.tabs.access(unit_id, context, refused),
    });
  }

  /** Another end of a share. */
  @Post('shares/:tenant_id')
  changeEnd(
    @Param('unit_id') unit_id: string,
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const given = { unit_id, form, context };
    return changeUnit(this.tabs, 'access', `until-${tenant_id}`, 'share_end', given, async () => {
      const body = validForm(ShareBody, { until: await this.#until(unit_id, form) });
      await this.units.shareUnit({ unit_id, tenant_id }, body, context);
    });
  }

  @Post('shares/:tenant_id/end')
  endShare(
    @Param('unit_id') unit_id: string,
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const given = { unit_id, form, context };
    return changeUnit(this.tabs, 'access', `end-share-${tenant_id}`, 'share_ended', given, () =>
      this.units.endShare(unit_id, tenant_id, context),
    );
  }

  /** Offers those whose number somebody has typed for a new person. */
  async #ask(unit_id: string, phone: string, context: OperatorContext): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const hits = await this.#found(unit, phone, context);
    const path = unitPath(unit_id);
    return sharePage(unit, <NumberOfPeople {...{ path, phone, hits }} zone={unit.location.timezone} />);
  }

  /** The typed end, in the time zone of the location; empty: none. */
  async #until(unit_id: string, form: FormValues): Promise<string> {
    const until = lastOf(form['until']) ?? '';
    if (until === '') return '';
    const { location } = await this.units.readUnit(unit_id);
    return typedInstant('until', until, location.timezone);
  }

  /** Accounts of the unit's location, without those that have the unit, and those of passes, which share nothing. */
  async #found(unit: UnitDetail, q: string, context: OperatorContext): Promise<ShareCandidates> {
    const { location, tenant, shares, access } = unit;
    const isOffered = ({ pms_tenant_id }: ListedTenant) => !isPassHolderId(pms_tenant_id);
    const wanted = { location_id: location.id, q, isOffered };
    const { tenants, hasMore } = await this.candidates.find(wanted, context);
    const having = new Set([tenant?.tenant_id, ...shares.map(({ tenant_id }) => tenant_id)]);
    const others = tenants.filter(({ tenant_id }) => !having.has(tenant_id));
    const excluded = tenants.filter(({ tenant_id }) => having.has(tenant_id));
    return {
      tenants: await this.candidates.withUnits(others),
      having: excluded.map(nameOf),
      hasMore,
      isOpen: access.state === 'tenant_permitted',
    };
  }
}

function sharePage(unit: UnitDetail, content: VNode): Page {
  return actPage(unit, { title: 'Share unit', tab: 'Share' }, content);
}
