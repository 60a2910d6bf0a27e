import { COMPANY, COMPANY_CATEGORY, type CompanyEvent } from '#domain/companies/index.js';
import type { StaffStreams } from './staff-streams.js';

/** The feed tells that a location was opened. */
type NotTold = 'LocationAdded';

const FIELDS = {
  ApiTokenIssued: ['token_id', 'name', 'scope', 'expires_at'],
  ApiTokenRevoked: ['token_id'],
  CompanyRegistered: ['name'],
  SandboxClockAdvanced: ['advance_seconds', 'ahead_seconds'],
  SandboxCompanyRegistered: ['name'],
  WebhookAdded: ['webhook_id'],
  WebhookChanged: ['webhook_id', 'fields'],
  WebhookRemoved: ['webhook_id'],
  WebhookSecretRotated: ['webhook_id'],
} as const satisfies {
  readonly [Type in Exclude<CompanyEvent['type'], NotTold>]: readonly (keyof Extract<
    CompanyEvent,
    { readonly type: Type }
  >['data'])[];
};

/** What staff did with a company, its tokens and its webhooks. */
export const COMPANY_STAFF_STREAMS: StaffStreams = {
  category: COMPANY_CATEGORY,
  types: COMPANY.types,
  fields: FIELDS,
  companiesOf: ({ stream }) => [companyOf(stream)],
  subjectOf({ stream, data: { token_id, webhook_id } }) {
    if (typeof token_id === 'string') return { kind: 'api_token', token_id };
    if (typeof webhook_id === 'string') return { kind: 'webhook', webhook_id };
    return { kind: 'company', company_id: companyOf(stream) };
  },
};

function companyOf(stream: string): string {
  return stream.slice(COMPANY_CATEGORY.length + 1);
}
