import type { CommandOf } from '../../writing/aggregate.js';
import type { TokenScope } from '../../http/authentication.js';
import type { ApiTokenState, CompanyState } from './company.state.js';

/** The fields of each command, by its type. */
export interface CompanyCommandFields {
  readonly RegisterCompany: {
    readonly company_id: string;
    readonly name: string;
    /** A company to try things out in, with a clock of its own. Nothing makes it one later. */
    readonly sandbox: boolean;
  };
  /** Sets the clock of a sandbox forward. There is no way back. */
  readonly AdvanceSandboxClock: {
    /** A whole number of seconds, at least 1. */
    readonly advance_seconds: number;
  };
  readonly IssueApiToken: {
    readonly token_id: string;
    readonly name: string;
    readonly scope: TokenScope;
    /** In milliseconds; null: it does not end by itself. */
    readonly expires_at: number | null;
    readonly credential_sha256: string;
  };
  readonly RevokeApiToken: {
    readonly token_id: string;
  };
  /** Gives a code to a location, unless the company has given it to another already. */
  readonly AddLocation: {
    readonly location_id: string;
    readonly pms_location_code: string;
  };
}

export type CompanyCommand = CommandOf<CompanyCommandFields>;

/** Why a command is refused. */
export interface CompanyRefusal {
  readonly code:
    | 'company_not_found'
    | 'api_token_not_found'
    | 'api_token_issued_before'
    | 'not_a_sandbox'
    | 'sandbox_clock_too_far';
}

/** The answer of a command that was not refused. */
export interface CompanyResults {
  readonly RegisterCompany: Pick<CompanyState, 'company_id' | 'name' | 'created_at' | 'ahead_seconds'>;
  readonly AdvanceSandboxClock: Pick<CompanyState, 'company_id' | 'name' | 'created_at' | 'ahead_seconds'>;
  readonly IssueApiToken: ApiTokenState;
  readonly RevokeApiToken: ApiTokenState;
  /** The location that has the code. */
  readonly AddLocation: { readonly location_id: string };
}
