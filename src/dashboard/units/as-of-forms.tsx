import type { HistoryEntry } from '#domain/history/index.js';
import type { Refused } from '../page/page.js';
import { Field, Form } from '../parts/form.js';
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

const MINUTE_MS = 60_000;

interface SliderProps {
  readonly path: string;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly now: number;
  readonly zone: string;
  readonly at?: number | undefined;
  /** The state at an instant, in words. */
  readonly stateAt: (at: number) => string;
}

export const SLIDER_LABEL = 'Slide from the beginning to now';

/** The same by a slider, in minutes. */
export function Slider({ path, entries, now, zone, at = now, stateAt }: SliderProps) {
  const first = entries.at(-1);
  if (first === undefined) return null;
  const from = Math.ceil(Date.parse(first.occurred_at) / MINUTE_MS);
  const until = Math.floor(now / MINUTE_MS);
  if (until <= from) return null;
  return (
    <form class="form" method="get" action={path} id="form-slider">
      <div class="field">
        <label for="slider-minute">{SLIDER_LABEL}</label>
        <input
          id="slider-minute"
          name="minute"
          type="range"
          min={from}
          max={until}
          value={Math.floor(at / MINUTE_MS)}
          data-zone={zone}
        />
      </div>
      <div>
        <button class="quiet">Show that instant</button>{' '}
        <output for="slider-minute">{`${instantText(at, zone)}: ${stateAt(at)}`}</output>
      </div>
    </form>
  );
}
