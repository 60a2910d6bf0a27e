import type { Refused } from '../frame/page.js';
import { Checkbox, Danger, Field, Form, Select } from '../parts/form.js';
import { Section } from '../parts/layout.js';
import { locationPath } from '../locations/location-frame.js';
import type { ListedTenant } from '../tenants/tenant-list.js';
import type { UnitDetail } from './unit-detail.js';

export type Choice = readonly [value: string, text: string];

export interface FormsProps {
  readonly path: string;
  readonly refused: Refused | undefined;
}

const OVERRIDES = [
  ['lockout', 'Lock out, whatever the PMS says'],
  ['exempt', 'Exempt from lockout'],
] as const;

export function OverrideForms({
  path,
  refused,
  zone,
  stands,
}: FormsProps & { readonly zone: string; readonly stands: boolean }) {
  return (
    <>
      {stands ? (
        <Danger summary="Clear it">
          <p>
            What the PMS says decides again, at once: a unit that the word held open may be locked out, and
            one that it locked out may open. The word and its reason stay in the history.
          </p>
          <Form
            name="clear"
            action={`${path}/override/clear`}
            submit="Clear it"
            tone="danger"
            refused={refused}
          />
        </Danger>
      ) : null}
      <h3>{stands ? 'Replace it' : 'Say otherwise'}</h3>
      <Form name="override" action={`${path}/override`} submit="Set it" refused={refused}>
        <Select name="override" label="What" options={OVERRIDES} />
        <Field
          name="reason"
          label="Reason"
          hint="Stays in the history for ever: name no person."
          required
          maxLength={500}
        />
        <Field
          name="expires_at"
          label={`Ends (${zone})`}
          hint="When it is cleared, if left empty."
          type="datetime-local"
        />
      </Form>
    </>
  );
}

export function SharesForms({
  path,
  refused,
  shares,
}: FormsProps & { readonly shares: readonly ListedTenant[] }) {
  return (
    <>
      {shares.map(({ tenant_id, name, pms_tenant_id }) => (
        <Danger key={tenant_id} summary={`End the share of ${name ?? pms_tenant_id}`}>
          <p>
            They get no key to it any more, nor to the gates that they pass for it alone; one already given
            out opens an offline lock until it expires.
          </p>
          <Form
            name={`share-${tenant_id}`}
            action={`${path}/shares/${tenant_id}/end`}
            submit={`End the share of ${name ?? pms_tenant_id}`}
            refused={refused}
            tone="danger"
          />
        </Danger>
      ))}
      <h3>Share it</h3>
      <Form name="share" action={`${path}/shares`} submit="Share" refused={refused}>
        <Field name="pms_tenant_id" label="PMS id of a tenant of this location" required maxLength={255} />
      </Form>
    </>
  );
}

/** The name is the operator's, whatever the unit's source (decisions §3). */
export function NameForm({ path, refused, name }: FormsProps & { readonly name: string }) {
  return (
    <Section title="Name">
      <Form name="name" action={`${path}/name`} submit="Rename it" refused={refused}>
        <Field name="unit_name" label="Name of the unit" value={name} required maxLength={255} />
      </Form>
    </Section>
  );
}

export function RetireForms({
  path,
  refused,
  retired,
  occupied,
}: FormsProps & { readonly retired: boolean; readonly occupied: boolean }) {
  if (retired)
    return <Form name="revive" action={`${path}/revive`} submit="Bring it back" refused={refused} />;
  if (occupied) return null;
  return (
    <Danger summary="Made by mistake? Retire it">
      <p>Lists and integrators no longer see it. Its history stays; a write of its PMS brings it back.</p>
      <Form name="retire" action={`${path}/retire`} submit="Retire it" tone="danger" refused={refused} />
    </Danger>
  );
}

interface LockFormsProps extends FormsProps {
  readonly locks: readonly { readonly lock_id: string; readonly name: string }[];
  readonly free: FreeLocks;
  readonly location_id: string;
}

export function LockForms({ path, refused, locks, free, location_id }: LockFormsProps) {
  return (
    <>
      {locks.map(({ lock_id, name }) => (
        <Danger key={lock_id} summary={`Take ${name} off`}>
          <p>
            The tenant gets no key to it any more; one already given out opens an offline lock until it
            expires.
          </p>
          <Form
            name={`lock-${lock_id}`}
            action={`${path}/locks/${lock_id}/remove`}
            submit={`Take ${name} off`}
            tone="danger"
            refused={refused}
          />
        </Danger>
      ))}
      <PutLockOn path={path} refused={refused} free={free} location_id={location_id} />
    </>
  );
}

/** Some of the locks of a location that are on no unit. */
export interface FreeLocks {
  readonly offered: readonly {
    readonly lock_id: string;
    readonly name: string;
    readonly serial: string | null;
  }[];
  readonly hasMore: boolean;
}

function PutLockOn({ path, refused, free, location_id }: Omit<LockFormsProps, 'locks'>) {
  const { offered, hasMore } = free;
  const equipment = `${locationPath(location_id)}/equipment`;
  if (offered.length === 0) {
    return (
      <p class="hint">
        No lock of the location is on no unit. <a href={equipment}>Add one there</a>, then put it on here.
      </p>
    );
  }
  const names = offered.map(({ name }) => name);
  const suggestions = offered.map(({ lock_id, name, serial }) => ({
    value: names.filter((one) => one === name).length === 1 ? name : (serial ?? lock_id),
    text: serial === null ? name : `${name} (${serial})`,
  }));
  return (
    <>
      <Form name="lock" action={`${path}/locks`} submit="Put it on" refused={refused}>
        <Field
          name="lock"
          label="A lock that is on no unit"
          hint="Its name, its serial number or its identifier."
          value={offered.length === 1 ? suggestions[0]!.value : undefined}
          suggestions={suggestions}
          required
          maxLength={255}
        />
      </Form>
      {hasMore ? (
        <p class="hint">
          The first {offered.length} are offered; any other can be typed.{' '}
          <a href={`${equipment}?free=true`}>All that are on no unit</a>
        </p>
      ) : null}
    </>
  );
}

interface ZoneFormsProps extends FormsProps {
  readonly zones: readonly { readonly zone_id: string; readonly name: string | null }[];
  readonly others: readonly Choice[];
}

export function ZoneForms({ path, refused, zones, others }: ZoneFormsProps) {
  return (
    <>
      {zones.map(({ zone_id, name }) => (
        <Danger key={zone_id} summary={`Take it out of ${name ?? zone_id}`}>
          <p>
            Who rents or shares it gets no key any more to the gates and doors of the zone, unless by another
            unit there.
          </p>
          <Form
            name={`zone-${zone_id}`}
            action={`${path}/zones/${zone_id}/remove`}
            submit={`Take it out of ${name ?? zone_id}`}
            refused={refused}
            tone="danger"
          />
        </Danger>
      ))}
      {others.length === 0 ? null : (
        <Form name="zone" action={`${path}/zones`} submit="Put it in" refused={refused}>
          <Select name="zone_id" label="Zone" options={others} />
        </Form>
      )}
    </>
  );
}

const FLAGS = [
  ['pms_lockout', 'Locked out'],
  ['pms_lock_exempt', 'Exempt from lockout'],
  ['pms_auction', 'In auction'],
  ['pms_unrentable', 'Not for rent'],
] as const;

/** What a PMS would write, for a unit that none knows. */
export function StandaloneForms({
  path,
  refused,
  facts,
}: FormsProps & { readonly facts: UnitDetail['facts'] }) {
  return (
    <div class="grid">
      <Section title={facts.occupied ? 'Move out' : 'Move in'}>
        {facts.occupied ? (
          <Danger summary="Move the tenant out">
            <p>
              The tenancy, its shares, the balance, every flag and an operator’s word end. The history stays.
            </p>
            <Form
              name="move-out"
              action={`${path}/tenancy/end`}
              submit="Move out"
              tone="danger"
              refused={refused}
            />
          </Danger>
        ) : (
          <Form name="move-in" action={`${path}/tenancy`} submit="Move in" refused={refused}>
            <Field
              name="pms_tenant_id"
              label="Identifier of the tenant"
              hint="A new one makes a new tenant."
              required
              maxLength={255}
            />
            <Field name="move_in_date" label="First day" type="date" required />
            <Field name="ledger_id" label="Ledger" maxLength={255} />
          </Form>
        )}
      </Section>
      <Section title="Change facts">
        <Form name="facts" action={`${path}/facts`} submit="Save" refused={refused} ofWhatStands>
          <Field name="balance_due" label="Balance due" value={facts.balance_due} type="number" step="0.01" />
          <Field name="paid_through_date" label="Paid through" value={facts.paid_through_date} type="date" />
          {FLAGS.map(([name, label]) => (
            <Checkbox key={name} name={name} label={label} checked={facts[name]} />
          ))}
          <Field
            name="pms_status_raw"
            label="Status in your own words"
            value={facts.pms_status_raw}
            maxLength={1000}
          />
        </Form>
      </Section>
    </div>
  );
}
