import type { ResultOf } from '#kernel/result-of.js';
import type { UnitGate } from '#domain/access/index.js';
import { isInNoPms } from '#domain/tenants/index.js';
import type { NoticeAnswer, TenantReads } from '#api/operator/index.js';
import type { Refused } from '../page/page.js';
import { CopyButton } from '../parts/copy-button.js';
import { Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { Happened } from '../parts/happened.js';
import { Icon } from '../parts/icon.js';
import { Empty, None, Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { amountText } from '../parts/words.js';
import type { UnitReport } from '../activity/named-entries.js';
import { TapResult } from '../activity/tap-result.js';
import { ToldList } from '../notices/told-list.js';
import { UnitTable } from '../lists/unit-list.js';
import { gatePath, tenantPath } from '../links/paths.js';
import { nameOf, PhoneLink, TEXTS_OPEN } from '../parts/tenant-links.js';
import { TenantGates } from './tenant-gates.js';
import { TenantSharingCards } from './tenant-shares.js';
import type { TenantSharesReader } from './tenant-shares.reader.js';

type Tenant = ResultOf<TenantReads['readTenant']>;

interface TenantProps {
  readonly tenant: Tenant;
  readonly sharing: ResultOf<TenantSharesReader['read']>;
  readonly gates: readonly UnitGate[];
  /** The newest first. */
  readonly taps: readonly UnitReport[];
  /** The newest first. */
  readonly notices: readonly NoticeAnswer[];
  readonly zone: string;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
  /** The drawer that the page comes with open, if it is `details`. */
  readonly opened: unknown;
}

/** First what a call is about: whom to reach, sum owed, units, last taps. Forms are in drawers. */
export function TenantView(props: TenantProps) {
  const { tenant, sharing, gates, taps, notices, zone, now, mayChange } = props;
  return (
    <>
      {tenant.erased_at === null ? null : (
        <p class="warning">
          The personal details were erased: <Instant at={tenant.erased_at} zone={zone} />. A PMS does not
          bring them back{mayChange ? '; “Change details” does' : ''}.
        </p>
      )}
      <Contact tenant={tenant} />
      <div class="split">
        <div class="stack">
          <Section title="Units">
            <Units tenant={tenant} />
          </Section>
          <Section title="Last taps">
            <Taps taps={taps} zone={zone} />
          </Section>
          <TenantSharingCards of={sharing} zone={zone} />
          <ToldList notices={notices} zone={zone} />
        </div>
        <div class="stack">
          {tenant.units.length + tenant.shares.length === 0 ? null : (
            <TenantGates gates={gates} zone={zone} now={now} />
          )}
          <Keys tenant={tenant} zone={zone} />
        </div>
      </div>
      {mayChange ? <Forms {...props} /> : null}
    </>
  );
}

function Contact({ tenant: { pms_tenant_id, email, phone } }: Pick<TenantProps, 'tenant'>) {
  return (
    <div class="verdict">
      {phone === null ? (
        <None>No phone: cannot sign in</None>
      ) : (
        <>
          <span id="phone">
            <PhoneLink phone={phone} />
          </span>
          <CopyButton of="phone" label="Copy number" />
        </>
      )}
      {email === null ? null : <a href={`mailto:${email}`}>{email}</a>}
      <span class="hint">{isInNoPms(pms_tenant_id) ? 'Not in the PMS' : `PMS id ${pms_tenant_id}`}</span>
    </div>
  );
}

type ActsProps = Pick<TenantProps, 'tenant' | 'mayChange'>;

/** What can be done at the head of the page: reach the tenant, and for a manager the forms. */
export function TenantActs({ tenant, mayChange }: ActsProps) {
  const { phone, sessions, erased_at } = tenant;
  const text = nameOf(tenant);
  return (
    <>
      {phone === null ? null : (
        <>
          <a class="button" href={`tel:${phone}`} aria-label={`Call ${text}`}>
            <Icon name="phone" />
            Call
          </a>
          <a class="button" href={`sms:${phone}`} title={TEXTS_OPEN} aria-label={`Text ${text}`}>
            <Icon name="message" />
            Text
          </a>
        </>
      )}
      {mayChange ? (
        <>
          <DrawerButton form="details" icon="pencil" tone="usual">
            Change details
          </DrawerButton>
          {sessions.length > 0 ? (
            <DrawerButton form="sessions" icon="logout" tone="usual">
              End sessions
            </DrawerButton>
          ) : null}
          {erased_at === null ? (
            <DrawerButton form="erase" icon={null} tone="usual">
              Erase…
            </DrawerButton>
          ) : null}
        </>
      ) : null}
    </>
  );
}

const FED =
  'Your PMS sends this tenant’s details. Change them there, too: its next sync may put the old ones back.';

function Forms({ tenant, refused, opened }: TenantProps) {
  const { tenant_id, name, email, phone, sessions, erased_at } = tenant;
  const path = tenantPath(tenant_id);
  const isFed = tenant.units.some(({ source_type }) => source_type !== 'standalone');
  return (
    <>
      <Drawer
        form="details"
        title="Change details"
        hint={isFed ? FED : undefined}
        path={path}
        refused={refused}
        isOpen={opened === 'details'}
      >
        <Form name="details" action={path} submit="Save" refused={refused} withInitial>
          <Field name="name" label="Name" value={name} required maxLength={255} autofocus />
          <Field name="email" label="E-mail" value={email} />
          <Field
            name="phone"
            label="Phone"
            value={phone}
            hint="A new number ends the tenant’s sessions."
            type="tel"
          />
        </Form>
      </Drawer>
      {sessions.length > 0 ? (
        <Drawer form="sessions" title="End every session" path={path} refused={refused}>
          <p tabIndex={-1} autofocus>
            The tenant is signed out everywhere and needs a new code to sign in. Keys that the app has been
            given open until they expire.
          </p>
          <Form name="sessions" action={`${path}/sessions/end`} submit="End every session" tone="danger" />
        </Drawer>
      ) : null}
      {erased_at === null ? (
        <Drawer form="erase" title="Erase the personal details" path={path} refused={refused}>
          <p tabIndex={-1} autofocus>
            Name, e-mail, phone number, sessions, codes, and what the app wrote in reports are removed for
            good. This cannot be undone. Shares of others’ units with this person end. The tenancies and the
            history stay, under a number; units keep what was decided of them.
          </p>
          <Form name="erase" action={`${path}/erase`} submit="Erase them for good" tone="danger" />
        </Drawer>
      ) : null}
    </>
  );
}

function Units({ tenant: { units, units_left_out = 0 } }: { readonly tenant: Tenant }) {
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
    </>
  );
}

function Taps({ taps, zone }: Pick<TenantProps, 'taps' | 'zone'>) {
  if (taps.length === 0) return <Empty>No recent tap.</Empty>;
  const rows = taps.map((one) => ({
    key: one.log_id,
    cells: [
      <Happened of={one} zone={zone} />,
      <>
        <TapResult of={one} />{' '}
        {one.entry_point_id === undefined ? (
          <span class="soft">{one.lock_name ?? 'A lock'}</span>
        ) : (
          <a href={gatePath(one.entry_point_id)}>{one.entry_point_name ?? 'A gate'}</a>
        )}
      </>,
    ],
  }));
  return <Table caption="Taps, newest first" head={['When', 'What']} rows={rows} />;
}

function Keys({ tenant: { sessions, keys_outstanding }, zone }: Pick<TenantProps, 'tenant' | 'zone'>) {
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
