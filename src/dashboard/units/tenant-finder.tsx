import type { ComponentChildren } from 'preact';
import type { FoundUnit } from '#api/operator/index.js';
import type { TenantRow } from '../lists/tenant-columns.js';
import { Empty } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { nameOf } from '../parts/tenant-links.js';
import { amountText, phoneText } from '../parts/words.js';

interface TenantFinderProps {
  /** Begins the ids of the form and of what it finds. */
  readonly name: string;
  /** The page of what is found; below it, `/hits` answers the same without the page. */
  readonly action: string;
  readonly label: string;
  readonly q: string;
  /** What was found. */
  readonly children: ComponentChildren;
}

/** Finds tenants of a location. Results come as somebody types, and at Enter; without a script the button leads to them. */
export function TenantFinder({ name, action, label, q, children }: TenantFinderProps) {
  return (
    <>
      <form
        class="form"
        method="get"
        action={action}
        id={`form-${name}`}
        hx-get={`${action}/hits`}
        hx-trigger="submit, input delay:150ms"
        hx-target={`#${name}-hits`}
        hx-sync="this:replace"
      >
        <div class="field">
          <label for={`${name}-q`}>{label}</label>
          <input
            id={`${name}-q`}
            name="q"
            type="search"
            value={q}
            autocomplete="off"
            maxlength={255}
            autofocus
          />
        </div>
        <button class="quiet">Find</button>
      </form>
      <div id={`${name}-hits`} aria-live="polite">
        {children}
      </div>
    </>
  );
}

interface TenantChoiceProps {
  readonly name: string;
  readonly action: string;
  /** What a button does with the tenant whom it names. */
  readonly verb: string;
  readonly tenants: readonly TenantRow[];
  /** The field that goes with each button. */
  readonly children: ComponentChildren;
}

/** A button for each tenant. Enter in the field presses none of them. */
export function TenantChoice({ name, action, verb, tenants, children }: TenantChoiceProps) {
  return (
    <form class="form" method="post" action={action} id={`form-${name}`}>
      <button disabled hidden />
      {children}
      <ul class="plain choices">
        {tenants.map((tenant) => (
          <li key={tenant.tenant_id}>
            <button name="tenant_id" value={tenant.tenant_id}>
              {verb} {nameOf(tenant)}
            </button>{' '}
            {tenant.phone === null ? '' : phoneText(tenant.phone)}
            {tenant.units?.map((unit) => (
              <RentedUnit key={unit.unit_id} of={unit} />
            ))}
          </li>
        ))}
      </ul>
    </form>
  );
}

interface NumberIsKnownProps {
  /** In international format. */
  readonly phone: string;
  /** Whose number it is. */
  readonly owners: string;
  /** What was not done. Empty: there is nothing to do. */
  readonly notDone: string;
  /** Offers the owners. */
  readonly children: ComponentChildren;
}

/** Asks before something is done with people whose number was typed for somebody new. */
export function NumberIsKnown({ phone, owners, notDone, children }: NumberIsKnownProps) {
  return (
    <>
      <p class="warning" role="status" tabIndex={-1} autofocus>
        {[`${phoneText(phone)} is the number of ${owners}.`, notDone].filter(Boolean).join(' ')}
      </p>
      {children}
      <p class="hint">If you mean somebody else, go back and correct the number.</p>
    </>
  );
}

/** Says that a search found nobody whom it may offer, or more than it offers. */
export function HowManyMatch({ isNone, hasMore }: { readonly isNone: boolean; readonly hasMore: boolean }) {
  if (hasMore) return <p class="hint">More tenants match. Type more to narrow.</p>;
  return isNone ? <Empty>No match at this site. Type the beginning of a name.</Empty> : null;
}

/** A debtor is seen before a unit is shared with them, or let to them. */
function RentedUnit({ of: { unit_name, access, facts, location } }: { readonly of: FoundUnit }) {
  const owes = facts.balance_due > 0 ? ` owes ${amountText(facts.balance_due, location.currency)}` : '';
  return (
    <span class="rented">
      {unit_name} <StateMark {...access} />
      {owes}
    </span>
  );
}
