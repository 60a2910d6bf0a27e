import { Get, Headers, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { LocationAdministration, NewTenant, TenantAdministration } from '#api/operator/index.js';
import {
  type FormValues,
  lastOf,
  Fragment,
  type Page,
  type Refused,
  SeeOther,
  type StreamedDownload,
} from '../page/page.js';
import { byHandId } from '#domain/tenants/index.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { type AddQuery, Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { mayDo } from '../parts/roles.js';
import { PHONE_LIKE } from '../page/phone-words.js';
import type { TenantSite } from '../tenant-list/tenant-table.js';
import { TenantListReader } from '../tenant-list/tenant-list.reader.js';
import { TenantLists } from '../tenant-list/tenant-lists.js';
import { askedTenants, type TenantsQuery } from '../tenant-list/tenant-list-view.js';
import { asksForPeek } from '../peek/asks-for-peek.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { locationPath, tenantPath } from '../links/paths.js';

type ListedQuery = AddQuery & Omit<TenantsQuery, 'location_id'>;

/** The tenants of a location. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id')
export class LocationTenantPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly tenants: TenantListReader,
    private readonly lists: TenantLists,
    private readonly writes: TenantAdministration,
  ) {}

  @Costly()
  @Get('tenants')
  async show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: ListedQuery,
    @Headers('hx-target') target: string | undefined,
    @Context() context: OperatorContext,
  ): Promise<Page | Fragment> {
    if (!asksForPeek(target)) return this.#page(location_id, context, query);
    const location = await this.locations.readLocation(location_id);
    const { panel } = await this.#list(location, context, query);
    return new Fragment(panel);
  }

  @Costly()
  @Get('tenants.csv')
  async csv(
    @Param('location_id') location_id: string,
    @PlainQuery() query: ListedQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    return this.tenants.csv(askedAt(await this.locations.readLocation(location_id), query), context);
  }

  @ForOperators('manager')
  @Post('tenants')
  addTenant(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'tenant',
      values: form,
      act: async () => {
        const body = validForm(NewTenant, withNumber(form, context));
        const { tenant_id } = await this.writes.createTenant(location_id, body, context);
        return new SeeOther(tenantPath(tenant_id), 'tenant_added');
      },
      again: (refused) => this.#page(location_id, context, {}, refused),
    });
  }

  #list(location: ListedSite, context: OperatorContext, query: ListedQuery) {
    const path = `${locationPath(location.location_id)}/tenants`;
    const place = { path, sites: undefined, peeked: query.peek };
    return this.lists.show(askedAt(location, query), place, context);
  }

  async #page(
    location_id: string,
    context: OperatorContext,
    query: ListedQuery,
    refused?: Refused,
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { view, panel, renting } = await this.#list(framed.location, context, query);
    const path = locationPath(location_id);
    const mayChange = mayDo(context.principal.role, 'manager');
    const content = (
      <>
        {view}
        {mayChange ? <AddTenant path={path} refused={refused} isOpen={query.add === 'tenant'} /> : null}
      </>
    );
    const acts = mayChange ? (
      <DrawerButton form="tenant" icon="user-plus">
        Add tenant
      </DrawerButton>
    ) : undefined;
    return locationPage(framed, '/tenants', content, { refused, acts, peek: panel, renting });
  }
}

/** A tenant without a number is one whom no PMS knows, as one who is moved in by name. */
function withNumber(form: FormValues, { command_id }: OperatorContext): FormValues {
  const typed = lastOf(form['pms_tenant_id'])?.trim() ?? '';
  return typed === '' ? { ...form, pms_tenant_id: byHandId(command_id) } : form;
}

type ListedSite = TenantSite & { readonly company_id: string };

function askedAt(location: ListedSite, query: ListedQuery) {
  return askedTenants(location.company_id, [location], { ...query, location_id: undefined });
}

interface AddTenantProps {
  readonly path: string;
  readonly refused: Refused | undefined;
  readonly isOpen: boolean;
}

function AddTenant({ path, refused, isOpen }: AddTenantProps) {
  return (
    <Drawer
      form="tenant"
      title="Add tenant"
      hint="Tenants appear by themselves when your PMS moves them in. Add only those it does not know."
      path={`${path}/tenants`}
      {...{ refused, isOpen }}
    >
      <Form name="tenant" action={`${path}/tenants`} submit="Add tenant" refused={refused}>
        <Field name="name" label="Name" required maxLength={255} autofocus />
        <Field name="email" label="E-mail" />
        <Field name="phone" label="Phone" hint={`They sign in with it. ${PHONE_LIKE}`} type="tel" />
        <Field
          name="pms_tenant_id"
          label="Tenant number"
          hint="Blank: none. It must not be personal: it stays in the history."
          maxLength={255}
        />
      </Form>
    </Drawer>
  );
}
