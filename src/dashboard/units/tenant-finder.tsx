import type { ComponentChildren } from 'preact';
import type { FoundUnit } from '#api/operator/index.js';
import { StateMark } from '../parts/states.js';
import { amountText } from '../parts/words.js';

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

/** A debtor is seen before a unit is shared with them, or let to them. */
export function RentedUnit({ of: { unit_name, access, facts, location } }: { readonly of: FoundUnit }) {
  const owes = facts.balance_due > 0 ? ` owes ${amountText(facts.balance_due, location.currency)}` : '';
  return (
    <span class="rented">
      {unit_name} <StateMark {...access} />
      {owes}
    </span>
  );
}
