import type { Decided } from '../../writing/aggregate.js';
import type {
  CompanyCommand,
  CompanyCommandFields as Fields,
  CompanyRefusal,
  CompanyResults,
} from './company.commands.js';
import type { CompanyEvent } from './company.events.js';
import type { CompanyState } from './company.state.js';

/** How far ahead of the world's clock a sandbox's may be: ten years. The calendar of locations ends somewhere. */
export const FURTHEST_AHEAD_SECONDS = 10 * 365 * 24 * 60 * 60;

type Decision<Type extends CompanyCommand['type']> = Decided<
  CompanyEvent,
  CompanyResults[Type],
  CompanyRefusal
>;

/**
 * Decides a command on a company's newest state. Pure, never throws a refusal; a command that changes nothing has no
 * events.
 * @param now milliseconds since the epoch.
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

/** The decision of each command on a company that exists. */
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
  /** The token's value is no business of the log: it knows that a token was issued, and under what name. */
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
   * A code is what integrators call a location by, so one location of the company has it. Who has it already is answered
   * and not refused: only the location's own stream knows whether whoever added it came to open it.
   */
  AddLocation({ locations }, { location_id, pms_location_code }) {
    const holder = locations.find((one) => one.pms_location_code === pms_location_code);
    if (holder !== undefined) return { events: [], result: { location_id: holder.location_id } };
    const data = { location_id, pms_location_code };
    return { events: [{ type: 'LocationAdded', data }], result: { location_id } };
  },
};

/** The command as it was first executed: a token has the id that it was made with. */
export function asStored(command: CompanyCommand, stored: readonly CompanyEvent[]): CompanyCommand {
  const issued = stored.find((event) => event.type === 'ApiTokenIssued');
  if (issued === undefined || command.type !== 'IssueApiToken') return command;
  return { ...command, token_id: issued.data.token_id };
}
