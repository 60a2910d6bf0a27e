import { fromCents } from '#kernel/money.js';
import { timestampOrNull } from '#kernel/timestamp.js';
import { type LocationContact, type LocationDocument, paymentLink } from '#domain/locations/index.js';
import type { Share } from '#domain/units/index.js';
import type { SubjectUnit } from '../core/subject.js';

/** A share, with the name of its account. */
export interface NamedShare extends Share {
  readonly name: string | null;
}

/** What a tenant owes for a unit and until when it opens. A share tells nobody else of it. */
export type UnitTerms =
  | {
      readonly relationship: 'primary';
      /** A decimal amount. */
      readonly balance_due: number;
      readonly currency: string;
      readonly paid_through_date: string | null;
      readonly move_in_date: string | null;
      readonly closes_at: string | null;
      /** Who else opens it now. */
      readonly shares: readonly {
        /** Null: staff have given it, so the tenant cannot end it. */
        readonly share_id: string | null;
        readonly name: string | null;
        readonly until: string | null;
      }[];
      /** Whether the tenant may let others in by itself. */
      readonly may_share: boolean;
    }
  | {
      readonly relationship: 'shared';
      /** When the share ends by itself. Null: it does not. */
      readonly until: string | null;
      /** Null: staff have given it, so the app cannot end it. */
      readonly share_id: string | null;
    };

/** The payment link of the unit is for its primary tenant alone. */
export type ShownContact = Omit<LocationContact, 'payment_url'> &
  Partial<Pick<LocationContact, 'payment_url'>>;

interface Held {
  readonly relationship: UnitTerms['relationship'];
  readonly subject: SubjectUnit;
  readonly location: Pick<LocationDocument, 'contact' | 'currency' | 'tenant_sharing'>;
  /** In force. */
  readonly shares: readonly NamedShare[];
  /** When a share ends, in milliseconds. */
  readonly until: number | null;
  readonly share_id: string | null;
  /** Milliseconds. */
  readonly closes_at: number | null;
}

export function termsOf(held: Held): UnitTerms {
  const {
    relationship,
    subject: { facts },
    location,
    until,
    closes_at,
  } = held;
  if (relationship === 'shared')
    return { relationship, until: timestampOrNull(until), share_id: held.share_id };
  const { balance_due, paid_through_date, move_in_date } = facts;
  return {
    relationship,
    balance_due: fromCents(balance_due),
    currency: location.currency,
    paid_through_date,
    move_in_date,
    closes_at: timestampOrNull(closes_at),
    shares: held.shares.map(({ share_id = null, name, until: ends }) => {
      return { share_id, name, until: timestampOrNull(ends) };
    }),
    may_share: location.tenant_sharing,
  };
}

export function contactFor({ relationship, subject, location }: Held): ShownContact {
  const { phone, email, address, payment_url } = location.contact;
  const reached = { phone, email, address };
  if (relationship === 'shared') return reached;
  const { crm_unit_id, facts } = subject;
  const unit = { crm_unit_id, pms_tenant_id: facts.pms_tenant_id ?? '' };
  return { ...reached, payment_url: payment_url === null ? null : paymentLink(payment_url, unit) };
}
