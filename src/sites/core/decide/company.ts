import type { IssueApiToken, RegisterCompany, RevokeApiToken, SiteResults } from '../site.commands.js';
import type { SiteState } from '../site.state.js';
import { accept, refuse } from './decision.js';
import type { SiteDecision } from './decision.js';

export function registerCompany(
  state: SiteState | undefined,
  { company_id, name }: RegisterCompany,
  now: number,
): SiteDecision<SiteResults['RegisterCompany']> {
  if (state !== undefined) {
    return accept({ company_id: state.company_id, name: state.name, created_at: state.created_at });
  }
  const data = { company_id, name, created_at: now };
  return accept(data, { type: 'CompanyRegistered', data });
}

/** The token's value is no business of the log: it knows that a token was issued, and under what name. */
export function issueApiToken(
  state: SiteState,
  { token_id, name }: IssueApiToken,
): SiteDecision<SiteResults['IssueApiToken']> {
  const known = state.api_tokens.get(token_id);
  if (known !== undefined) return accept(known);
  const data = { token_id, name };
  return accept({ ...data, revoked: false }, { type: 'ApiTokenIssued', data });
}

export function revokeApiToken(
  state: SiteState,
  { token_id }: RevokeApiToken,
): SiteDecision<SiteResults['RevokeApiToken']> {
  const known = state.api_tokens.get(token_id);
  if (known === undefined) return refuse('api_token_not_found');
  if (known.revoked) return accept(known);
  return accept({ ...known, revoked: true }, { type: 'ApiTokenRevoked', data: { token_id } });
}
