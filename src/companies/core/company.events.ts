/**
 * Storage format: add, never change. The `type` strings and the fields below are what stands in the log for ever; a
 * change of meaning is a new type, or a higher `schema` with an upcast. Instants are milliseconds since the epoch.
 */
import type { TokenScope } from '../../http/authentication.js';
import type { EventType } from '../../log/codec.js';

export interface CompanyRegistered {
  readonly type: 'CompanyRegistered';
  readonly data: {
    readonly company_id: string;
    readonly name: string;
    /** Milliseconds since the epoch. */
    readonly created_at: number;
  };
}

export interface ApiTokenIssued {
  readonly type: 'ApiTokenIssued';
  readonly data: {
    readonly token_id: string;
    readonly name: string;
    readonly scope: TokenScope;
    readonly expires_at: number | null;
  };
}

export interface ApiTokenRevoked {
  readonly type: 'ApiTokenRevoked';
  readonly data: { readonly token_id: string };
}

/** From here on the code belongs to this location and to no other of the company. */
export interface LocationAdded {
  readonly type: 'LocationAdded';
  readonly data: { readonly location_id: string; readonly pms_location_code: string };
}

export type CompanyEvent = CompanyRegistered | ApiTokenIssued | ApiTokenRevoked | LocationAdded;

export const COMPANY_CATEGORY = 'company';

/** Every type with the schema it is written with. */
export const COMPANY_EVENT_TYPES: Readonly<Record<CompanyEvent['type'], EventType>> = {
  CompanyRegistered: { schema: 1 },
  ApiTokenIssued: { schema: 1 },
  ApiTokenRevoked: { schema: 1 },
  LocationAdded: { schema: 1 },
};

/** The stream of what a company has once: its name, its tokens, and which of its locations has which code. */
export function companyStream(company_id: string): string {
  return `${COMPANY_CATEGORY}-${company_id}`;
}
