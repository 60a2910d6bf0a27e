import type { LocationAdministration } from '#api/operator/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { CURRENCIES } from '#domain/locations/index.js';
import type { Refused } from '../page/page.js';
import { contactPath } from '../links/paths.js';
import { Select } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { Facts, None } from '../parts/layout.js';
import { PhoneLink } from '../parts/tenant-links.js';

type Location = ResultOf<LocationAdministration['readLocation']>;

interface FormProps {
  readonly location: Location;
  readonly refused: Refused | undefined;
}

const pathOf = ({ location_id }: Location) => contactPath(location_id);

export function ContactShown({ location: { contact } }: Pick<FormProps, 'location'>) {
  const { phone, email, address } = contact;
  return (
    <Facts
      of={[
        ['Phone', <PhoneLink phone={phone} />],
        ['E-mail', email ?? <None />],
        ['Address', address ?? <None />],
      ]}
    />
  );
}

export function ContactForm({ location, refused }: FormProps) {
  const { phone, email, address } = location.contact;
  return (
    <Form name="contact" action={pathOf(location)} submit="Save contact" refused={refused} withInitial>
      <Field name="phone" label="Phone" value={phone} hint="Like +13125550100." type="tel" />
      <Field name="email" label="E-mail" value={email} type="email" />
      <Field name="address" label="Address" value={address} hint="In one line." maxLength={255} />
    </Form>
  );
}

interface PaymentFormProps extends FormProps {
  readonly mayChange: boolean;
  /** True: the operator has a second factor. */
  readonly needsCode: boolean;
}

/** Asks for the password again, because whoever changes the link can lead every payment elsewhere. */
export function PaymentForm({ location, refused, mayChange, needsCode }: PaymentFormProps) {
  const { payment_url } = location.contact;
  if (!mayChange)
    return (
      <>
        <Facts of={[['Link', payment_url ?? <None />]]} />
        <p class="hint">An admin can change it.</p>
      </>
    );
  return (
    <Form
      name="payment_url"
      action={`${pathOf(location)}/payment-link`}
      submit="Save payment link"
      refused={refused}
    >
      <Field
        name="contact.payment_url"
        label="Link"
        value={payment_url}
        hint="https. {crm_unit_id} and {pms_tenant_id} become those of the unit and its tenant. Empty: no link."
        maxLength={2_048}
      />
      <Field
        name="proof.current"
        label="Your password"
        type="password"
        required
        autocomplete="current-password"
      />
      {needsCode ? (
        <Field
          name="proof.code"
          label="Code of your authenticator"
          required
          maxLength={64}
          autocomplete="one-time-code"
        />
      ) : null}
    </Form>
  );
}

const NAMES = new Intl.DisplayNames('en-US', { type: 'currency' });
const OPTIONS = CURRENCIES.map((code) => [code, `${code}, ${NAMES.of(code)}`] as const);

export function CurrencyForm({ location, refused, mayChange }: FormProps & { readonly mayChange: boolean }) {
  const { currency } = location;
  if (!mayChange) return <Facts of={[['Currency', `${currency}, ${NAMES.of(currency)}`]]} />;
  return (
    <Form name="currency" action={`${pathOf(location)}/currency`} submit="Save currency" refused={refused}>
      <Select
        name="currency"
        label="Currency"
        options={OPTIONS}
        value={currency}
        hint="All amounts here are shown in it. They are not converted."
      />
    </Form>
  );
}
