import type { ComponentChildren } from 'preact';
import { Temporal } from 'temporal-polyfill';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Picks } from '../parts/choices.js';
import { Field, Form, Kept, Present } from '../parts/form.js';
import { nameOf } from '../parts/tenant-links.js';
import { overrideTag, SEEN } from './seen-override.js';
import { amountText, instantText, localInstant, localText, zoneText } from '../parts/words.js';
import type { UnitDetail } from './unit-detail.js';

export interface FormsProps {
  /** The path of the unit. */
  readonly path: string;
  readonly refused: Refused | undefined;
}

const HOUR_MS = 60 * 60_000;
const CLOSING = '18:00';

/** Ends that letting somebody in offers, besides a typed one. */
const ENDS = ['hour', 'today', 'tomorrow'] as const;
type End = (typeof ENDS)[number];

const END_TEXTS: Readonly<Record<End, string>> = {
  hour: '1 hour',
  today: 'Today 6 PM',
  tomorrow: 'Tomorrow 6 PM',
};

export function isEnd(text: string | undefined): text is End {
  return ENDS.some((end) => end === text);
}

/** The instant of an end that is picked. @param now milliseconds */
export function endAt(end: End, now: number, zone: string): string {
  if (end === 'hour') return new Date(now + HOUR_MS).toISOString();
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  return localInstant(`${today.add({ days: end === 'today' ? 0 : 1 }).toString()}T${CLOSING}`, zone);
}

interface LetInProps extends FormsProps {
  readonly unit: Pick<UnitDetail, 'unit_name' | 'access' | 'override' | 'location' | 'tenant' | 'facts'>;
  /** Why an override opens nothing. Undefined if it decides. */
  readonly idle: string | undefined;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  /** Until what letting in lasts at most, as ` unless $159.00 is paid`. */
  readonly unless: string;
  /** What else follows. */
  readonly children: ComponentChildren;
}

/** Undefined: nothing is owed. */
function whoOwes({ tenant, facts, location }: Pick<UnitDetail, 'tenant' | 'facts' | 'location'>) {
  if (tenant === null || facts.balance_due <= 0) return undefined;
  return `${nameOf(tenant)} owes ${amountText(facts.balance_due, location.currency)}.`;
}

/** Lets the tenant in for a time, and says before what will happen. */
export function LetInDialog({ path, refused, unit, idle, now, unless, children }: LetInProps) {
  const { unit_name, access, override, location } = unit;
  const zone = location.timezone;
  const ends = ENDS.filter((end) => Date.parse(endAt(end, now, zone)) > now);
  const isLetIn = override?.override === 'exempt';
  const until = isLetIn ? override.expires_at : endAt('tomorrow', now, zone);
  return (
    <ActionDialog
      form="let-in"
      label={`Let in ${unit_name}`}
      hint={whoOwes(unit)}
      refused={refused}
      hasButton={false}
    >
      <Form name="let-in" action={`${path}/override`} submit="Let in" refused={refused}>
        <Kept name="override" value="exempt" />
        <Present name={SEEN} value={overrideTag(override)} />
        <Picks
          name="until"
          legend="Until"
          options={[...ends.map((end) => [end, END_TEXTS[end]] as const), ['other', 'Other…']]}
          value={isLetIn ? 'other' : 'tomorrow'}
        />
        <div class="other-only">
          <Field
            name="expires_at"
            label={`Date and time (${zoneText(zone)})`}
            hint="Blank: no end date."
            type="datetime-local"
            value={until === null ? '' : localText(Date.parse(until), zone)}
          />
        </div>
        <Picks name={USUAL_REASON} legend="Why" options={USUAL_REASONS} value={TYPED} />
        <div class="typed-only">
          <Field
            name="reason"
            label="Reason"
            hint="Kept permanently; don't include names."
            autofocus
            maxLength={500}
          />
        </div>
        <div class="preview">
          {idle === undefined ? (
            <>
              <b>
                {unit_name} {access.state === 'tenant_permitted' ? 'stays open' : 'opens now'}
              </b>
              {ends.map((end) => (
                <span key={end} class={`when ${end}`}>
                  {' '}
                  until {instantText(endAt(end, now, zone), zone)}
                </span>
              ))}
              <span class="when other"> until the time you choose</span>
              {unless}.
            </>
          ) : (
            <>
              <b>{unit_name} does not open.</b> {idle}
            </>
          )}{' '}
          {children}
        </div>
      </Form>
    </ActionDialog>
  );
}

/** The field that picks a reason in place of typing one. */
export const USUAL_REASON = 'usual_reason';
const TYPED = 'typed';

const USUAL_REASONS: readonly (readonly [value: string, text: string])[] = [
  ...['Pays Monday in person', 'Payment is on its way', 'Fetches one thing, with staff'].map(
    (text) => [text, text] as const,
  ),
  [TYPED, 'In your words…'],
];

/** The reason of a form: one that is picked, or the typed one. */
export function reasonOf(picked: string | undefined, typed: string | undefined): string | undefined {
  return USUAL_REASONS.some(([value]) => value === picked && value !== TYPED) ? picked : typed;
}

interface LockOutProps extends FormsProps {
  readonly unit: Pick<UnitDetail, 'unit_name' | 'override' | 'location'>;
  readonly children: ComponentChildren;
}

/** Locks everybody of the unit out, whatever its data say. */
export function LockOutDialog({ path, refused, unit, children }: LockOutProps) {
  const { unit_name, override, location } = unit;
  const until = override?.override === 'lockout' ? override.expires_at : null;
  return (
    <ActionDialog form="lock-out" label={`Lock out ${unit_name}`} refused={refused} hasButton={false}>
      {children}
      <p>
        It opens for nobody then, whatever is paid. Keys already given out open its locks until they expire.
      </p>
      <Form name="lock-out" action={`${path}/override`} submit="Lock out" tone="danger" refused={refused}>
        <Kept name="override" value="lockout" />
        <Present name={SEEN} value={overrideTag(override)} />
        <Field
          name="reason"
          label="Reason"
          hint="Kept permanently; don't include names."
          required
          autofocus
          maxLength={500}
        />
        <Field
          name="expires_at"
          label={`Until (${zoneText(location.timezone)})`}
          hint="Blank: no end date."
          type="datetime-local"
          value={until === null ? '' : localText(Date.parse(until), location.timezone)}
        />
      </Form>
    </ActionDialog>
  );
}

/** Access follows the data of the unit again. `isOurs`: no PMS sends them. */
export function ClearOverride({ path, refused, isOurs }: FormsProps & { readonly isOurs: boolean }) {
  return (
    <ActionDialog form="clear" label="Take back what staff set" short="Take back" refused={refused}>
      <p>
        Access follows {isOurs ? 'the unit’s balance and flags' : 'the PMS'} again at once. What staff set,
        and the reason, stay in the history.
      </p>
      <Form
        name="clear"
        action={`${path}/override/clear`}
        submit="Take back"
        tone="danger"
        refused={refused}
      />
    </ActionDialog>
  );
}
