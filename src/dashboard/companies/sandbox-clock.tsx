import { IsInt, Max, Min } from 'class-validator';
import type { FormValues, Refused } from '../frame/page.js';
import { Field, Form, Kept } from '../parts/form.js';
import { Facts, Section } from '../parts/layout.js';
import { aheadText, type ToldClock } from '../parts/sandbox-mark.js';
import { Instant } from '../parts/times.js';
import { companyPath } from './company-frame.js';

const SECONDS_OF_MINUTE = 60;
const MINUTES_OF_DAY = 24 * 60;
/** What the API takes at once, 31 days. */
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

/** A form's fields, and the command that it was made for: sent twice, it is still one. */
export function clockFields(form: FormValues): { command_id: string | undefined; fields: FormValues } {
  const { command, ...fields } = form;
  const isUlid = typeof command === 'string' && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(command);
  return { command_id: isUlid ? command : undefined, fields };
}

interface SandboxClockProps {
  readonly company_id: string;
  readonly clock: ToldClock;
  readonly zone: string;
  readonly mayAdvance: boolean;
  /** Names a command that was never sent. */
  readonly newCommand: () => string;
  readonly refused: Refused | undefined;
}

/** What time it is in a sandbox, and the forms that set its clock forward, for who may. */
export function SandboxClock({ clock, zone, mayAdvance, ...forms }: SandboxClockProps) {
  return (
    <Section title="Sandbox clock">
      <Facts
        of={[
          ['Its time', <Instant at={clock.now} zone={zone} />],
          ['Ahead of the world by', aheadText(clock.ahead_seconds)],
        ]}
      />
      <p class="hint">
        The clock goes forward only, and nothing takes that back. Decisions, keys, codes, overrides and pull
        sources follow it; what falls due on the way is decided again before this page comes back. Text
        messages of a sandbox are real: they go to the phones of its tenants, and pull sources ask real
        addresses.
      </p>
      {mayAdvance ? <AdvanceForms {...forms} /> : <p class="hint">A manager may set it forward.</p>}
    </Section>
  );
}

function AdvanceForms({
  company_id,
  newCommand,
  refused,
}: Pick<SandboxClockProps, 'company_id' | 'newCommand' | 'refused'>) {
  const action = `${companyPath(company_id)}/clock`;
  return (
    <>
      <Form name="clock-day" action={action} submit="One day forward">
        <Kept name="command" value={newCommand()} />
        <Kept name="minutes" value={String(MINUTES_OF_DAY)} />
      </Form>
      <Form name="clock-week" action={action} submit="One week forward">
        <Kept name="command" value={newCommand()} />
        <Kept name="minutes" value={String(7 * MINUTES_OF_DAY)} />
      </Form>
      <Form name="clock" action={action} submit="Set it forward" refused={refused} tone="quiet">
        <Kept name="command" value={newCommand()} />
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
