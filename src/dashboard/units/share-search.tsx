import { ActionDialog } from '../parts/action-dialog.js';
import { Field, Form } from '../parts/form.js';
import { HowManyMatch, NumberIsKnown, TenantChoice, TenantFinder } from './tenant-finder.js';
import { PHONE_LIKE } from '../page/phone-words.js';
import { localText, zoneText } from '../parts/words.js';
import type { TenantRow } from '../lists/tenant-columns.js';
import { type ListedTenant, nameOf } from '../parts/tenant-links.js';
import type { FormsProps } from './override-forms.js';

interface ShareDialogProps extends FormsProps {
  readonly zone: string;
}

/** Finds somebody of the location to share the unit with, or takes the name and the phone of somebody new. */
export function ShareDialog({ path, refused, zone }: ShareDialogProps) {
  return (
    <ActionDialog form="share-person" label="Share unit" refused={refused}>
      <ShareSearch {...{ path, zone }} q="" hits={null} />
      <NewPerson {...{ path, refused, zone }} />
    </ActionDialog>
  );
}

/** For somebody who has no account: a spouse, a helper, a mover. */
export function NewPerson({ path, refused, zone }: ShareDialogProps) {
  return (
    <section class="over-part" aria-labelledby="somebody-new">
      <b id="somebody-new">Somebody new</b>
      <Form name="share-person" action={`${path}/shares/new`} submit="Share with them" refused={refused}>
        <Field name="name" label="Name" required maxLength={255} />
        <Field name="phone" label="Phone" hint={`They sign in with it. ${PHONE_LIKE}`} type="tel" required />
        {untilField(zone)}
      </Form>
    </section>
  );
}

/** It is a function so that the form finds the label. */
function untilField(zone: string, until: string | null = null) {
  return (
    <Field
      name="until"
      label={`Until (${zoneText(zone)})`}
      hint="Blank: until you end it. At most a year ahead."
      type="datetime-local"
      value={until === null ? '' : localText(Date.parse(until), zone)}
    />
  );
}

export interface ShareCandidates {
  readonly tenants: readonly TenantRow[];
  /** Names of those who match, but have the unit already. */
  readonly having: readonly string[];
  /** True if more tenants match than are offered. */
  readonly hasMore: boolean;
  /** Whether the unit is open now. */
  readonly isOpen: boolean;
}

interface ShareSearchProps {
  readonly path: string;
  readonly zone: string;
  readonly q: string;
  /** Null before somebody has searched. */
  readonly hits: ShareCandidates | null;
}

export function ShareSearch({ path, zone, q, hits }: ShareSearchProps) {
  return (
    <TenantFinder
      name="share"
      action={`${path}/share`}
      label="Somebody of this site: name, phone or PMS id"
      q={q}
    >
      {hits === null ? null : <ShareHits {...{ path, zone }} of={hits} />}
    </TenantFinder>
  );
}

interface ShareHitsProps {
  readonly path: string;
  readonly zone: string;
  readonly of: ShareCandidates;
}

export function ShareHits({ path, zone, of: { tenants, having, hasMore, isOpen } }: ShareHitsProps) {
  return (
    <>
      <Having names={having} />
      {tenants.length === 0 ? null : (
        <>
          <p>
            They can open this unit, and gates that lead to it{isOpen ? '' : ', once it is open'}, until the
            share ends.
          </p>
          <TenantChoice name="share-with" action={`${path}/shares`} verb="Share with" tenants={tenants}>
            {untilField(zone)}
          </TenantChoice>
        </>
      )}
      <HowManyMatch isNone={tenants.length + having.length === 0} hasMore={hasMore} />
    </>
  );
}

interface NumberOfPeopleProps extends Pick<ShareHitsProps, 'path' | 'zone'> {
  /** In international format. */
  readonly phone: string;
  readonly hits: ShareCandidates;
}

/** Asks before the unit is shared with somebody whose number was typed for somebody new. */
export function NumberOfPeople({ path, zone, phone, hits }: NumberOfPeopleProps) {
  const names = [...hits.tenants.map(nameOf), ...hits.having];
  const owners = names.length === 0 ? 'an account of this site' : new Intl.ListFormat('en').format(names);
  const notDone = hits.tenants.length === 0 ? '' : 'The unit is not shared with them yet.';
  return (
    <NumberIsKnown {...{ phone, owners, notDone }}>
      <ShareHits {...{ path, zone }} of={hits} />
    </NumberIsKnown>
  );
}

/** Says why somebody who was found is not offered. */
function Having({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const all = new Intl.ListFormat('en').format(names);
  return (
    <p class="hint">
      {all} {names.length === 1 ? 'has' : 'have'} this unit already, as its tenant or by a share.
    </p>
  );
}

interface Sharing extends ListedTenant {
  readonly until: string | null;
}

/** Changes the end of a share, and ends it. */
export function ShareActs({ path, refused, zone, of: tenant }: ShareDialogProps & { readonly of: Sharing }) {
  const name = nameOf(tenant);
  const change = `until-${tenant.tenant_id}`;
  const end = `end-share-${tenant.tenant_id}`;
  return (
    <div class="acts">
      <ActionDialog form={change} label={`Change end for ${name}`} short="Change end" refused={refused}>
        <Form
          name={change}
          action={`${path}/shares/${tenant.tenant_id}`}
          submit="Save the end"
          refused={refused}
        >
          {untilField(zone, tenant.until)}
        </Form>
      </ActionDialog>
      <ActionDialog form={end} label={`End share of ${name}`} short="End share" refused={refused}>
        <p>
          They get no key to the unit any more, nor to gates that they pass for it alone. A key already given
          out opens an offline lock until it expires.
        </p>
        <Form
          name={end}
          action={`${path}/shares/${tenant.tenant_id}/end`}
          submit="End share"
          refused={refused}
          tone="danger"
        />
      </ActionDialog>
    </div>
  );
}
