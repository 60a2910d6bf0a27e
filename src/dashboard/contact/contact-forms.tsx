import type { LocationAdministration, ProofAsked } from '#api/operator/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { CURRENCIES } from '#domain/locations/index.js';
import type { Refused } from '../page/page.js';
import { contactPath } from '../links/paths.js';
import { Select } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { Facts, None } from '../parts/layout.js';
import { proofFields } from '../parts/proof-fields.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { PHONE_LIKE } from '../page/phone-words.js';

type Location = ResultOf<LocationAdministration['readLocation']>;

interface ContactProps {
  readonly location: Location;
}

/** The fields of the payment link. */
export const PAYMENT_URL = 'contact.payment_url';
export const PROOF = { current: 'proof.current', code: 'proof.code' } as const;

export function ContactShown({ location: { contact, currency } }: ContactProps) {
  const { phone, email, address, payment_url } = contact;
  return (
    <Facts
      of={[
        ['Phone', <PhoneLink phone={phone} />],
        ['E-mail', email ?? <None />],
        ['Address', address ?? <None />],
        ['Payment link', payment_url ?? <None />],
        ['Currency', `${currency}, ${NAMES.of(currency)}`],
      ]}
    />
  );
}

interface ContactFormProps extends ContactProps {
  readonly refused: Refused | undefined;
  /** Undefined for who may not change the payment link. */
  readonly proof: AskedProof | undefined;
}

interface AskedProof {
  readonly asked: ProofAsked;
  readonly needsCode: boolean;
}

/** One form: a button beside some of its fields would drop what is typed in the others. */
export function ContactForm({ location, refused, proof }: ContactFormProps) {
  const { phone, email, address } = location.contact;
  return (
    <Form
      name="contact"
      action={contactPath(location.location_id)}
      submit="Save"
      refused={refused}
      withInitial
    >
      <div class="split even">
        <div class="stack">
          <h2>Contact</h2>
          <p>Tenants see it in their app, people with a shared unit too.</p>
          <Field name="phone" label="Phone" value={phone} hint={PHONE_LIKE} type="tel" />
          <Field name="email" label="E-mail" value={email} type="email" />
          <Field name="address" label="Address" value={address} hint="In one line." maxLength={255} />
        </div>
        <div class="stack">
          <h2>Payment</h2>
          <p>The app leads tenants to the link to pay. People with a shared unit do not see it.</p>
          {proof === undefined ? paymentLink(location) : paymentFields(location, proof)}
          <Select
            name="currency"
            label="Currency"
            options={OPTIONS}
            value={location.currency}
            hint="All amounts here are shown in it. They are not converted."
          />
        </div>
      </div>
    </Form>
  );
}

function paymentLink({ contact: { payment_url } }: Location) {
  return (
    <>
      <Facts of={[['Link', payment_url ?? <None />]]} />
      <p class="hint">An admin can change it.</p>
    </>
  );
}

/** Asks for the password again, because whoever changes the link can lead every payment elsewhere. */
function paymentFields(
  { location_id, contact: { payment_url } }: Location,
  { asked, needsCode }: AskedProof,
) {
  const path = contactPath(location_id);
  return (
    <>
      <Field
        name={PAYMENT_URL}
        label="Link"
        value={payment_url}
        hint="https. {crm_unit_id} and {pms_tenant_id} become those of the unit and its tenant. Empty: no link."
        maxLength={2_048}
      />
      {proofFields({
        asked,
        name: PROOF.current,
        label: 'Your password',
        hint: 'For a change of the link only.',
        required: false,
        path,
      })}
      {needsCode ? (
        <Field
          name={PROOF.code}
          label="Code of your authenticator"
          hint="For a change of the link only."
          maxLength={64}
          autocomplete="one-time-code"
        />
      ) : null}
    </>
  );
}

const NAMES = new Intl.DisplayNames('en-US', { type: 'currency' });
const OPTIONS = CURRENCIES.map((code) => [code, `${code}, ${NAMES.of(code)}`] as const);
