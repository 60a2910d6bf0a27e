import type { CommandOf } from '#eventsourcing/writing/aggregate.js';
import type { TokenScope } from '#kernel/principals.js';
import type { WebhookField } from './company.events.js';
import type { ApiTokenState, CompanyState } from './company.state.js';

/** The fields of each command, by its type. */
export interface CompanyCommandFields {
  readonly RegisterCompany: {
    readonly company_id: string;
    readonly name: string;
    /** True: a company for tests, with a clock of its own. It never changes. */
    readonly sandbox: boolean;
  };
  /** Advances the clock of a sandbox. It cannot go back. */
  readonly AdvanceSandboxClock: {
    /** A whole number of seconds, at least 1. */
    readonly advance_seconds: number;
  };
  readonly IssueApiToken: {
    readonly token_id: string;
    readonly name: string;
    readonly scope: TokenScope;
    /** Milliseconds; null: never. */
    readonly expires_at: number | null;
    readonly credential_sha256: string;
  };
  readonly RevokeApiToken: {
    readonly token_id: string;
  };
  /** Reserves a code for a location, unless another location has it. */
  readonly AddLocation: {
    readonly location_id: string;
    readonly pms_location_code: string;
  };
  readonly AddWebhook: { readonly webhook_id: string };
  readonly ChangeWebhook: { readonly webhook_id: string; readonly fields: readonly WebhookField[] };
  readonly RotateWebhookSecret: { readonly webhook_id: string };
  readonly RemoveWebhook: { readonly webhook_id: string };
}

export type CompanyCommand = CommandOf<CompanyCommandFields>;

export interface CompanyRefusal {
  readonly code:
    | 'company_not_found'
    | 'api_token_not_found'
    | 'api_token_issued_before'
    | 'not_a_sandbox'
    | 'sandbox_clock_too_far'
    | 'too_many_webhooks'
    | 'webhook_not_found';
}

interface WebhookResult {
  readonly webhook_id: string;
}

export interface CompanyResults {
  readonly RegisterCompany: Pick<CompanyState, 'company_id' | 'name' | 'created_at' | 'ahead_seconds'>;
  readonly AdvanceSandboxClock: Pick<CompanyState, 'company_id' | 'name' | 'created_at' | 'ahead_seconds'>;
  readonly IssueApiToken: ApiTokenState;
  readonly RevokeApiToken: ApiTokenState;
  /** The location that has the code. */
  readonly AddLocation: { readonly location_id: string };
  readonly AddWebhook: WebhookResult;
  readonly ChangeWebhook: WebhookResult;
  readonly RotateWebhookSecret: WebhookResult;
  readonly RemoveWebhook: WebhookResult;
}
