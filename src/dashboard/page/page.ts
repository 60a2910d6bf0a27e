import type { ComponentChild, ComponentChildren, VNode } from 'preact';
import type { FieldErrors } from '#kernel/errors/field-fault.js';
import { withQuery } from '../links/with-query.js';

/** The location that a page belongs to, which the side bar marks. */
export interface PageLocation {
  readonly location_id: string;
  readonly name: string;
}

/** A site that is absent was not counted. */
export type LockedOutBySite = ReadonlyMap<string, number>;

interface About {
  readonly headers?: Readonly<Record<string, string>>;
  /** Shown at the head of the page, unless a form shows it. */
  readonly refused?: Refused | undefined;
  /** The state beside the heading. */
  readonly mark?: ComponentChildren;
  /** Soft text beside the heading. */
  readonly sub?: ComponentChildren;
  /** The button for new things, or a menu, at the right of the heading. */
  readonly acts?: ComponentChildren;
  /** A list beside the page, from which it was chosen. */
  readonly beside?: VNode | undefined;
  /** The panel at the end of the page, about one row or tile of it. */
  readonly peek?: VNode;
  /** The heading, where the title names more than it. */
  readonly heading?: string;
  /** The part of a thing that the page shows: two tabs of a browser need two titles. */
  readonly tab?: string;
  readonly location?: PageLocation;
  /** The company that the page belongs to, which the side bar shows. */
  readonly company_id?: string;
  /** Locked-out units by site, as the page counted them: the side bar shows no older figure beside it. */
  readonly lockedOut?: LockedOutBySite | undefined;
  /** The state after the last action, shown behind its message. */
  readonly outcome?: string;
  /** Messages that name somebody, in place of those of `DONE`. */
  readonly messages?: Partial<Readonly<Record<Done, string>>>;
}

/** The answer of a handler of the dashboard: `PageRendering` makes HTML of it. */
export class Page {
  constructor(
    readonly title: string,
    readonly content: ComponentChild,
    readonly status = 200,
    readonly about: About = {},
  ) {}

  /** The same page with more headers, such as Retry-After, and with the form that was refused. */
  with(headers: Readonly<Record<string, string>> = {}, refused?: Refused): Page {
    return new Page(this.title, this.content, this.status, { ...this.about, headers, refused });
  }

  /** The same page with status 200: htmx shows no other in place. */
  inPlace(): Page {
    return new Page(this.title, this.content, 200, this.about);
  }
}

/** A part of a page, for a script that puts it into one. */
export class Fragment {
  constructor(readonly content: VNode) {}
}

/** Messages after an action, by the `done` of the next page's address. */
export const DONE = {
  unchanged: 'Nothing was changed: the form was sent as it stood.',
  company_registered: 'The company is added.',
  location_added: 'The site is added.',
  unit_added: 'The unit is added.',
  tenant_added: 'The tenant is added.',
  zone_added: 'The zone is added.',
  zone_renamed: 'The zone has its new name.',
  zone_removed: 'The zone is removed. Its history stays.',
  entry_point_added: 'The gate is added.',
  entry_point_closed: 'The gate is added. It leads to no zone, so it opens for nobody.',
  entry_point: 'The gate is saved.',
  entry_point_renamed: 'The gate has its new name.',
  entry_point_removed: 'The gate is removed. Its history stays; keys given out open it until they expire.',
  lock_added: 'The lock is added. Its page puts it on a unit.',
  lock_added_on: 'The lock is added, and on its unit.',
  lock: 'The lock is saved.',
  lock_removed: 'The lock is removed. Its history stays.',
  lock_replaced: 'The other lock is on the unit. The old one is unassigned.',
  round_the_clock: 'The unit’s people pass gates at any hour.',
  round_the_clock_ended: 'The hours of gates hold for the unit’s people again.',
  hours: 'The hours are saved. Keys given out before go on until they end.',
  days: 'Saved.',
  contact: 'The contact is saved.',
  payment_url: 'The payment link is saved. Tenants are led there from now on.',
  currency: 'The currency is saved. Amounts are shown in it, and not converted.',
  notices:
    'The texts are saved. They tell of what happens from now on, not of units that are locked out or open already.',
  sharing_on: 'Tenants may share their units from now on.',
  sharing_off: 'Tenants let nobody new in. Shares that were accepted go on until they end.',
  summary_on: 'The morning summary is on. The first one comes on the next morning.',
  summary_off: 'The morning summary is off.',
  in_service: 'The gate is in service again.',
  out_of_service: 'The gate is out of service: it opens for nobody.',
  override: 'Saved.',
  override_cleared: 'What staff set is taken back.',
  renamed: 'The unit has its new name.',
  retired: 'The unit is retired: lists and integrators no longer see it.',
  revived: 'The unit is back.',
  lock_on: 'The lock is on the unit.',
  lock_off: 'The lock is off the unit.',
  zoned: 'The unit is in the zone.',
  units_zoned: 'The units are in the zone.',
  units_zoned_closed: 'The units are in the zone. No gate leads to it.',
  unzoned: 'The unit is out of the zone.',
  units_unzoned: 'The units are out of the zone.',
  gates_led: 'The gates that lead to the zone are saved.',
  shared: 'The unit is shared.',
  share_end: 'The end of the share is saved.',
  share_ended: 'The share is ended.',
  pass_given: 'The pass is given. Its holder signs in with the phone.',
  pass: 'The pass is saved. Keys given out before open until they expire.',
  pass_ended: 'The pass is ended. Its holder gets no key any more.',
  moved_in: 'The tenant is moved in.',
  moved_out: 'The tenant is moved out, and the unit is vacant.',
  transferred: 'The tenant is moved here. The other unit is vacant.',
  transferred_with_keys:
    'The tenant is moved here. The other unit is vacant; keys given out open its locks until they expire.',
  transferred_without_newest:
    'The tenant is moved here. The other unit was changed meanwhile, and that did not go along: compare balance and flags.',
  facts: 'Saved.',
  called: 'Marked as called, until the day ends or the access changes.',
  call_taken_back: 'No longer marked as called.',
  details: 'The details are saved.',
  sessions_ended: 'Every session is ended: the tenant signs in anew.',
  erased: 'The personal details are erased for good. The tenancies and the history stay.',
  advanced: 'The clock is set forward, and what fell due was decided again.',
  source_added:
    'The pull source is added. Press “Run it now” to sync at once. Otherwise it waits for “Next run”.',
  source: 'The pull source is saved.',
  revoked: 'The token is deleted. Whatever used it is refused from now on.',
  webhook: 'The webhook is saved.',
  webhook_on: 'The webhook is on. It begins with the next event.',
  webhook_off: 'The webhook is off: nothing is sent.',
  webhook_test: 'The test message is sent now. Load this page again to see the answer.',
  webhook_resent: 'The message is sent again now. Load this page again to see the answer.',
  webhook_removed: 'The webhook is deleted.',
  invitation_withdrawn: 'The link does not work any more.',
  operator: 'The operator is saved.',
  rebuild: 'The rebuild is requested. Load this page again to see how far it is.',
  operator_linked: 'The operator is linked, and every session of theirs is ended.',
  operator_unlinked: 'The link is removed, and every session of theirs is ended.',
  operator_signed_out: 'Every session of theirs is ended.',
  operator_removed: 'The operator is removed, and every session of theirs is ended.',
  signed_out: 'You are signed out.',
  session_ended: 'You were signed out meanwhile: nothing was saved. Sign in to come back to the form.',
  form_kept:
    'You were signed out meanwhile: nothing was saved. Sign in, and the form comes back as you filled it in.',
  form_gone: 'You were signed out before it was sent: nothing was done. Do it here again.',
  factor_removed: 'Your second factor is removed, and every other session of yours is ended.',
  factor_reset: 'The second factor is removed, and every session of theirs is ended.',
  joined: 'Your password is set. Sign in.',
  password: 'Your password is changed, and every session is ended. Sign in again.',
} as const;
export type Done = keyof typeof DONE;
/** Messages that say all: the state of the unit behind them would sound like their effect. */
export const COMPLETE: ReadonlySet<Done> = new Set(['round_the_clock', 'round_the_clock_ended']);
export const WARNINGS: ReadonlySet<Done> = new Set([
  'session_ended',
  'form_kept',
  'form_gone',
  'entry_point_closed',
  'units_zoned_closed',
  'transferred_with_keys',
  'transferred_without_newest',
]);

/** Sends the browser on to another page with GET, so that a reload repeats nothing. */
export class SeeOther {
  readonly location: string;

  constructor(path: string, done?: Done) {
    this.location = withQuery(path, { done });
  }
}

/** A file for the browser to keep, of any length, sent as it is made. */
export class StreamedDownload {
  constructor(
    readonly name: string,
    readonly type: string,
    readonly chunks: AsyncIterable<string>,
  ) {}
}

/** The fields of a form as they were typed. */
export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The last value counts if a field was sent several times. */
export function lastOf(value: FormValues[string]): string | undefined {
  return [value ?? []].flat().at(-1);
}

/** Why a form was refused, and its fields as typed. */
export interface Refused {
  /** The name of the form on its page. */
  readonly form: string;
  readonly values: FormValues;
  readonly status: number;
  readonly message: string;
  readonly errors: FieldErrors;
}

/** A form that was not refused, shown again as it was filled in. */
export function keptForm(form: string, values: FormValues): Refused {
  return { form, values, status: 200, message: '', errors: {} };
}
