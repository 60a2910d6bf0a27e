import { Temporal } from 'temporal-polyfill';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Radios } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { localText, zoneText } from '../parts/words.js';
import { OVERRIDE_VALUES, OVERRIDES } from '#domain/units/index.js';
import { idleOverrideText } from './sentence.js';
import type { UnitDetail } from './unit-detail.js';

export interface FormsProps {
  /** The path of the unit. */
  readonly path: string;
  readonly refused: Refused | undefined;
}

const CHOICES = OVERRIDE_VALUES.map((value) => [value, OVERRIDES[value].choice] as const);

/** The default end of letting somebody in: tomorrow at 18:00, local time. */
export function usualEnd(now: number, zone: string): string {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  return `${today.add({ days: 1 }).toString()}T18:00`;
}

interface OverrideFormsProps extends FormsProps {
  readonly unit: Pick<UnitDetail, 'access' | 'override' | 'location'>;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

/** The first values of the form: the present override, otherwise the opposite of the unit's state. */
function usual({ unit, now }: Pick<OverrideFormsProps, 'unit' | 'now'>) {
  const { access, override, location } = unit;
  if (override !== null) {
    const { expires_at } = override;
    const until = expires_at === null ? '' : localText(Date.parse(expires_at), location.timezone);
    return { access: override.override, until };
  }
  return access.state === 'tenant_permitted'
    ? { access: 'lockout', until: '' }
    : { access: 'exempt', until: usualEnd(now, location.timezone) };
}

export function OverrideForms({ path, refused, unit, now }: OverrideFormsProps) {
  const first = usual({ unit, now });
  const hasOverride = unit.override !== null;
  const idle = idleOverrideText(unit.access.state);
  return (
    <div class="acts">
      <ActionDialog
        form="override"
        label={hasOverride ? 'Replace override' : 'Add override'}
        refused={refused}
      >
        {idle === undefined ? null : <p class="warning">{idle}</p>}
        <Form name="override" action={`${path}/override`} submit="Save override" refused={refused}>
          {/* Letters that are typed too early change a list's choice, but no radio button. */}
          <Radios name="override" legend="Access" options={CHOICES} value={first.access} />
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
            label={`Until (${zoneText(unit.location.timezone)})`}
            hint="Blank: no end date."
            type="datetime-local"
            value={first.until}
          />
        </Form>
      </ActionDialog>
      {hasOverride ? (
        <ActionDialog form="clear" label="Remove override" refused={refused}>
          <p>Access follows the PMS again at once. The override and its reason stay in the history.</p>
          <Form
            name="clear"
            action={`${path}/override/clear`}
            submit="Remove override"
            tone="danger"
            refused={refused}
          />
        </ActionDialog>
      ) : null}
    </div>
  );
}
