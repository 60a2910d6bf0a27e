import type { ComponentChild, VNode } from 'preact';
import { isLockedOut } from '#domain/access/index.js';
import { isInNoPms } from '#domain/tenants/index.js';
import { tenantPath, unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { Icon } from '../parts/icon.js';
import { Empty } from '../parts/layout.js';
import { ReasonMark } from '../parts/states.js';
import { type ListedTenant, nameOf } from '../parts/tenant-links.js';
import { Unbroken } from '../parts/unbroken.js';
import { UnitLink } from '../parts/unit-link.js';
import { amountText, countText } from '../parts/words.js';
import { noPeek, PEEK, PeekHead, PeekPerson, PeekTaps, placeOf, stepsBeside } from '../peek/peek-parts.js';
import { TenantChanges } from './tenant-menu.js';
import type { PeekedTenant } from './tenant-peek.reader.js';

/** Units that the panel lists. */
const MOST_UNITS = 10;

type Row = Pick<ListedTenant, 'tenant_id' | 'name' | 'pms_tenant_id'>;

/** The address of a page with the panel of a tenant. @param path may have a query */
export function tenantPeekPath(path: string, { tenant_id }: Pick<Row, 'tenant_id'>): string {
  return withQuery(path, { peek: tenant_id });
}

interface PeekProps {
  /** Undefined: nobody is looked at, and the panel is not seen. */
  readonly of: PeekedTenant | undefined;
  /** The page without the panel. */
  readonly path: string;
  /** The rows of the page in their order: the arrows lead to those beside this one. */
  readonly rows: readonly Row[];
  readonly mayChange: boolean;
}

/** The panel beside a list of tenants, a sheet on a phone: whom to call, about which units, and why. */
export function tenantPeekPanel({ of, path, rows, mayChange }: PeekProps): VNode {
  if (of === undefined) return noPeek();
  const { tenant, site, taps, now } = of;
  return (
    <aside id={PEEK} class="peek" aria-labelledby="peek-title">
      <PeekHead
        place={site.name}
        kind="tenant"
        {...stepsBeside(
          rows,
          ({ tenant_id }) => tenant_id === tenant.tenant_id,
          (row) => ({ href: tenantPeekPath(path, row), name: nameOf(row) }),
        )}
        path={path}
      />
      <div class="peek-part">
        <h2 id="peek-title" tabIndex={-1}>
          <Unbroken text={nameOf(tenant)} />
        </h2>
        <PeekPerson of={tenant} href={undefined} />
        <Ways tenant_id={tenant.tenant_id} name={nameOf(tenant)} mayChange={mayChange} />
      </div>
      <section class="peek-part" aria-labelledby="peek-units">
        <h3 id="peek-units">Units</h3>
        <Units {...of} mayChange={mayChange} />
      </section>
      <Pairs {...of} />
      <PeekTaps taps={taps} softOf={(tap) => placeOf(tap, 'A lock')} zone={site.timezone} now={now} />
    </aside>
  );
}

interface WaysProps {
  readonly tenant_id: string;
  readonly name: string;
  readonly mayChange: boolean;
}

function Ways({ tenant_id, name, mayChange }: WaysProps) {
  const page = (
    <a class="button wide" href={tenantPath(tenant_id)}>
      Open tenant
    </a>
  );
  if (!mayChange) return page;
  return (
    <>
      <div class="pair">
        {page}
        <button class="button wide" type="button" popovertarget="peek-menu">
          More
          <Icon name="chevron-down" kind="s" />
        </button>
      </div>
      <div class="menu" id="peek-menu" popover="auto" role="group" aria-label={`More of ${name}`}>
        <TenantChanges tenant_id={tenant_id} place="panel" />
      </div>
    </>
  );
}

/** Those that are locked out come first. */
function Units({ tenant, site, mayChange }: PeekedTenant & Pick<PeekProps, 'mayChange'>) {
  const { units, units_left_out = 0 } = tenant;
  if (units.length === 0) return <Empty>Rents no unit.</Empty>;
  const ordered = [
    ...units.filter(({ access }) => isLockedOut(access)),
    ...units.filter(({ access }) => !isLockedOut(access)),
  ];
  const more = units.length + units_left_out - Math.min(units.length, MOST_UNITS);
  return (
    <ul class="entries plain">
      {ordered.slice(0, MOST_UNITS).map((unit) => (
        <li key={unit.unit_id}>
          <span class="what">
            <UnitLink unit={unit} /> <ReasonMark {...unit.access} />{' '}
            {unit.facts.balance_due > 0 ? amountText(unit.facts.balance_due, site.currency) : null}
          </span>
          {mayChange && isLockedOut(unit.access) ? (
            <span class="when">
              <a
                class="button small"
                href={withQuery(unitPath(unit.unit_id), { do: 'let-in' })}
                aria-label={`Let in to ${unit.unit_name}`}
              >
                Let in…
              </a>
            </span>
          ) : null}
        </li>
      ))}
      {more > 0 ? <li class="soft">and {more} more</li> : null}
    </ul>
  );
}

function Pairs({ tenant: { email, pms_tenant_id }, site, owed, days_late }: PeekedTenant) {
  const pairs: (readonly [name: string, value: ComponentChild])[] = [];
  if (owed !== null && owed > 0) pairs.push(['Owes', <b>{amountText(owed, site.currency)}</b>]);
  if (days_late !== null) pairs.push(['Late', countText(days_late, 'day')]);
  if (email !== null) pairs.push(['E-mail', <a href={`mailto:${email}`}>{email}</a>]);
  pairs.push(['PMS id', isInNoPms(pms_tenant_id) ? 'Not in the PMS' : pms_tenant_id]);
  return (
    <dl class="peek-part pairs">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
