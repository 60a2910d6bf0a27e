import type { ResultOf } from '#kernel/result-of.js';
import type { LocationAdministration } from '#api/operator/index.js';
import { type FormValues, lastOf, type Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Checkbox, Select } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { MODE_TEXTS } from '../parts/labels.js';
import { Facts } from '../parts/layout.js';
import { amountText, countText, zoneText } from '../parts/words.js';
import { locationPath } from '../links/paths.js';

export type Location = ResultOf<LocationAdministration['readLocation']>;

const MODES = Object.entries(MODE_TEXTS);

/** The settings of a policy, by their fields: what each is called and how its value is shown. */
export const SETTINGS = {
  timezone: { label: 'Time zone', text: ({ timezone }: Location) => timezone },
  grace_period_days: {
    label: 'Days of grace',
    text: (location: Location) => countText(location.grace_period_days, 'day'),
  },
  balance_threshold: {
    label: 'Ignore balances up to',
    text: (location: Location) => amountText(location.balance_threshold, location.currency),
  },
  blanket_delinquency: {
    label: 'Lock all the tenant’s units here',
    text: (location: Location) => (location.blanket_delinquency ? 'yes' : 'no'),
  },
  delinquency_mode: {
    label: 'Locks by',
    text: (location: Location) => MODE_TEXTS[location.delinquency_mode],
  },
} as const;

/** The policy, for a reader who may not change it. */
export function PolicyShown({ location }: { readonly location: Location }) {
  return <Facts of={Object.values(SETTINGS).map(({ label, text }) => [label, text(location)] as const)} />;
}

interface PolicyFormProps {
  readonly location: Location;
  readonly refused: Refused | undefined;
}

/** Asks for a policy. Its buttons preview it; neither saves it. @param days of the past that it is tested on */
export function PolicyForm({ location, refused, days }: PolicyFormProps & { readonly days: number }) {
  const path = `${locationPath(location.location_id)}/policy`;
  return (
    <Form
      name="policy"
      action={path}
      submit="Preview"
      other={{ action: `${path}/try`, submit: `Preview against the last ${days} days`, place: 'beside' }}
      refused={refused}
      withInitial
    >
      {policyFields(location)}
    </Form>
  );
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

let zoneTexts: { readonly value: string; readonly text: string }[] | undefined;

/** The names take 50 ms, so they are made once. */
function zoneSuggestions() {
  zoneTexts ??= ZONES.map((value) => ({ value, text: zoneText(value) }));
  return zoneTexts;
}

/** The time zone of the form by its city alone, where only one zone is called so. */
export function withZoneOfCity(form: FormValues): FormValues {
  const end = `/${lastOf(form['timezone'])?.trim().replaceAll(' ', '_')}`.toLowerCase();
  const [zone, another] = ZONES.filter((one) => one.toLowerCase().endsWith(end));
  return zone === undefined || another !== undefined ? form : { ...form, timezone: zone };
}

type PolicyValues = Pick<Location, keyof typeof SETTINGS>;

/** The current fields of a policy. */
export function policyFields(policy: PolicyValues) {
  return (
    <>
      <Field
        name="grace_period_days"
        label={SETTINGS.grace_period_days.label}
        value={policy.grace_period_days}
        hint="An example: paid through the 1st, with 5 days of grace: open on the 6th, locked from the 7th."
        type="number"
        min={0}
        max={90}
        required
      />
      <Field
        name="balance_threshold"
        label={SETTINGS.balance_threshold.label}
        value={policy.balance_threshold}
        hint="Tenants owing this or less keep access."
        type="number"
        min={0}
        step="0.01"
        required
      />
      <Checkbox
        name="blanket_delinquency"
        label={SETTINGS.blanket_delinquency.label}
        hint="A tenant past due on one unit is locked out of the others, too."
        checked={policy.blanket_delinquency}
      />
      <Select
        name="delinquency_mode"
        label={SETTINGS.delinquency_mode.label}
        options={MODES}
        value={policy.delinquency_mode}
      />
      <Field
        name="timezone"
        label={SETTINGS.timezone.label}
        value={policy.timezone}
        hint="Type a city, and choose from the list: America/Chicago. Days begin and end in it."
        suggestions={zoneSuggestions()}
        required
      />
    </>
  );
}

/** The name has no effect on access, so it needs no preview. */
export function RenameForm({ location, refused }: PolicyFormProps) {
  return (
    <ActionDialog form="location-name" label="Rename site" refused={refused}>
      <Form
        name="location-name"
        action={`${locationPath(location.location_id)}/policy/name`}
        submit="Rename"
        refused={refused}
      >
        <Field
          name="name"
          label="Name of the site"
          value={location.name}
          required
          autofocus
          maxLength={255}
        />
      </Form>
    </ActionDialog>
  );
}
