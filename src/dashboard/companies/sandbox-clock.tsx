import { IsInt, Max, Min } from 'class-validator';
import type { Refused } from '../page/page.js';
import { Field, Form, Kept } from '../parts/form.js';
import { Facts, Section } from '../parts/layout.js';
import type { ShownClock } from '../parts/sandbox-mark.js';
import { Instant } from '../parts/times.js';
import { durationText } from '../parts/words.js';
import { companyPath } from '../links/paths.js';

const SECONDS_OF_MINUTE = 60;
const MINUTES_OF_DAY = 24 * 60;
/** The longest step of the API: 31 days. */
const MOST_MINUTES = 31 * MINUTES_OF_DAY;

/** How far one of the forms sets the clock forward. */
export class ClockForm {
  @IsInt()
  @Min(1)
  @Max(MOST_MINUTES)
  readonly minutes!: number;
}

export function secondsOf({ minutes }: ClockForm): number {
  return minutes * SECONDS_OF_MINUTE;
}

interface SandboxClockProps {
  readonly company_id: string;
  readonly clock: ShownClock;
  readonly zone: string;
  readonly mayAdvance: boolean;
  /** Makes an id for one form, so that a form that is sent twice sets the clock once. */
  readonly newFormId: () => string;
  readonly refused: Refused | undefined;
}

/** The clock of a sandbox, and the forms that set it forward, for managers. */
export function SandboxClock({ clock, zone, mayAdvance, ...forms }: SandboxClockProps) {
  return (
    <Section title="Sandbox clock">
      <Facts
        of={[
          ['Its time', <Instant at={clock.now} zone={zone} />],
          ['Ahead of the real time by', durationText(clock.ahead_seconds) || 'nothing'],
        ]}
      />
      <p class="hint">
        The clock goes forward only, and nothing takes that back. Decisions, keys, codes, what staff set and
        pull sources follow it; what falls due on the way is decided again before this page comes back. Pull
        sources ask real addresses.
      </p>
      {mayAdvance ? (
        <AdvanceForms {...forms} />
      ) : (
        <p class="hint">A manager of the whole company may set it forward.</p>
      )}
    </Section>
  );
}

function AdvanceForms({
  company_id,
  newFormId,
  refused,
}: Pick<SandboxClockProps, 'company_id' | 'newFormId' | 'refused'>) {
  const action = `${companyPath(company_id)}/clock`;
  return (
    <>
      <div class="acts">
        <Form name="clock-day" action={action} submit="One day forward">
          <Kept name="form_id" value={newFormId()} />
          <Kept name="minutes" value={String(MINUTES_OF_DAY)} />
        </Form>
        <Form name="clock-week" action={action} submit="One week forward" tone="quiet">
          <Kept name="form_id" value={newFormId()} />
          <Kept name="minutes" value={String(7 * MINUTES_OF_DAY)} />
        </Form>
      </div>
      <Form name="clock" action={action} submit="Set it forward" refused={refused} tone="quiet">
        <Kept name="form_id" value={newFormId()} />
        <Field
          name="minutes"
          label="Minutes forward"
          hint={`60 are an hour. At most ${MOST_MINUTES}, which is 31 days, and ten years in all.`}
          type="number"
          min={1}
          max={MOST_MINUTES}
          required
        />
      </Form>
    </>
  );
}
