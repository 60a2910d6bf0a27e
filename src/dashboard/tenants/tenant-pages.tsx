import { pageLocationOf } from '../locations/location-frame.js';
import { Get, Param, Post } from '@nestjs/common';
import { CompanyClocks } from '../../companies/index.js';
import { ForOperators } from '../../http/operator-access.js';
import type { DataOf } from '../../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { ObjectBody, PlainQuery } from '../../http/validation/valid.js';
import { LocationsController, TenantReadsController } from '../../operator/index.js';
import { OperatorTenantsController, TenantChange } from '../../tenants/index.js';
import { type Done, Page, type Refused, SeeOther } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { Danger, Field, Form } from '../parts/form.js';
import { Empty, Facts, Section, Trail } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { SandboxMark, toldClock } from '../parts/sandbox-mark.js';
import { Instant } from '../parts/times.js';
import { amountText } from '../parts/words.js';
import { PhoneLink } from './tenant-list.js';
import { UnitTable } from '../units/unit-list.js';

type Tenant = DataOf<TenantReadsController['one']>;

/** The page of a tenant: units, details, sessions, keys. */
@ForOperators('auditor')
@Pages('dashboard/tenants/:tenant_id')
export class TenantPages {
  constructor(
    private readonly reads: TenantReadsController,
    private readonly writes: OperatorTenantsController,
    private readonly locations: LocationsController,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get()
  show(
    @Param('tenant_id') tenant_id: string,
    @PlainQuery() _query: object,
    @Context() context: OperatorContext,
  ) {
    return this.#page(tenant_id, context);
  }

  @ForOperators('manager')
  @Post()
  change(
    @Param('tenant_id') tenant_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#do('details', { tenant_id, form, context }, async () => {
      if (changesNothing(form)) return 'unchanged';
      const change = validChange(TenantChange, form);
      await this.writes.change(tenant_id, change, context);
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
      await this.writes.erase(tenant_id, context);
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
        return new SeeOther(`/dashboard/tenants/${encodeURIComponent(tenant_id)}`, done);
      },
      again: (refused) => this.#page(tenant_id, context, refused),
    });
  }

  async #page(tenant_id: string, { principal }: OperatorContext, refused?: Refused): Promise<Page> {
    const tenant = (await this.reads.one(tenant_id)).data;
    const location = (await this.locations.one(tenant.location_id)).data;
    const clock = toldClock(await this.clocks.of(location.company_id));
    const mayChange = mayDo(principal.role, 'manager');
    const content = (
      <>
        <Trail
          to={[
            ['/dashboard/companies', 'Companies'],
            [`/dashboard/locations/${location.location_id}`, location.name],
          ]}
        />
        <SandboxMark clock={clock} zone={location.timezone} />
        {tenant.erased_at === null ? null : (
          <p class="warning">
            The personal details were erased: <Instant at={tenant.erased_at} zone={location.timezone} />. A
            PMS does not bring them back{mayChange ? '; an operator does, by writing them below' : ''}.
          </p>
        )}
        <Section title="Units">
          <Units tenant={tenant} />
        </Section>
        <div class="grid">
          <Details tenant={tenant} mayChange={mayChange} refused={refused} />
          <Keys tenant={tenant} zone={location.timezone} mayChange={mayChange} />
        </div>
        {mayChange && tenant.erased_at === null ? <Erasure tenant={tenant} /> : null}
      </>
    );
    return new Page(tenant.name ?? tenant.pms_tenant_id, content, refused?.status, {
      place: pageLocationOf(location),
    });
  }
}

function Units({ tenant: { units, shares, units_left_out = 0 } }: { readonly tenant: Tenant }) {
  const owed = units.reduce((sum, { facts }) => sum + Math.max(Math.round(facts.balance_due * 100), 0), 0);
  return (
    <>
      {owed > 0 && units_left_out === 0 ? <p>{amountText(owed / 100)} owed in all.</p> : null}
      {units_left_out === 0 ? null : (
        <p class="warning">
          {units_left_out} more units are not shown: what would open them all is too much for a page.
        </p>
      )}
      {units.length === 0 ? <Empty>Rents no unit.</Empty> : <UnitTable caption="Units" units={units} />}
      {shares.length === 0 ? null : (
        <>
          <h3>Shared by others</h3>
          <UnitTable caption="Units shared by others" units={shares} />
        </>
      )}
    </>
  );
}

interface PartProps {
  readonly tenant: Tenant;
  readonly mayChange: boolean;
}

function Details({ tenant, mayChange, refused }: PartProps & { readonly refused: Refused | undefined }) {
  const { tenant_id, pms_tenant_id, name, email, phone } = tenant;
  return (
    <Section title="Details">
      <Facts
        of={[
          ['PMS id', pms_tenant_id],
          ['Name', name ?? 'not known'],
          ['E-mail', email ?? 'none'],
          ['Phone', phone === null ? 'none: cannot sign in' : <PhoneLink phone={phone} />],
        ]}
      />
      {mayChange ? (
        <>
          <h3>Change them</h3>
          <Form
            name="details"
            action={`/dashboard/tenants/${tenant_id}`}
            submit="Save"
            refused={refused}
            withInitial
          >
            <Field name="name" label="Name" value={name} required maxLength={255} />
            <Field name="email" label="E-mail" value={email} />
            <Field
              name="phone"
              label="Phone"
              value={phone}
              hint="A new number ends the tenant’s sessions."
              type="tel"
            />
          </Form>
        </>
      ) : null}
    </Section>
  );
}

function Keys({
  tenant: { tenant_id, sessions, keys_outstanding },
  zone,
  mayChange,
}: PartProps & { readonly zone: string }) {
  return (
    <Section title="Sessions and keys">
      <h3>Signed in</h3>
      {sessions.length === 0 ? (
        <Empty>Nowhere.</Empty>
      ) : (
        <ul>
          {sessions.map(({ session_id, created_at, expires_at }) => (
            <li key={session_id}>
              since <Instant at={created_at} zone={zone} />, until <Instant at={expires_at} zone={zone} />
            </li>
          ))}
        </ul>
      )}
      {mayChange && sessions.length > 0 ? (
        <Danger summary="End every session">
          <p>
            The tenant is signed out everywhere and needs a new code to sign in. Keys that the app has been
            given open until they expire.
          </p>
          <Form
            name="sessions"
            action={`/dashboard/tenants/${tenant_id}/sessions/end`}
            submit="End every session"
            tone="danger"
          />
        </Danger>
      ) : null}
      <h3>Keys that still work</h3>
      {keys_outstanding.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <ul>
          {keys_outstanding.map(({ name, expires_at }) => (
            <li key={name}>
              {name}: until <Instant at={expires_at} zone={zone} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Erasure({ tenant: { tenant_id } }: { readonly tenant: Tenant }) {
  return (
    <Section title="Erase the person">
      <Danger summary="Erase the personal details">
        <p>
          Name, e-mail, phone number, sessions, codes, and what the app wrote in reports are removed for good.
          This cannot be undone. The tenancies and the history stay, under an identifier; units keep what was
          decided of them.
        </p>
        <Form
          name="erase"
          action={`/dashboard/tenants/${tenant_id}/erase`}
          submit="Erase them for good"
          tone="danger"
        />
      </Danger>
    </Section>
  );
}
