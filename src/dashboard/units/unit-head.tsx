import type { ComponentChildren } from 'preact';
import { gatePath, unitPath } from '../links/paths.js';
import { isOwnId } from '#domain/tenants/index.js';
import { isLockedOut, type UnitGate } from '#domain/access/index.js';
import type { Refused } from '../page/page.js';
import { Empty, None, Section } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { KNOWN_SINCE, LockedOutSince } from '../parts/times.js';
import { amountText } from '../parts/words.js';
import { type ListedTenant, PhoneLink, TenantLink } from '../parts/tenant-links.js';
import { Cures, type DecidedUnit, MessageToTenant, RulesChecked, Sentence } from './decision.js';
import { OverrideForms } from './override-forms.js';
import { debtsAhead, idleOverrideText, isStandalone, otherBalance } from './sentence.js';
import { messageOf } from './tenant-message.js';
import { ShareDialog, Shares } from './share-search.js';
import { Transfer, type TransferTarget } from './transfer-form.js';
import { FactsForm, MoveIn, MoveOut } from './standalone-forms.js';
import type { UnitDetail } from './unit-detail.js';
import { KeptOpen, type NamedTies, OthersOpened } from './unit-ties.js';
import { Override } from './unit-parts.js';

export interface HeadProps {
  readonly unit: UnitDetail;
  readonly decided: DecidedUnit;
  readonly gates: readonly UnitGate[];
  readonly ties: NamedTies;
  /** Vacant units to which the tenant may be moved. */
  readonly targets: readonly TransferTarget[];
  readonly mayChange: boolean;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly refused: Refused | undefined;
}

/** The answer to a caller: state, sum to pay, tenant, gates, and the usual actions. */
export function UnitHead(props: HeadProps) {
  const { unit, decided, ties, mayChange, now, refused } = props;
  const { access, location, override } = unit;
  const path = unitPath(unit.unit_id);
  const message = unit.tenant === null ? null : messageOf(decided, unit.tenant.name);
  const idle = idleOverrideText(access.state);
  return (
    <Section title="Access">
      <div class="verdict">
        <StateMark state={access.state} reason={access.reason} />
        <ToPay of={decided} />
        <Since of={unit} />
      </div>
      <Sentence of={decided} />
      <KeptOpen ties={ties} zone={location.timezone} />
      <div class="trio">
        <Renter {...props} message={message} />
        <Cures unit={decided} />
        <Gates {...props} />
        <div>
          <h3>Override</h3>
          <Override of={override} zone={location.timezone} />
          <OthersOpened {...{ ties, override }} zone={location.timezone} />
          {override !== null && idle !== undefined ? <p class="warning">{idle}</p> : null}
          {mayChange ? <OverrideForms {...{ path, refused, unit, now }} /> : null}
        </div>
      </div>
      <MessageToTenant text={message} />
      <RulesChecked unit={decided} />
    </Section>
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
    <Figure name={KNOWN_SINCE}>
      <LockedOutSince access={of.access} at={of.locked_out_since} zone={of.location.timezone} />
    </Figure>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <dl class="figures">
      <div>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    </dl>
  );
}

function Renter(props: HeadProps & { readonly message: string | null }) {
  const { unit, mayChange, refused, message } = props;
  const { tenant, shares } = unit;
  const zone = unit.location.timezone;
  return (
    <div>
      <h3>Tenant</h3>
      {tenant === null ? (
        <Empty>Nobody rents it.{isStandalone(unit) ? '' : ' Its PMS moves tenants in.'}</Empty>
      ) : (
        <Person of={tenant} message={message} />
      )}
      <Shares {...{ path: unitPath(unit.unit_id), zone, refused, shares, mayChange }} />
      {mayChange ? <RenterActs {...props} /> : null}
    </div>
  );
}

function RenterActs({ unit, refused, targets }: HeadProps) {
  const { occupied } = unit.facts;
  const forms = { path: unitPath(unit.unit_id), refused };
  return (
    <div class="acts">
      {occupied ? <ShareDialog {...forms} zone={unit.location.timezone} /> : null}
      {occupied ? <Transfer {...{ ...forms, unit, targets }} /> : null}
      {isStandalone(unit) ? (
        <>
          {occupied ? <MoveOut {...forms} /> : <MoveIn {...forms} />}
          <FactsForm {...forms} facts={unit.facts} />
        </>
      ) : null}
    </div>
  );
}

interface PersonProps {
  readonly of: ListedTenant;
  /** The text of a message by phone. */
  readonly message: string | null;
}

function Person({ of: { phone, ...tenant }, message }: PersonProps) {
  return (
    <ul class="plain">
      <li>
        <TenantLink tenant={tenant} />
      </li>
      <li>{phone === null ? <None>No phone: cannot sign in</None> : <PhoneLink phone={phone} />}</li>
      {phone === null || message === null ? null : (
        <li>
          <a href={`sms:${phone}?body=${encodeURIComponent(message)}`}>Send text message</a>
        </li>
      )}
      {isOwnId(tenant.pms_tenant_id) ? null : <li class="hint">PMS id {tenant.pms_tenant_id}</li>}
    </ul>
  );
}

function Gates({ unit, gates }: HeadProps) {
  if (unit.tenant === null) return null;
  return (
    <div>
      <h3>Gates</h3>
      {gates.length === 0 ? (
        <Empty>
          {unit.zones.length === 0
            ? 'The unit is in no zone, so it opens no gate.'
            : 'No gate leads to its zone.'}
        </Empty>
      ) : (
        <ul class="plain">
          {gates.map((gate) => (
            <li key={gate.entry_point_id}>
              <a href={gatePath(gate.entry_point_id)}>{gate.name}</a>:{' '}
              <strong>{gate.opens ? 'yes' : 'no'}</strong>
              {whyOf(gate, unit)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The reason why a gate opens or not, unless it is the unit's own state. */
function whyOf(
  { opens, reason, opened_by }: UnitGate,
  {
    unit_name,
    round_the_clock,
    access: { state },
  }: Pick<UnitDetail, 'unit_name' | 'round_the_clock' | 'access'>,
): string {
  if (reason === 'out_of_service') return ', it is out of service';
  if (reason === 'outside_hours') return ', it is outside of its hours';
  if (!opens) return ', none of the tenant’s units there is open';
  if (state === 'tenant_permitted') return round_the_clock ? ', round the clock' : '';
  return `, by ${opened_by.filter((one) => one !== unit_name).join(', ')}`;
}

interface BriefProps {
  readonly unit: Pick<UnitDetail, 'access' | 'tenant' | 'facts' | 'location'>;
}

/** The same in one line. */
export function UnitBrief({ unit: { access, tenant, facts, location } }: BriefProps) {
  return (
    <p class="verdict">
      <StateMark state={access.state} reason={access.reason} />
      {tenant === null ? null : <TenantLink tenant={tenant} />}
      {tenant === null || tenant.phone === null ? null : <PhoneLink phone={tenant.phone} />}
      {facts.balance_due > 0 ? <span>owes {amountText(facts.balance_due, location.currency)}</span> : null}
    </p>
  );
}
