import { Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import {
  LocationAdministration,
  NewTenant,
  TenantAdministration,
  SearchEverywhere,
  TenantReads,
} from '#api/operator/index.js';
import { type Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { type AddQuery, Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { tenantList } from '../lists/tenant-list.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { locationPath, tenantPath } from '../links/paths.js';

interface ListedQuery extends AddQuery {
  readonly cursor?: string | undefined;
}

/** The tenants of a location, oldest first, each once. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id')
export class LocationTenantPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly reads: TenantReads,
    private readonly everywhere: SearchEverywhere,
    private readonly writes: TenantAdministration,
  ) {}

  @Costly()
  @Get('tenants')
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: ListedQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(location_id, context, query);
  }

  /** The whole list, read page by page as it is sent. */
  @Costly()
  @Get('tenants.csv')
  async csv(
    @Param('location_id') location_id: string,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    await this.locations.readLocation(location_id);
    return this.#list(location_id, context).csv();
  }

  @ForOperators('manager')
  @Post('tenants')
  addTenant(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'tenant',
      values: form,
      act: async () => {
        const { tenant_id } = await this.writes.createTenant(
          location_id,
          validForm(NewTenant, form),
          context,
        );
        return new SeeOther(tenantPath(tenant_id), 'tenant_added');
      },
      again: (refused) => this.#page(location_id, context, {}, refused),
    });
  }

  #list(location_id: string, { principal }: OperatorContext) {
    const { reads, everywhere } = this;
    return tenantList(
      { reads, everywhere },
      { page: locationPath(location_id), place: { location_id }, principal },
    );
  }

  async #page(
    location_id: string,
    context: OperatorContext,
    query: ListedQuery,
    refused?: Refused,
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { view } = await this.#list(location_id, context).show(query.cursor);
    const path = locationPath(location_id);
    const mayChange = mayDo(context.principal.role, 'manager');
    const content = (
      <>
        <Section title="Tenants">{view}</Section>
        {mayChange ? <AddTenant path={path} refused={refused} isOpen={query.add === 'tenant'} /> : null}
      </>
    );
    const acts = mayChange ? (
      <DrawerButton form="tenant" icon="user-plus">
        Add tenant
      </DrawerButton>
    ) : undefined;
    return locationPage(framed, '/tenants', content, { refused, acts });
  }
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
        <Field
          name="pms_tenant_id"
          label="Identifier of the tenant"
          hint="Must not be personal: it stays in the history."
          required
          maxLength={255}
          autofocus
        />
        <Field name="name" label="Name" required maxLength={255} />
        <Field name="email" label="E-mail" />
        <Field
          name="phone"
          label="Phone"
          hint="Like +13125550100: it is what the tenant signs in with."
          type="tel"
        />
      </Form>
    </Drawer>
  );
}
