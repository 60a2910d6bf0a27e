import { isLockedOut, type UnitGate } from '#domain/access/index.js';
import { unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import type { Refused } from '../page/page.js';
import { Icon, type IconName } from '../parts/icon.js';
import { MenuButton, MenuLink, PageMenu } from '../parts/more-menu.js';
import { localDate } from '../parts/words.js';
import { AsOfMenu } from './as-of-forms.js';
import type { DecidedUnit } from './decision.js';
import { LetInDialog, LockOutDialog } from './override-forms.js';
import {
  idleOverrideText,
  isStandalone,
  noKeyText,
  opening,
  opensNothingText,
  type Denial,
} from './sentence.js';
import { MoveIn } from './move-in.js';
import { MoveOut } from './standalone-forms.js';
import { Transfer, type TransferTarget } from './transfer-form.js';
import type { UnitDetail } from './unit-detail.js';
import { type NamedTies, OthersOpened } from './unit-ties.js';

/** Forms of the unit's page that a link opens: nothing is done yet. */
const ASKED_FORMS = ['let-in', 'lock-out', 'transfer', 'move-in', 'move-out', 'clear'] as const;
type AskedForm = (typeof ASKED_FORMS)[number];

export function askedForm(text: string | undefined): AskedForm | undefined {
  return ASKED_FORMS.find((form) => form === text);
}

interface ClockProps {
  readonly unit: UnitDetail;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly refused: Refused | undefined;
}

function Clock({ unit, now, refused }: ClockProps) {
  return (
    <AsOfMenu
      path={unitPath(unit.unit_id)}
      zone={unit.location.timezone}
      at={now}
      refused={refused}
      lockedAt={isLockedOut(unit.access) ? unit.locked_out_since : null}
    />
  );
}

/** The buttons of the pages beside the first: what changes access is there. */
export function FewUnitActs(props: ClockProps & { readonly mayChange: boolean }) {
  const { unit, mayChange } = props;
  const isFirst = isLockedOut(unit.access);
  return (
    <div class="unit-acts">
      <Clock {...props} />
      <PageMenu id="unit" of={unit.unit_name}>
        {mayChange ? <MenuOfChanges unit={unit} isElsewhere /> : null}
        <ReportLink unit={unit} />
      </PageMenu>
      {mayChange && unit.facts.occupied ? (
        <a
          class={isFirst ? 'button primary' : 'button'}
          href={withQuery(unitPath(unit.unit_id), { do: 'let-in' })}
        >
          <Icon name="lock-open" />
          Let in…
        </a>
      ) : null}
    </div>
  );
}

interface UnitActsProps extends ClockProps {
  readonly decided: DecidedUnit;
  readonly gates: readonly UnitGate[];
  readonly ties: NamedTies;
  /** Vacant units to which the tenant may be moved. */
  readonly targets: readonly TransferTarget[];
  readonly mayChange: boolean;
}

/** Clock, menu and main button, with the dialogs behind them. */
export function UnitActs(props: UnitActsProps) {
  const { unit, mayChange } = props;
  return (
    <div class="unit-acts">
      <Clock {...props} />
      <PageMenu id="unit" of={unit.unit_name}>
        {mayChange ? <MenuOfChanges unit={unit} isElsewhere={false} /> : null}
        <ReportLink unit={unit} />
      </PageMenu>
      {mayChange ? <MainButton unit={unit} /> : null}
      {mayChange ? <Dialogs {...props} /> : null}
    </div>
  );
}

function MainButton({ unit }: { readonly unit: UnitDetail }) {
  if (unit.facts.occupied)
    return (
      <button
        class={unit.access.state === 'tenant_permitted' ? 'button' : 'button primary'}
        type="button"
        popovertarget="dialog-let-in"
      >
        <Icon name="lock-open" />
        Let in…
      </button>
    );
  if (!isStandalone(unit)) return null;
  return (
    <button class="button primary" type="button" popovertarget="dialog-move-in">
      <Icon name="user-plus" />
      Move in…
    </button>
  );
}

function ReportLink({ unit }: Pick<ClockProps, 'unit'>) {
  return (
    <MenuLink icon="printer" href={`${unitPath(unit.unit_id)}/report`}>
      Report to print, with proof
    </MenuLink>
  );
}

interface MenuProps extends Pick<ClockProps, 'unit'> {
  /** On another page than that of the dialogs: the menu leads to it. */
  readonly isElsewhere: boolean;
}

function MenuOfChanges({ unit, isElsewhere }: MenuProps) {
  const { occupied } = unit.facts;
  const path = unitPath(unit.unit_id);
  const act = (icon: IconName, form: AskedForm, text: string) =>
    isElsewhere ? (
      <MenuLink icon={icon} href={withQuery(path, { do: form })}>
        {text}
      </MenuLink>
    ) : (
      <MenuButton icon={icon} form={form}>
        {text}
      </MenuButton>
    );
  return (
    <>
      {act('lock', 'lock-out', 'Lock out…')}
      {occupied ? act('transfer', 'transfer', 'Move the tenant to another unit…') : null}
      {occupied && isStandalone(unit) ? act('logout', 'move-out', 'Move out…') : null}
      {!occupied && isStandalone(unit) && isElsewhere ? act('user-plus', 'move-in', 'Move in…') : null}
      <hr />
      <MenuLink icon="pencil" href={`${path}/setup`}>
        Rename, locks, zones, round the clock
      </MenuLink>
    </>
  );
}

function Dialogs(props: UnitActsProps) {
  const { unit, decided, gates, ties, targets, now, refused } = props;
  const { override, location, access, facts } = unit;
  const forms = { path: unitPath(unit.unit_id), refused };
  const idle = idleOverrideText(access.state);
  const warning = idle === undefined ? null : <p class="warning">{idle}</p>;
  return (
    <>
      {facts.occupied || isRefusedLetIn(refused) ? (
        <LetInDialog {...{ ...forms, unit, now, idle }} unless={unlessOf(decided)}>
          {idle === undefined ? letInText(unit, gates) : null}
          {override === null ? <OthersOpened {...{ ties, override }} zone={location.timezone} /> : null}
        </LetInDialog>
      ) : null}
      <LockOutDialog {...{ ...forms, unit }}>{warning}</LockOutDialog>
      {facts.occupied ? <Transfer {...{ ...forms, unit, targets }} /> : null}
      {isStandalone(unit) ? (
        facts.occupied ? (
          <MoveOut {...forms} />
        ) : (
          <MoveIn {...forms} today={localDate(now, location.timezone)} />
        )
      ) : null}
    </>
  );
}

/** Sent from a page that was loaded before the tenant moved out. */
function isRefusedLetIn(refused: Refused | undefined): boolean {
  return refused?.form === 'let-in' && refused.status !== 200;
}

/** ` unless $159.00 is paid`, where a payment opens the unit also without staff. */
function unlessOf(unit: DecidedUnit): string {
  const { state, reason, also } = unit.access;
  if (state !== 'tenant_denied' || [reason, ...also].includes('system_lockout')) return '';
  const when = opening(unit, reason as Denial);
  return when.startsWith('when ') ? `, then locks again unless ${when.slice('when '.length)}` : '';
}

/** Reasons that letting in does not change. */
const LASTING: ReadonlySet<UnitGate['reason']> = new Set(['out_of_service', 'outside_hours']);

/** What the tenant can open and cannot open once the unit is open. */
function letInText(unit: UnitDetail, gates: readonly UnitGate[]): string {
  const opened = { ...unit, access: { state: 'tenant_permitted' as const } };
  return `${gatesText(gates)} ${opensNothingText(opened)} ${noKeyText(unit)}`;
}

/** `North gate and Lobby door open, too.` */
function gatesText(gates: readonly UnitGate[]): string {
  const names = gates.filter(({ opens, reason }) => !opens && !LASTING.has(reason)).map(({ name }) => name);
  if (names.length === 0) return '';
  const all = new Intl.ListFormat('en').format(names);
  return `${all} ${names.length === 1 ? 'opens' : 'open'}, too.`;
}
