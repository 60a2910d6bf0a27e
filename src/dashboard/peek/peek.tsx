import type { ComponentChild, VNode } from 'preact';
import { isLockedOut } from '#domain/access/index.js';
import { tenantPath, unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { Icon, type IconName } from '../parts/icon.js';
import { None } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { Recent } from '../parts/times.js';
import { Unbroken } from '../parts/unbroken.js';
import { amountText, dateText } from '../parts/words.js';
import { Sentence } from '../units/decision.js';
import { opensNothingText } from '../units/sentence.js';
import { noPeek, PEEK, PeekHead, PeekPerson, PeekTaps, placeOf, stepsBeside } from './peek-parts.js';
import type { PeekedUnit } from './unit-peek.reader.js';

/** A unit of the list beside which the panel stands. */
export interface PeekUnit {
  readonly crm_unit_id: string;
  readonly unit_name: string;
}

/** The address of a page with the panel of a unit. @param path may have a query */
export function peekPath(path: string, { crm_unit_id }: Pick<PeekUnit, 'crm_unit_id'>): string {
  return withQuery(path, { peek: crm_unit_id });
}

interface PeekProps {
  /** Undefined: nothing is looked at, and the panel is not seen. */
  readonly of: PeekedUnit | undefined;
  /** The page without the panel. */
  readonly path: string;
  /** The units of the page in their order: the arrows lead to those beside this one. */
  readonly units: readonly PeekUnit[];
  readonly mayChange: boolean;
}

/** The panel beside a map or a table, a sheet on a phone: one unit, as a caller asks for it. */
export function peekPanel(props: PeekProps): VNode {
  const { of } = props;
  if (of === undefined) return noPeek();
  const { unit, taps } = of;
  return (
    <aside id={PEEK} class="peek" aria-labelledby="peek-title">
      <Head {...props} of={of} />
      <Verdict {...of} mayChange={props.mayChange} />
      {unit.tenant === null ? null : (
        <div class="peek-part">
          <PeekPerson of={unit.tenant} href={tenantPath(unit.tenant.tenant_id)} />
        </div>
      )}
      <dl class="peek-part pairs">
        <Pairs {...of} />
      </dl>
      <PeekTaps
        taps={taps}
        softOf={(tap) => placeOf(tap, unit.unit_name)}
        zone={unit.location.timezone}
        now={of.now}
      />
    </aside>
  );
}

function Head({ of: { unit }, path, units }: PeekProps & { readonly of: PeekedUnit }) {
  const { crm_unit_id, location, zones } = unit;
  return (
    <PeekHead
      place={[location.name, zones[0]?.name ?? []].flat().join(', ')}
      kind="unit"
      {...stepsBeside(
        units,
        (one) => one.crm_unit_id === crm_unit_id,
        (one) => ({ href: peekPath(path, one), name: one.unit_name }),
      )}
      path={path}
    />
  );
}

function Verdict({ unit, decided, mayChange }: PeekedUnit & Pick<PeekProps, 'mayChange'>) {
  const { unit_id, unit_name, access, tenant, override } = unit;
  const path = unitPath(unit_id);
  const idle = opensNothingText(unit);
  const others: readonly (readonly [IconName, string, string])[] = [
    ['barrier-block', 'Activity', `${path}/activity`],
    ['history', 'History', `${path}/history`],
    ...(mayChange && tenant !== null ? [['users', 'Share', `${path}/share`] as const] : []),
    ['settings', 'Set-up', `${path}/setup`],
  ];
  return (
    <div class="peek-part">
      <div class="title-line">
        <h2 id="peek-title" tabIndex={-1}>
          <Unbroken text={unit_name} />
        </h2>
        <StateMark state={access.state} reason={access.reason} />
      </div>
      <Sentence of={decided} />
      {idle === '' ? null : <p>{idle}</p>}
      {mayChange && isLockedOut(access) ? (
        <a class="button primary large wide" href={withQuery(path, { do: 'let-in' })}>
          <Icon name="lock-open" />
          Let in…
        </a>
      ) : null}
      {mayChange && override !== null ? (
        <a class="button large wide" href={withQuery(path, { do: 'clear' })}>
          <Icon name="history" />
          Take back…
        </a>
      ) : null}
      <div class="pair">
        <a class="button wide" href={path}>
          Open unit
        </a>
        <button class="button wide" type="button" popovertarget="peek-menu">
          More
          <Icon name="chevron-down" kind="s" />
        </button>
      </div>
      <nav class="menu" id="peek-menu" popover="auto" aria-label={`More of ${unit_name}`}>
        {others.map(([icon, text, href]) => (
          <a key={href} href={href}>
            <Icon name={icon} />
            {text}
          </a>
        ))}
      </nav>
    </div>
  );
}

function Pairs({ unit, gates, battery, now }: PeekedUnit) {
  const { facts, location } = unit;
  const pairs: (readonly [name: string, value: ComponentChild])[] = [];
  if (unit.tenant !== null || facts.balance_due > 0)
    pairs.push(['Owes', <b>{amountText(facts.balance_due, location.currency)}</b>]);
  if (facts.paid_through_date !== null) pairs.push(['Paid through', dateText(facts.paid_through_date)]);
  for (const { name, opens } of gates) pairs.push([name, opens ? 'Yes' : <span class="bad-text">No</span>]);
  if (battery !== undefined)
    pairs.push([
      'Lock battery',
      <>
        {battery.percent} %, <Recent at={battery.at} zone={location.timezone} now={now} />
      </>,
    ]);
  if (unit.locks.length === 0) pairs.push(['Lock', <None />]);
  return pairs.map(([name, value], index) => (
    // Two gates may have one name.
    <div key={index}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  ));
}
