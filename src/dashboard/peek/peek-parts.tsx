import type { VNode } from 'preact';
import { tapKind } from '../activity/activity-text.js';
import type { UnitReport } from '../activity/named-entries.js';
import { TapResult } from '../activity/tap-result.js';
import { CopyText } from '../parts/copy-button.js';
import { Icon, type IconName } from '../parts/icon.js';
import { initialsOf } from '../parts/initials.js';
import { None } from '../parts/layout.js';
import { reportedInstant } from '../parts/happened.js';
import { type ListedTenant, nameOf, PhoneLink, TEXTS_OPEN } from '../parts/tenant-links.js';
import { Recent } from '../parts/times.js';
import { Unbroken } from '../parts/unbroken.js';
import { phoneText } from '../parts/words.js';

/** The id of the panel; links that fill it name it to htmx. */
export const PEEK = 'peek';

/** Makes links fill the panel alone, on the element around them. Without a script they load the page. */
export const FILLS_PEEK = {
  'hx-boost': 'true',
  'hx-target': `#${PEEK}`,
  'hx-select': `#${PEEK}`,
  'hx-swap': 'outerHTML show:none',
  'hx-replace-url': 'true',
  'hx-sync': 'this:replace',
} as const;

/** Where no row or tile is looked at: the panel is not seen. */
export function noPeek(): VNode {
  return <aside id={PEEK} hidden />;
}

/** A row or tile beside the one in the panel. */
interface PeekStep {
  /** The page with its panel. */
  readonly href: string;
  readonly name: string;
}

/** The rows before and behind one. Neither, if the page does not list it. */
export function stepsBeside<Row>(
  rows: readonly Row[],
  isPeeked: (row: Row) => boolean,
  stepTo: (row: Row) => PeekStep,
): Pick<HeadProps, 'before' | 'next'> {
  const place = rows.findIndex(isPeeked);
  if (place === -1) return { before: undefined, next: undefined };
  const before = rows[place - 1];
  const next = rows[place + 1];
  return { before: before && stepTo(before), next: next && stepTo(next) };
}

interface HeadProps {
  /** Where the thing is. */
  readonly place: string;
  readonly kind: 'unit' | 'tenant' | 'lock';
  readonly before: PeekStep | undefined;
  readonly next: PeekStep | undefined;
  /** The page without the panel. */
  readonly path: string;
}

const BESIDE: Readonly<Record<HeadProps['kind'], string>> = {
  unit: 'Units beside it',
  tenant: 'Tenants beside',
  lock: 'Locks beside it',
};

export function PeekHead({ place, kind, before, next, path }: HeadProps) {
  return (
    <div class="peek-head">
      <span class="soft small">{place}</span>
      <nav class="end" aria-label={BESIDE[kind]} {...FILLS_PEEK}>
        <Step id="peek-before" to={before} icon="chevron-up" text={`${kind} before`} />
        <Step id="peek-next" to={next} icon="chevron-down" text={`next ${kind}`} />
        <a class="button ghost only small cancel" href={path} aria-label="Close">
          <Icon name="x" />
        </a>
      </nav>
    </div>
  );
}

interface StepProps {
  readonly id: string;
  readonly to: PeekStep | undefined;
  readonly icon: IconName;
  readonly text: string;
}

function Step({ id, to, icon, text }: StepProps) {
  if (to === undefined) return null;
  return (
    <a id={id} class="button ghost only small" href={to.href} aria-label={`${to.name}, the ${text}`}>
      <Icon name={icon} />
    </a>
  );
}

interface PersonProps {
  readonly of: Pick<ListedTenant, 'name' | 'pms_tenant_id' | 'phone'>;
  /** The page of the person. Undefined: the panel is about them, and names them at its head. */
  readonly href: string | undefined;
}

/** Whom to call. */
export function PeekPerson({ of, href }: PersonProps) {
  const { phone } = of;
  const text = nameOf(of);
  return (
    <div class="person">
      <span class="avatar l" aria-hidden="true">
        {initialsOf(text)}
      </span>
      <div>
        {href === undefined ? null : (
          <>
            <a class="strong" href={href}>
              <Unbroken text={text} />
            </a>
            <br />
          </>
        )}
        {phone === null ? <None>No phone: cannot sign in</None> : <PhoneLink phone={phone} />}
      </div>
      {phone === null ? null : (
        <>
          <a class="button only" href={`tel:${phone}`} aria-label={`Call ${text}`}>
            <Icon name="phone" />
          </a>
          <a class="button only" href={`sms:${phone}`} title={TEXTS_OPEN} aria-label={`Text ${text}`}>
            <Icon name="message" />
          </a>
          <CopyText text={phoneText(phone)} label={`Copy the number of ${text}`} kind="button only" />
        </>
      )}
    </div>
  );
}

interface TapsProps {
  /** The newest first. */
  readonly taps: readonly UnitReport[];
  /** What a tap names beside its result, like its place. */
  readonly softOf: (tap: UnitReport) => string;
  readonly zone: string;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

/** The lock or gate of a tap. @param elsewhere where it has no name */
export function placeOf({ entry_point_name, lock_name }: UnitReport, elsewhere: string): string {
  return entry_point_name ?? lock_name ?? elsewhere;
}

export function PeekTaps({ taps, softOf, zone, now }: TapsProps) {
  if (taps.length === 0) return null;
  return (
    <section class="peek-part" aria-labelledby="peek-taps">
      <h3 id="peek-taps">Last taps</h3>
      <ul class="entries plain">
        {taps.map((tap) => (
          <li key={tap.log_id}>
            <span class={tapKind(tap) === 'opened' ? 'dot good' : 'dot bad'} />
            <span class="what">
              <TapResult of={tap} /> <span class="soft">{softOf(tap)}</span>
            </span>
            <span class="when">
              <Recent at={reportedInstant(tap)} zone={zone} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
