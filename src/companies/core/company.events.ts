/**
 * Storage format: add, never change. The `type` strings and the fields below are what stands in the log for ever; a
 * change of meaning is a new type, or a higher `schema` with an upcast. Instants are milliseconds since the epoch.
 */
import type { TokenScope } from '../../http/authentication.js';
import type { EventType } from '../../log/codec.js';
import type { EventOf } from '../../log/domain-event.js';

/** The data of each event, by its type. */
export interface CompanyEvents {
  readonly CompanyRegistered: {
    readonly company_id: string;
    readonly name: string;
    /** Milliseconds since the epoch. */
    readonly created_at: number;
  };
  /**
   * * The company is a sandbox from its first event on, which no other company ever becomes: its clock may be set forward, and
   * its keys open nothing.
   */
  readonly SandboxCompanyRegistered: CompanyEvents['CompanyRegistered'];
  /**
   * The event's own instant is the world's; the company's clock showed the world's time and what it was ahead before.
   */
  readonly SandboxClockAdvanced: {
    readonly advance_seconds: number;
    /** How far the company's clock is ahead of the world's from here on, this advance and all before it together. */
    readonly ahead_seconds: number;
  };
  readonly ApiTokenIssued: {
    readonly token_id: string;
    readonly name: string;
    readonly scope: TokenScope;
    readonly expires_at: number | null;
    /** SHA-256 (hex) of the hash that the token is stored under: its record is held to it. */
    readonly credential_sha256: string;
  };
  readonly ApiTokenRevoked: { readonly token_id: string };
  /** From here on the code belongs to this location and to no other of the company. */
  readonly LocationAdded: { readonly location_id: string; readonly pms_location_code: string };
}

export type CompanyEvent = EventOf<CompanyEvents>;
export type ApiTokenIssued = EventOf<CompanyEvents, 'ApiTokenIssued'>;
export type LocationAdded = EventOf<CompanyEvents, 'LocationAdded'>;

export const COMPANY_CATEGORY = 'company';

/** Every type with the schema it is written with. */
export const COMPANY_EVENT_TYPES: Readonly<Record<CompanyEvent['type'], EventType>> = {
  CompanyRegistered: { schema: 1 },
  SandboxCompanyRegistered: { schema: 1 },
  SandboxClockAdvanced: { schema: 1 },
  ApiTokenIssued: { schema: 1 },
  ApiTokenRevoked: { schema: 1 },
  LocationAdded: { schema: 1 },
};

/** The stream of what a company has once: its name, its tokens, and which of its locations has which code. */
export function companyStream(company_id: string): string {
  return `${COMPANY_CATEGORY}-${company_id}`;
}
