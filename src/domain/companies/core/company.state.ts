import type { CompanyEvent, LocationAdded } from './company.events.js';

export interface ApiTokenState {
  readonly token_id: string;
  readonly name: string;
  readonly revoked: boolean;
}

/** The state of a company's stream at `revision`. */
export interface CompanyState {
  readonly company_id: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  /** Only for a sandbox: seconds that its clock is ahead of the world's clock. */
  readonly ahead_seconds?: number;
  readonly api_tokens: readonly ApiTokenState[];
  /** The id of each location with the code that it has reserved. */
  readonly locations: readonly LocationAdded['data'][];
  /** Absent if the company never had a webhook. */
  readonly webhook_ids?: readonly string[];
  readonly revision: number;
}

/**
 * Applies one event.
 * @param state undefined before the first event, which is always a registration
 */
export function evolveCompany(
  state: CompanyState | undefined,
  event: CompanyEvent,
  revision: number,
): CompanyState {
  if (event.type === 'CompanyRegistered') {
    return { ...event.data, api_tokens: [], locations: [], revision };
  }
  if (event.type === 'SandboxCompanyRegistered') {
    return { ...event.data, ahead_seconds: 0, api_tokens: [], locations: [], revision };
  }
  if (state === undefined)
    throw new Error(`A company's stream begins with ${event.type} instead of CompanyRegistered.`);
  return { ...state, ...change(state, event), revision };
}

function change(
  { api_tokens, locations, webhook_ids = [] }: CompanyState,
  event: Exclude<CompanyEvent, { type: 'CompanyRegistered' | 'SandboxCompanyRegistered' }>,
): Partial<CompanyState> {
  switch (event.type) {
    case 'SandboxClockAdvanced':
      return { ahead_seconds: event.data.ahead_seconds };
    case 'ApiTokenIssued': {
      const { token_id, name } = event.data;
      return { api_tokens: [...api_tokens, { token_id, name, revoked: false }] };
    }
    case 'ApiTokenRevoked': {
      const { token_id } = event.data;
      return {
        api_tokens: api_tokens.map((one) => (one.token_id === token_id ? { ...one, revoked: true } : one)),
      };
    }
    case 'LocationAdded':
      return { locations: [...locations, event.data] };
    case 'WebhookAdded':
      return { webhook_ids: [...webhook_ids, event.data.webhook_id] };
    case 'WebhookRemoved':
      return { webhook_ids: webhook_ids.filter((one) => one !== event.data.webhook_id) };
    case 'WebhookChanged':
    case 'WebhookSecretRotated':
      return {};
  }
}
