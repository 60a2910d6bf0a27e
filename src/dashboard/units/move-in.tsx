import { factOf } from '#domain/units/index.js';
import type { TenantRow } from '../lists/tenant-columns.js';
import { PHONE_LIKE } from '../page/phone-words.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Field, Form } from '../parts/form.js';
import { nameOf } from '../parts/tenant-links.js';
import type { FormsProps } from './override-forms.js';
import { HowManyMatch, NumberIsKnown, TenantChoice, TenantFinder } from './tenant-finder.js';

interface MoveInProps extends FormsProps {
  /** At the location, as `2026-11-30`. */
  readonly today: string;
}

/** Finds a tenant of the location, or takes the name and the phone of somebody new. */
export function MoveIn({ path, refused, today }: MoveInProps) {
  return (
    <ActionDialog form="move-in" label="Move in" refused={refused} hasButton={false}>
      <MoveInSearch {...{ path, today }} q="" hits={null} />
      <Newcomer {...{ path, refused, today }} />
    </ActionDialog>
  );
}

export function Newcomer({ path, refused, today }: MoveInProps) {
  return (
    <Form name="move-in" action={`${path}/tenancy`} submit="Move in" refused={refused}>
      <p>Or somebody new:</p>
      <Field name="name" label="Name" required maxLength={255} />
      <Field name="phone" label="Phone" hint={`They sign in with it. ${PHONE_LIKE}`} type="tel" required />
      {firstDayField(today)}
    </Form>
  );
}

/** It is a function so that the form finds the label. */
function firstDayField(day: string) {
  return <Field name="move_in_date" label={factOf('move_in_date').label} type="date" value={day} required />;
}

export interface MoveInCandidates {
  readonly tenants: readonly TenantRow[];
  /** True if more tenants match than are offered. */
  readonly hasMore: boolean;
}

interface MoveInSearchProps {
  readonly path: string;
  readonly today: string;
  readonly q: string;
  /** Null before somebody has searched. */
  readonly hits: MoveInCandidates | null;
}

export function MoveInSearch({ path, today, q, hits }: MoveInSearchProps) {
  const label = 'A tenant of this site: name, phone or PMS id';
  return (
    <TenantFinder name="mover" action={`${path}/move-in`} label={label} q={q}>
      {hits === null ? null : <MoveInHits {...{ path, today }} of={hits} />}
    </TenantFinder>
  );
}

interface MoveInHitsProps {
  readonly path: string;
  readonly today: string;
  readonly of: MoveInCandidates;
}

export function MoveInHits({ path, today, of: { tenants, hasMore } }: MoveInHitsProps) {
  const isNone = tenants.length === 0;
  return (
    <>
      {isNone ? null : <KnownTenants {...{ path, tenants }} day={today} />}
      <HowManyMatch {...{ isNone, hasMore }} />
    </>
  );
}

interface KnownTenantsProps {
  readonly path: string;
  readonly tenants: readonly TenantRow[];
  /** First day of the lease. */
  readonly day: string;
}

function KnownTenants({ path, tenants, day }: KnownTenantsProps) {
  return (
    <TenantChoice name="move-in-known" action={`${path}/tenancy/known`} verb="Move in" tenants={tenants}>
      {firstDayField(day)}
    </TenantChoice>
  );
}

interface NumberOfTenantsProps extends KnownTenantsProps {
  /** In international format. */
  readonly phone: string;
}

/** Asks before a tenant moves in whose number somebody has typed. */
export function NumberOfTenants({ path, tenants, day, phone }: NumberOfTenantsProps) {
  const owners = new Intl.ListFormat('en').format(tenants.map(nameOf));
  return (
    <NumberIsKnown {...{ phone, owners }} notDone="Nobody is moved in yet.">
      <KnownTenants {...{ path, tenants, day }} />
    </NumberIsKnown>
  );
}
