import { FED_TYPES } from '#domain/history/index.js';
import type { Ids } from '#kernel/ids.js';
import { type FormValues, lastOf, type Refused } from '../page/page.js';
import { companyPath, webhooksPath } from '../links/paths.js';
import { Choices, Options } from '../parts/choices.js';
import { Drawer } from '../parts/drawer.js';
import { Field, Form, Kept } from '../parts/form.js';
import { eventText } from '../parts/labels.js';
import type { Webhook } from './webhook-texts.js';

/** The only event that most receivers want. */
const ACCESS_CHANGED = 'AccessChanged';

type Which = 'access' | 'all' | 'selected';

const WHICH_TEXTS: readonly (readonly [Which, string, string])[] = [
  ['access', 'Access changed', 'A unit opens or locks, whatever the cause.'],
  ['all', 'All events', 'What the feed tells, new kinds included.'],
  ['selected', 'Selected events…', 'Those that you tick.'],
];

const TYPES = [...FED_TYPES]
  .map((type) => [type, eventText(type)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, 'en'));

interface WebhookFormProps {
  readonly name: string;
  readonly action: string;
  readonly submit: string;
  readonly refused: Refused | undefined;
  /** Absent for a new one. */
  readonly webhook?: Webhook;
  /** Set for a form whose answer is a page, so that it acts once. */
  readonly ids?: Ids;
}

export function WebhookForm({ webhook, ids, ...form }: WebhookFormProps) {
  return (
    <Form {...form}>
      {ids === undefined ? null : <Kept name="form_id" value={ids.ulid()} />}
      <Field
        name="url"
        label="Address"
        value={webhook?.url}
        hint="https, without user name and password."
        required
        maxLength={2048}
        autofocus
      />
      <Field name="description" label="What it is for" value={webhook?.description} maxLength={255} />
      <Options name="which" legend="Events" options={WHICH_TEXTS} value={whichOf(webhook)} />
      <div class="ticked-only">
        <Choices name="types" legend="Selected events" options={TYPES} chosen={webhook?.types ?? []} />
      </div>
    </Form>
  );
}

interface WebhookDrawerProps {
  readonly company_id: string;
  readonly refused: Refused | undefined;
  readonly isOpen: boolean;
  readonly ids: Ids;
}

/** The form of a new webhook, beside the API page. */
export function WebhookDrawer({ company_id, refused, isOpen, ids }: WebhookDrawerProps) {
  return (
    <Drawer
      form="webhook"
      title="Add webhook"
      hint="We send each event here, signed. Any answer of 200 to 299 within 15 seconds counts as received. The signing secret is shown once, on the next page."
      path={webhooksPath(company_id)}
      {...{ refused, isOpen }}
    >
      <WebhookForm
        name="webhook"
        action={`${companyPath(company_id)}/webhooks`}
        submit="Add webhook"
        {...{ refused, ids }}
      />
    </Drawer>
  );
}

function whichOf(webhook: Webhook | undefined): Which {
  if (webhook === undefined) return 'access';
  if (webhook.types === null) return 'all';
  return webhook.types.join() === ACCESS_CHANGED ? 'access' : 'selected';
}

/** The body of the form. The list of events counts only if it was chosen. */
export function settingsIn({ which, types, ...fields }: FormValues): FormValues {
  const chosen = lastOf(which);
  if (chosen === 'selected') return { ...fields, types: types ?? '' };
  return chosen === 'access' ? { ...fields, types: ACCESS_CHANGED } : fields;
}
