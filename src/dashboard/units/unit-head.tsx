import type { ComponentChildren } from 'preact';
import { isLockedOut } from '#domain/access/index.js';
import { unitPath } from '../links/paths.js';
import { Icon } from '../parts/icon.js';
import { None } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { KNOWN_SINCE, LockedOutSince } from '../parts/times.js';
import { amountText } from '../parts/words.js';
import { PhoneLink, TenantLink } from '../parts/tenant-links.js';
import { Cures, type DecidedUnit, MessageToTenant, Sentence } from './decision.js';
import { debtsAhead, opensNothingText, otherBalance, payAheadText } from './sentence.js';
import { messageOf } from './tenant-message.js';
import type { UnitDetail } from './unit-detail.js';
import { KeptOpen, type NamedTies } from './unit-ties.js';

interface BriefProps {
  readonly unit: Pick<UnitDetail, 'access' | 'tenant'>;
}

/** State, tenant and phone, on the line of the unit's name. */
export function UnitBrief({ unit: { access, tenant } }: BriefProps) {
  return (
    <span class="unit-brief">
      <StateMark state={access.state} reason={access.reason} />
      {tenant === null ? null : (
        <>
          <b>
            <TenantLink tenant={tenant} />
          </b>
          {tenant.phone === null ? <None>No phone: cannot sign in</None> : <PhoneLink phone={tenant.phone} />}
        </>
      )}
    </span>
  );
}

interface VerdictProps {
  readonly unit: UnitDetail;
  readonly decided: DecidedUnit;
  readonly ties: NamedTies;
}

/** Why nothing locks a unit: also where something is owed, but there is no date to count from. */
function nothingAgainst({ facts, access, location }: UnitDetail): string {
  const isUndated = facts.balance_due > 0 && facts.paid_through_date === null && access.reason === 'active';
  if (!isUndated) return 'Nothing is past due.';
  return `${amountText(facts.balance_due, location.currency)} is owed, but without a paid-through date it locks nothing.`;
}

/** The answer to a caller: why, since when, what opens it, and the sum to pay. */
export function UnitVerdict({ unit, decided, ties }: VerdictProps) {
  const { access, tenant, location } = unit;
  const isOpen = access.state === 'tenant_permitted';
  return (
    <section class={`unit-verdict ${access.state}`} aria-label="Access">
      <span class="verdict-sign">
        <Icon name={isOpen ? 'lock-open' : 'lock'} />
      </span>
      <div class="answer">
        <Sentence of={decided} otherwise={nothingAgainst(unit)} />
        <OpensNothing unit={unit} />
        <KeptOpen ties={ties} zone={location.timezone} />
        <MessageToTenant
          text={tenant === null ? null : messageOf(decided, tenant.name)}
          phone={tenant?.phone ?? null}
        />
        {saysMore(decided) ? <Cures unit={decided} /> : null}
      </div>
      <div class="owes">
        <ToPay of={decided} />
        <Since of={unit} />
      </div>
    </section>
  );
}

function OpensNothing({ unit }: { readonly unit: UnitDetail }) {
  const text = opensNothingText(unit);
  return text === '' ? null : (
    <p>
      {text} <a href={`${unitPath(unit.unit_id)}/setup`}>Set-up</a>
    </p>
  );
}

/** Whether what restores access is more than the sentence says of this unit alone. */
function saysMore(unit: DecidedUnit): boolean {
  const cures = unit.access.resolution ?? [];
  return (
    cures.length > 1 || cures.some(({ unit_id }) => unit_id !== unit.unit_id) || payAheadText(unit) !== ''
  );
}

/** The sums that open the unit and keep it open, other units of the tenant included; and the rest of its balance. */
function ToPay({ of }: { readonly of: DecidedUnit }) {
  const now = sumOf((of.access.resolution ?? []).filter(({ field }) => field === 'balance_due'));
  const ahead = debtsAhead(of);
  const sums: readonly (readonly [name: string, sum: number])[] = [
    ['To pay', now],
    [`${now > 0 ? 'Also' : 'To pay'} by ${ahead?.by ?? ''}`, sumOf(ahead?.debts ?? [])],
    ['Balance', otherBalance(of)],
  ];
  return sums.map(([name, sum]) =>
    sum > 0 ? (
      <Figure key={name} name={name}>
        {amountText(sum, of.location.currency)}
      </Figure>
    ) : null,
  );
}

function sumOf(debts: readonly { readonly amount?: number | undefined }[]): number {
  return debts.reduce((total, { amount = 0 }) => total + Math.round(amount * 100), 0) / 100;
}

function isSinceTold({ access, locked_out_since }: UnitDetail): boolean {
  return isLockedOut(access) && locked_out_since !== undefined;
}

function Since({ of }: { readonly of: UnitDetail }) {
  if (!isSinceTold(of)) return null;
  return (
    <Figure name={KNOWN_SINCE} kind="since">
      <LockedOutSince access={of.access} at={of.locked_out_since} zone={of.location.timezone} />
    </Figure>
  );
}

interface FigureProps {
  readonly name: string;
  readonly kind?: 'since';
  readonly children: ComponentChildren;
}

function Figure({ name, kind, children }: FigureProps) {
  return (
    <dl class={kind === undefined ? 'figures' : `figures ${kind}`}>
      <div>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    </dl>
  );
}
