import type { ComponentChildren } from 'preact';
import type { Refused } from '../page/page.js';
import { Field, Form } from '../parts/form.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Icon } from '../parts/icon.js';
import { instantText, localText, zoneText } from '../parts/words.js';

interface AsOfProps {
  readonly path: string;
  readonly zone: string;
  /** The instant that the field begins with, in milliseconds. */
  readonly at: number;
  readonly refused?: Refused | undefined;
}

/** Asks for the page as it was at an instant, in local time. Enter in its field is enough. */
export function AsOf({ path, zone, at, refused }: AsOfProps) {
  return (
    <Form name="as-of" action={path} method="get" submit="Show" tone="quiet" refused={refused}>
      <Field
        name="on"
        label={`See it as it was on (${zoneText(zone)})`}
        type="datetime-local"
        value={localText(at, zone)}
        required
      />
      <input type="hidden" name="zone" value={zone} />
    </Form>
  );
}

interface AsOfMenuProps extends AsOfProps {
  /** When a lockout began that is still there, if that is known. */
  readonly lockedAt?: string | number | null | undefined;
}

/** The clock of a unit's page. Its form comes open after a refusal. */
export function AsOfMenu({ lockedAt = null, ...form }: AsOfMenuProps) {
  if (form.refused?.form === 'as-of')
    return (
      <ActionDialog form="as-of" label="As it was" refused={form.refused}>
        <AsOf {...form} />
      </ActionDialog>
    );
  return (
    <>
      <button class="button" type="button" popovertarget="as-of">
        <Icon name="clock" />
        As it was…
      </button>
      <div class="menu" id="as-of" popover="auto" role="dialog" aria-label="As it was">
        <AsOf {...form} />
        {lockedAt === null ? null : (
          <>
            <hr />
            <a href={`${form.path}?at=${new Date(lockedAt).toISOString()}`}>
              <Icon name="lock" />
              When it locked
              <span class="end">{instantText(lockedAt, form.zone, 'day')}</span>
            </a>
          </>
        )}
      </div>
    </>
  );
}

const MINUTE_MS = 60_000;

interface SliderProps {
  readonly path: string;
  /** Where the picture begins, in milliseconds. */
  readonly begins: number;
  readonly now: number;
  readonly zone: string;
  readonly at?: number | undefined;
  /** The state at an instant, in words. */
  readonly stateAt: (at: number) => string;
  /** The signs of the picture in words. */
  readonly children: ComponentChildren;
}

export const SLIDER_LABEL = 'Slide from the beginning to now';

/** The same by a slider, in minutes. */
export function Slider({ path, begins, now, zone, at = now, stateAt, children }: SliderProps) {
  const from = Math.ceil(begins / MINUTE_MS);
  const until = Math.floor(now / MINUTE_MS);
  // The picture may begin within a minute, and the instant may be before it.
  const value = Math.min(Math.max(Math.floor(at / MINUTE_MS), from), until);
  if (until <= from) return <div class="time-foot">{children}</div>;
  return (
    <form class="form" method="get" action={path} id="form-slider">
      <div class="field">
        <label class="unseen" for="slider-minute">
          {SLIDER_LABEL}
        </label>
        <input
          id="slider-minute"
          name="minute"
          type="range"
          min={from}
          max={until}
          value={value}
          data-zone={zone}
        />
      </div>
      <div class="time-foot">
        <button class="button small">Show that instant</button>
        <output for="slider-minute">{`${instantText(at, zone)}: ${stateAt(at)}`}</output>
        {children}
      </div>
    </form>
  );
}
