import type { ResultOf } from '#kernel/result-of.js';
import { isOwnId } from '#domain/tenants/index.js';
import type { NoticeAnswer, TenantReads } from '#api/operator/index.js';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Danger, Field, Form } from '../parts/form.js';
import { Happened } from '../parts/happened.js';
import { Empty, None, Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { amountText } from '../parts/words.js';
import type { UnitReport } from '../activity/named-entries.js';
import { TapResult } from '../activity/tap-result.js';
import { ToldList } from '../notices/told-list.js';
import { SharedUnitTable, UnitTable } from '../lists/unit-list.js';
import { gatePath, tenantPath } from '../links/paths.js';
import { PhoneLink } from '../parts/tenant-links.js';

type Tenant = ResultOf<TenantReads['readTenant']>;

interface TenantProps {
  readonly tenant: Tenant;
  /** The newest first. */
  readonly taps: readonly UnitReport[];
  /** The newest first. */
  readonly notices: readonly NoticeAnswer[];
  readonly zone: string;
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** First what a call is about: phone, sum owed, units, last taps. */
export function TenantView(props: TenantProps) {
  const { tenant, taps, notices, zone, mayChange } = props;
  return (
    <>
      {tenant.erased_at === null ? null : (
        <p class="warning">
          The personal details were erased: <Instant at={tenant.erased_at} zone={zone} />. A PMS does not
          bring them back{mayChange ? '; “Change details” does' : ''}.
        </p>
      )}
      <Section title="Units">
        <Contact {...props} />
        <Units tenant={tenant} />
      </Section>
      <Section title="Last taps">
        <Taps taps={taps} zone={zone} />
      </Section>
      <ToldList notices={notices} zone={zone} />
      <Keys tenant={tenant} zone={zone} mayChange={mayChange} />
      {mayChange && tenant.erased_at === null ? <Erasure tenant={tenant} /> : null}
    </>
  );
}

function Contact({ tenant, mayChange, refused }: TenantProps) {
  const { pms_tenant_id, email, phone } = tenant;
  return (
    <>
      <p class="verdict">
        {phone === null ? <None>No phone: cannot sign in</None> : <PhoneLink phone={phone} />}
        {email === null ? null : <a href={`mailto:${email}`}>{email}</a>}
        <span class="hint">{isOwnId(pms_tenant_id) ? 'Not in the PMS' : `PMS id ${pms_tenant_id}`}</span>
      </p>
      {mayChange ? <Details tenant={tenant} refused={refused} /> : null}
    </>
  );
}

function Details({ tenant, refused }: Pick<TenantProps, 'tenant' | 'refused'>) {
  const { tenant_id, name, email, phone } = tenant;
  return (
    <ActionDialog form="details" label="Change details" refused={refused}>
      <Form name="details" action={tenantPath(tenant_id)} submit="Save" refused={refused} withInitial>
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
    </ActionDialog>
  );
}

function Units({ tenant: { units, shares, units_left_out = 0 } }: { readonly tenant: Tenant }) {
  const owed = units.reduce((sum, { facts }) => sum + Math.max(Math.round(facts.balance_due * 100), 0), 0);
  return (
    <>
      {owed > 0 && units_left_out === 0 ? (
        <p class="sentence">{amountText(owed / 100, units[0]!.location.currency)} owed in all.</p>
      ) : null}
      {units_left_out === 0 ? null : (
        <p class="warning">
          {units_left_out} more units are not shown: what would open them all is too much for a page.
        </p>
      )}
      {units.length === 0 ? <Empty>Rents no unit.</Empty> : <UnitTable caption="Units" units={units} />}
      {shares.length === 0 ? null : (
        <>
          <h3>Shared by others</h3>
          <SharedUnitTable units={shares} />
        </>
      )}
    </>
  );
}

function Taps({ taps, zone }: Pick<TenantProps, 'taps' | 'zone'>) {
  if (taps.length === 0) return <Empty>No recent tap.</Empty>;
  const rows = taps.map((one) => ({
    key: one.log_id,
    cells: [
      <Happened of={one} zone={zone} />,
      one.entry_point_id === undefined ? (
        (one.lock_name ?? 'A lock')
      ) : (
        <a href={gatePath(one.entry_point_id)}>{one.entry_point_name ?? 'A gate'}</a>
      ),
      <TapResult of={one} />,
    ],
  }));
  return <Table caption="Taps, newest first" head={['When', 'Where', 'Result']} rows={rows} />;
}

function Keys({
  tenant: { tenant_id, sessions, keys_outstanding },
  zone,
  mayChange,
}: Pick<TenantProps, 'tenant' | 'zone' | 'mayChange'>) {
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
            action={`${tenantPath(tenant_id)}/sessions/end`}
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
          This cannot be undone. Shares of others’ units with this person end. The tenancies and the history
          stay, under an identifier; units keep what was decided of them.
        </p>
        <Form
          name="erase"
          action={`${tenantPath(tenant_id)}/erase`}
          submit="Erase them for good"
          tone="danger"
        />
      </Danger>
    </Section>
  );
}
