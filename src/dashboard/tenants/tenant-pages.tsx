import { Get, Param, Post } from '@nestjs/common';
import { UnitGates } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { type ActivityEntry, LatestTaps } from '#domain/history/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import type { ResultOf } from '#kernel/result-of.js';
import type { Deadline } from '#kernel/yielder.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import { TenantAdministration, TenantChange, TenantReads, ToldNotices } from '#api/operator/index.js';
import { type Done, type FormValues, Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { locationPath, tenantPath } from '../links/paths.js';
import type { AddQuery } from '../parts/drawer.js';
import { Trail } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { nameOf } from '../parts/tenant-links.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { SandboxMark, shownClock } from '../parts/sandbox-mark.js';
import { NamedEntries } from '../activity/named-entries.js';
import { TenantSharesReader } from './tenant-shares.reader.js';
import { TenantActs, TenantView } from './tenant-view.js';

/** Taps that the page lists. */
const TAPS = 5;
/** Texts that the page lists. */
const TEXTS = 10;

/** The page of a tenant: units, last taps, details, sessions, keys. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/tenants/:tenant_id')
export class TenantPages {
  constructor(
    private readonly reads: TenantReads,
    private readonly writes: TenantAdministration,
    private readonly directory: LocationDirectory,
    private readonly taps: LatestTaps,
    private readonly named: NamedEntries,
    private readonly clocks: CompanyClocks,
    private readonly told: ToldNotices,
    private readonly sharing: TenantSharesReader,
    private readonly gates: UnitGates,
  ) {}

  @Costly()
  @Get()
  show(
    @Param('tenant_id') tenant_id: string,
    @PlainQuery() { add }: AddQuery,
    @Context() context: OperatorContext,
  ) {
    return this.#page(tenant_id, context, undefined, add);
  }

  @ForOperators('manager')
  @Post()
  change(
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#do('details', { tenant_id, form, context }, async () => {
      if (changesNothing(form)) return 'unchanged';
      const change = validChange(TenantChange, form);
      await this.writes.changeTenant(tenant_id, change, context);
      return 'details';
    });
  }

  @ForOperators('manager')
  @Post('sessions/end')
  endSessions(
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#do('sessions', { tenant_id, form, context }, async () => {
      await this.writes.endSessions(tenant_id, context);
      return 'sessions_ended';
    });
  }

  @ForOperators('manager')
  @Post('erase')
  erase(
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#do('erase', { tenant_id, form, context }, async () => {
      await this.writes.eraseTenant(tenant_id, context);
      return 'erased';
    });
  }

  #do(
    name: string,
    { tenant_id, form, context }: { tenant_id: string; form: object; context: OperatorContext },
    act: () => Promise<Done>,
  ) {
    return submit({
      form: name,
      values: form,
      act: async () => {
        const done = await act();
        return new SeeOther(tenantPath(tenant_id), done);
      },
      again: (refused) => this.#page(tenant_id, context, refused),
    });
  }

  /** The last taps. One at a gate had its right from the units that the tenant has. */
  async #readTaps(
    tenant: ResultOf<TenantReads['readTenant']>,
    location: LocationDocument,
    deadline: Deadline | undefined,
  ) {
    const ofTenant = [...tenant.units, ...tenant.shares].map(({ unit_id }) => unit_id);
    const found = await this.taps.listOfTenant(tenant, ofTenant, location, TAPS);
    const unitIdsOf = ({ entry_point_id, unit_id }: ActivityEntry) =>
      entry_point_id === undefined ? [unit_id ?? []].flat() : ofTenant;
    const taps = await this.named.withHadKey(found);
    return this.named.withUnitsThen(taps, { unitIdsOf, currency: location.currency }, deadline);
  }

  async #page(
    tenant_id: string,
    { principal, deadline }: OperatorContext,
    refused?: Refused,
    opened?: unknown,
  ): Promise<Page> {
    const tenant = await this.reads.readTenant(tenant_id);
    const location = await this.directory.location(tenant.location_id);
    if (location === undefined) throw errorOf('location_not_found');
    const [clock, { notices }, sharing, taps, gates] = await Promise.all([
      this.clocks.findClock(tenant.company_id),
      this.told.listOfTenant(tenant_id, { limit: TEXTS }),
      this.sharing.read(tenant),
      this.#readTaps(tenant, location, deadline),
      this.gates.findGatesOfTenant(tenant),
    ]);
    const mayChange = mayDo(principal.role, 'manager');
    const content = (
      <>
        <Trail
          to={[
            [locationPath(location._id), location.name],
            [`${locationPath(location._id)}/tenants`, 'Tenants'],
          ]}
        />
        <SandboxMark clock={shownClock(clock)} zone={location.policy.timezone} />
        <TenantView
          {...{ tenant, sharing, gates, taps, notices, refused, opened, mayChange }}
          zone={location.policy.timezone}
          now={clock.now()}
        />
      </>
    );
    return new Page(nameOf(tenant), content, refused?.status, {
      company_id: tenant.company_id,
      acts: <TenantActs tenant={tenant} mayChange={mayChange} />,
      location: { location_id: location._id, name: location.name },
    });
  }
}
