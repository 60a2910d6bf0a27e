import { Temporal } from 'temporal-polyfill';
import { invalidField } from '#kernel/errors/api-error.js';
import type { Ids } from '#kernel/ids.js';
import { companyPath } from '../links/paths.js';
import { type FormValues, lastOf, type Refused } from '../page/page.js';
import { Options, Picks } from '../parts/choices.js';
import { Drawer } from '../parts/drawer.js';
import { Field, Form, Kept } from '../parts/form.js';
import { SCOPE_TEXTS } from '../parts/labels.js';

const ENDS = [
  ['never', 'Never'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['other', 'On a day…'],
] as const;

interface TokenDrawerProps {
  readonly company_id: string;
  readonly refused: Refused | undefined;
  readonly isOpen: boolean;
  readonly ids: Ids;
}

export function TokenDrawer({ company_id, refused, isOpen, ids }: TokenDrawerProps) {
  const path = `${companyPath(company_id)}/api-tokens`;
  return (
    <Drawer
      form="token"
      title="Create token"
      hint="The token is shown once, on the next page."
      {...{ path, refused, isOpen }}
    >
      <Form name="token" action={path} submit="Create token" refused={refused}>
        <Kept name="form_id" value={ids.ulid()} />
        <Field
          name="name"
          label="Token name"
          hint="The system that uses it."
          required
          maxLength={255}
          autofocus
        />
        <Options
          name="scope"
          legend="Permissions"
          options={[
            ['write', SCOPE_TEXTS.write, 'For a PMS that sends its units.'],
            ['read', SCOPE_TEXTS.read],
          ]}
          value="write"
        />
        <Picks name="expires" legend="Expires" options={ENDS} value="never" />
        <div class="other-only">
          <Field name="expires_on" label="Last day" type="date" />
        </div>
      </Form>
    </Drawer>
  );
}

/**
 * The body that a form asks for. A token of 90 days ends with the 90th day in a time zone, so that a form that is sent twice
 * asks for the same.
 * @param now milliseconds
 * @throws ApiError 422 for a last day that is none
 */
export function tokenIn(
  { expires, expires_on, ...fields }: FormValues,
  zone: string,
  now: number,
): FormValues {
  const end = lastOf(expires) ?? 'never';
  if (end === 'never') return fields;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const last = end === 'other' ? dateOf(lastOf(expires_on)) : today.add({ days: daysOf(end) });
  if (Temporal.PlainDate.compare(last, today) < 0)
    throw invalidField('expires_on', 'out_of_range', 'The last day is past. Enter today or a later day.');
  return { ...fields, expires_at: last.add({ days: 1 }).toZonedDateTime(zone).toInstant().toString() };
}

function daysOf(end: string): number {
  if (ENDS.some(([value]) => value === end)) return Number(end);
  throw invalidField('expires', 'unknown_value', 'The expires field has no such choice.');
}

function dateOf(text: string | undefined): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text ?? '');
  } catch {
    throw invalidField('expires_on', 'required', 'Enter the last day of the token.');
  }
}
