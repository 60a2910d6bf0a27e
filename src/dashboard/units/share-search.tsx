import type { FoundUnit } from '#api/operator/index.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Form } from '../parts/form.js';
import { Empty } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { amountText, phoneText } from '../parts/words.js';
import type { TenantRow } from '../lists/tenant-columns.js';
import { type ListedTenant, TenantLink } from '../parts/tenant-links.js';
import type { FormsProps } from './override-forms.js';

const HITS = 'share-hits';

/** Finds a tenant of the location to share the unit with. */
export function ShareDialog({ path }: Pick<FormsProps, 'path'>) {
  return (
    <ActionDialog form="share" label="Share unit" refused={undefined}>
      <ShareSearch path={path} q="" hits={null} />
    </ActionDialog>
  );
}

export interface ShareCandidates {
  readonly tenants: readonly TenantRow[];
  /** True if more tenants match than are offered. */
  readonly hasMore: boolean;
  /** Whether the unit is open now. */
  readonly isOpen: boolean;
}

interface ShareSearchProps {
  readonly path: string;
  readonly q: string;
  /** Null before somebody has searched. */
  readonly hits: ShareCandidates | null;
}

/** Results come as somebody types, and at Enter; without a script the button leads to them. */
export function ShareSearch({ path, q, hits }: ShareSearchProps) {
  return (
    <>
      <form
        class="form"
        method="get"
        action={`${path}/share`}
        id="form-share"
        hx-get={`${path}/share/hits`}
        hx-trigger="submit, input delay:150ms"
        hx-target={`#${HITS}`}
        hx-sync="this:replace"
      >
        <div class="field">
          <label for="share-q">Name, phone or PMS id of the tenant</label>
          <input id="share-q" name="q" type="search" value={q} autocomplete="off" maxlength={255} autofocus />
        </div>
        <button class="quiet">Find</button>
      </form>
      <div id={HITS} aria-live="polite">
        {hits === null ? null : <ShareHits path={path} of={hits} />}
      </div>
    </>
  );
}

interface ShareHitsProps {
  readonly path: string;
  readonly of: ShareCandidates;
}

/** A button for each tenant found. */
export function ShareHits({ path, of: { tenants, hasMore, isOpen } }: ShareHitsProps) {
  if (tenants.length === 0) return <Empty>No match at this location. Type the beginning of a name.</Empty>;
  return (
    <>
      <p>
        The tenant can open this unit, and gates that lead to it{isOpen ? '' : ', once it is open'}, until you
        end the share.
      </p>
      <ul class="plain choices">
        {tenants.map(({ tenant_id, name, pms_tenant_id, phone, units = [] }) => (
          <li key={tenant_id}>
            <form method="post" action={`${path}/shares`} id={`form-share-${tenant_id}`}>
              <input type="hidden" name="tenant_id" value={tenant_id} />
              <button>Share with {name ?? pms_tenant_id}</button> {phone === null ? '' : phoneText(phone)}
              {units.map((unit) => (
                <RentedUnit key={unit.unit_id} of={unit} />
              ))}
            </form>
          </li>
        ))}
      </ul>
      {hasMore ? <p class="hint">More tenants match. Type more to narrow.</p> : null}
    </>
  );
}

/** A debtor is seen before the unit is shared: the share opens gates. */
function RentedUnit({ of: { unit_name, access, facts, location } }: { readonly of: FoundUnit }) {
  const owes = facts.balance_due > 0 ? ` owes ${amountText(facts.balance_due, location.currency)}` : '';
  return (
    <span class="rented">
      {unit_name} <StateMark {...access} />
      {owes}
    </span>
  );
}

interface EndSharesProps extends FormsProps {
  readonly shares: readonly ListedTenant[];
  readonly mayChange: boolean;
}

export function EndShares({ path, refused, shares, mayChange }: EndSharesProps) {
  if (shares.length === 0) return null;
  return (
    <ul class="plain">
      {shares.map((tenant) => {
        const name = tenant.name ?? tenant.pms_tenant_id;
        const form = `end-share-${tenant.tenant_id}`;
        return (
          <li key={tenant.tenant_id}>
            <TenantLink tenant={tenant} />{' '}
            {mayChange ? (
              <ActionDialog form={form} label={`End share of ${name}`} refused={refused}>
                <p>
                  They get no key to the unit any more, nor to gates that they pass for it alone. A key
                  already given out opens an offline lock until it expires.
                </p>
                <Form
                  name={form}
                  action={`${path}/shares/${tenant.tenant_id}/end`}
                  submit="End the share"
                  refused={refused}
                  tone="danger"
                />
              </ActionDialog>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
