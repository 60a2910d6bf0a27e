import type { Decided } from '#eventsourcing/writing/aggregate.js';
import type {
  CompanyCommand,
  CompanyCommandFields as Fields,
  CompanyRefusal,
  CompanyResults,
} from './company.commands.js';
import type { CompanyEvent } from './company.events.js';
import type { CompanyState } from './company.state.js';

/** Ten years: the limit of a sandbox's clock ahead of the world's clock. */
export const FURTHEST_AHEAD_SECONDS = 10 * 365 * 24 * 60 * 60;

/** Each webhook costs connections and a copy of every message. */
export const MOST_WEBHOOKS = 10;

type Decision<Type extends CompanyCommand['type']> = Decided<
  CompanyEvent,
  CompanyResults[Type],
  CompanyRefusal
>;

/**
 * Decides a command on a company. A command that changes nothing has no events.
 * @param now milliseconds
 */
export function decideCompany(
  state: CompanyState | undefined,
  command: CompanyCommand,
  now: number,
): Decision<CompanyCommand['type']> {
  if (command.type === 'RegisterCompany') return registerCompany(state, command, now);
  if (state === undefined) return { rejected: { code: 'company_not_found' } };
  // The table pairs each type with its own command, which the compiler cannot see through the union.
  return DECISIONS[command.type](state, command as never);
}

function registerCompany(
  state: CompanyState | undefined,
  { company_id, name, sandbox }: Fields['RegisterCompany'],
  now: number,
): Decision<'RegisterCompany'> {
  if (state !== undefined) {
    return { events: [], result: registrationOf(state) };
  }
  const data = { company_id, name, created_at: now };
  return sandbox
    ? { events: [{ type: 'SandboxCompanyRegistered', data }], result: { ...data, ahead_seconds: 0 } }
    : { events: [{ type: 'CompanyRegistered', data }], result: data };
}

function registrationOf({ company_id, name, created_at, ahead_seconds }: CompanyState) {
  return { company_id, name, created_at, ...(ahead_seconds === undefined ? {} : { ahead_seconds }) };
}

/** Decides each command on an existing company. */
const DECISIONS: {
  readonly [Type in Exclude<keyof Fields, 'RegisterCompany'>]: (
    state: CompanyState,
    command: Fields[Type],
  ) => Decision<Type>;
} = {
  AdvanceSandboxClock(state, { advance_seconds }) {
    if (state.ahead_seconds === undefined) return { rejected: { code: 'not_a_sandbox' } };
    const ahead_seconds = state.ahead_seconds + advance_seconds;
    if (ahead_seconds > FURTHEST_AHEAD_SECONDS) return { rejected: { code: 'sandbox_clock_too_far' } };
    return {
      events: [{ type: 'SandboxClockAdvanced', data: { advance_seconds, ahead_seconds } }],
      result: { ...registrationOf(state), ahead_seconds },
    };
  },
  IssueApiToken({ api_tokens }, { token_id, name, scope, expires_at, credential_sha256 }) {
    const known = api_tokens.find((one) => one.token_id === token_id);
    if (known !== undefined) return { events: [], result: known };
    const data = { token_id, name, scope, expires_at, credential_sha256 };
    return { events: [{ type: 'ApiTokenIssued', data }], result: { token_id, name, revoked: false } };
  },
  RevokeApiToken({ api_tokens }, { token_id }) {
    const known = api_tokens.find((one) => one.token_id === token_id);
    if (known === undefined) return { rejected: { code: 'api_token_not_found' } };
    if (known.revoked) return { events: [], result: known };
    return {
      events: [{ type: 'ApiTokenRevoked', data: { token_id } }],
      result: { ...known, revoked: true },
    };
  },
  /**
   * Each code belongs to one location of the company. If another location has the code, that location is answered. It is not
   * a refusal, because only the location's own stream shows whether the location was opened.
   */
  AddLocation({ locations }, { location_id, pms_location_code }) {
    const holder = locations.find((one) => one.pms_location_code === pms_location_code);
    if (holder !== undefined) return { events: [], result: { location_id: holder.location_id } };
    const data = { location_id, pms_location_code };
    return { events: [{ type: 'LocationAdded', data }], result: { location_id } };
  },
  AddWebhook({ webhook_ids = [] }, { webhook_id }) {
    if (webhook_ids.includes(webhook_id)) return { events: [], result: { webhook_id } };
    if (webhook_ids.length >= MOST_WEBHOOKS) return { rejected: { code: 'too_many_webhooks' } };
    return { events: [{ type: 'WebhookAdded', data: { webhook_id } }], result: { webhook_id } };
  },
  ChangeWebhook({ webhook_ids = [] }, { webhook_id, fields }) {
    if (!webhook_ids.includes(webhook_id)) return { rejected: { code: 'webhook_not_found' } };
    if (fields.length === 0) return { events: [], result: { webhook_id } };
    return { events: [{ type: 'WebhookChanged', data: { webhook_id, fields } }], result: { webhook_id } };
  },
  RotateWebhookSecret({ webhook_ids = [] }, { webhook_id }) {
    if (!webhook_ids.includes(webhook_id)) return { rejected: { code: 'webhook_not_found' } };
    return { events: [{ type: 'WebhookSecretRotated', data: { webhook_id } }], result: { webhook_id } };
  },
  RemoveWebhook({ webhook_ids = [] }, { webhook_id }) {
    if (!webhook_ids.includes(webhook_id)) return { rejected: { code: 'webhook_not_found' } };
    return { events: [{ type: 'WebhookRemoved', data: { webhook_id } }], result: { webhook_id } };
  },
};

/** The command as it was first executed, with the token's id of that time. */
export function asStored(command: CompanyCommand, stored: readonly CompanyEvent[]): CompanyCommand {
  const issued = stored.find((event) => event.type === 'ApiTokenIssued');
  if (issued === undefined || command.type !== 'IssueApiToken') return command;
  return { ...command, token_id: issued.data.token_id };
}
