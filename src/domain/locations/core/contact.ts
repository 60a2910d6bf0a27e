/** How a location's tenants reach it, and where they pay. It is no personal detail. */
export interface LocationContact {
  /** International format with a leading +. */
  readonly phone: string | null;
  readonly email: string | null;
  /** One line. */
  readonly address: string | null;
  /** https. Path and query may hold placeholders: see {@link paymentLink}. */
  readonly payment_url: string | null;
}

export const NO_CONTACT: LocationContact = { phone: null, email: null, address: null, payment_url: null };

/** The parts that a `payment_url` may hold for each unit. */
export interface PaidUnit {
  readonly crm_unit_id: string;
  readonly pms_tenant_id: string;
}

const PLACEHOLDER = /\{(crm_unit_id|pms_tenant_id)\}/g;

/** The link by which the tenant of a unit pays: placeholders are filled in, encoded. */
export function paymentLink(payment_url: string, unit: PaidUnit): string {
  return payment_url.replaceAll(PLACEHOLDER, (_all, name: keyof PaidUnit) => encodeURIComponent(unit[name]));
}

/** Whether a text is a link by which tenants may be led: https, and the same site for every unit. */
export function isPaymentUrl(text: string): boolean {
  const links = ['a', 'b'].map((part) => paymentLink(text, { crm_unit_id: part, pms_tenant_id: part }));
  if (!links.every((link) => URL.canParse(link) && !/[{}]/.test(link))) return false;
  const [one, other] = links.map((link) => new URL(link)) as [URL, URL];
  const { protocol, username, password } = one;
  const isSameSite = one.origin === other.origin && one.hash === other.hash;
  return protocol === 'https:' && username === '' && password === '' && isSameSite;
}
