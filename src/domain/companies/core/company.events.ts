/**
 * Storage format: add, never change. The log contains the `type` strings and the fields below for ever. A change of
 * meaning needs a new type, or a higher `schema` with an upcast. Instants are milliseconds since the epoch.
 */
import type { TokenScope } from '#kernel/principals.js';
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';

/** The fields of a webhook that an operator sets. */
export type WebhookField = 'url' | 'types' | 'description' | 'enabled';

/** The data of each event, by its type. */
interface CompanyEvents {
  readonly CompanyRegistered: {
    readonly company_id: string;
    readonly name: string;
    /** Milliseconds since the epoch. */
    readonly created_at: number;
  };
  /**
   * Registers a sandbox: its clock may be advanced, and its keys open nothing. No other company ever becomes a sandbox.
   */
  readonly SandboxCompanyRegistered: CompanyEvents['CompanyRegistered'];
  /** The event's `occurred_at` is the world's time, not the sandbox's. */
  readonly SandboxClockAdvanced: {
    readonly advance_seconds: number;
    /** The sum of this advance and all before it. */
    readonly ahead_seconds: number;
  };
  readonly ApiTokenIssued: {
    readonly token_id: string;
    readonly name: string;
    readonly scope: TokenScope;
    readonly expires_at: number | null;
    /** SHA-256 (hex) of the record's `_id`, so that the record can be checked against the log. */
    readonly credential_sha256: string;
  };
  readonly ApiTokenRevoked: { readonly token_id: string };
  /** Reserves the code for this location of the company. */
  readonly LocationAdded: { readonly location_id: string; readonly pms_location_code: string };
  /** A URL may hold a credential, so no event holds it. */
  readonly WebhookAdded: { readonly webhook_id: string };
  /** `fields` names what an operator set. The values are in the webhook's record. */
  readonly WebhookChanged: { readonly webhook_id: string; readonly fields: readonly WebhookField[] };
  readonly WebhookSecretRotated: { readonly webhook_id: string };
  readonly WebhookRemoved: { readonly webhook_id: string };
}

export type CompanyEvent = EventOf<CompanyEvents>;
export type ApiTokenIssued = EventOf<CompanyEvents, 'ApiTokenIssued'>;
export type LocationAdded = EventOf<CompanyEvents, 'LocationAdded'>;

export const COMPANY_CATEGORY = 'company';

export const COMPANY_EVENT_TYPES: Readonly<Record<CompanyEvent['type'], EventType>> = {
  CompanyRegistered: { schema: 1 },
  SandboxCompanyRegistered: { schema: 1 },
  SandboxClockAdvanced: { schema: 1 },
  ApiTokenIssued: { schema: 1 },
  ApiTokenRevoked: { schema: 1 },
  LocationAdded: { schema: 1 },
  WebhookAdded: { schema: 1 },
  WebhookChanged: { schema: 1 },
  WebhookSecretRotated: { schema: 1 },
  WebhookRemoved: { schema: 1 },
};

/** The stream of a company, with its name, its tokens and the codes of its locations. */
export function companyStream(company_id: string): string {
  return `${COMPANY_CATEGORY}-${company_id}`;
}
