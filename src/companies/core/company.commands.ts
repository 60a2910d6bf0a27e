import type { TokenScope } from '../../http/authentication.js';
import type { ApiTokenState, CompanyState } from './company.state.js';

export interface RegisterCompany {
  readonly type: 'RegisterCompany';
  readonly company_id: string;
  readonly name: string;
}

export interface IssueApiToken {
  readonly type: 'IssueApiToken';
  readonly token_id: string;
  readonly name: string;
  readonly scope: TokenScope;
  /** In milliseconds; null: it does not end by itself. */
  readonly expires_at: number | null;
}

export interface RevokeApiToken {
  readonly type: 'RevokeApiToken';
  readonly token_id: string;
}

/** Gives a code to a location, unless the company has given it to another already. */
export interface AddLocation {
  readonly type: 'AddLocation';
  readonly location_id: string;
  readonly pms_location_code: string;
}

export type CompanyCommand = RegisterCompany | IssueApiToken | RevokeApiToken | AddLocation;

/** Why a command is refused. */
export interface CompanyRefusal {
  readonly code: 'company_not_found' | 'api_token_not_found';
}

/** What a command that is not refused tells its caller. */
export interface CompanyResults {
  readonly RegisterCompany: Pick<CompanyState, 'company_id' | 'name' | 'created_at'>;
  readonly IssueApiToken: ApiTokenState;
  readonly RevokeApiToken: ApiTokenState;
  /** The location that has the code. */
  readonly AddLocation: { readonly location_id: string };
}
