import { addEntryPoint, addZone, changeEntryPoint, unzoneUnit, zoneUnit } from './decide/entry.js';
import { addLocation, changeLocation } from './decide/locations.js';
import { addLock, attachLock, detachLock } from './decide/locks.js';
import { issueApiToken, registerCompany, revokeApiToken } from './decide/company.js';
import type { SiteDecision } from './decide/decision.js';
import type { SiteCommand, SiteResults } from './site.commands.js';
import type { SiteState } from './site.state.js';

type CommandOf<Type extends SiteCommand['type']> = Extract<SiteCommand, { type: Type }>;

/** The decision of each command of a company that exists; a type that is missing here does not compile. */
const DECISIONS: {
  readonly [Type in Exclude<SiteCommand['type'], 'RegisterCompany'>]: (
    state: SiteState,
    command: CommandOf<Type>,
  ) => SiteDecision<SiteResults[Type]>;
} = {
  IssueApiToken: issueApiToken,
  RevokeApiToken: revokeApiToken,
  AddLocation: addLocation,
  ChangeLocation: changeLocation,
  AddZone: addZone,
  ZoneUnit: zoneUnit,
  UnzoneUnit: unzoneUnit,
  AddEntryPoint: addEntryPoint,
  ChangeEntryPoint: changeEntryPoint,
  AddLock: addLock,
  AttachLock: attachLock,
  DetachLock: detachLock,
};

/**
 * Decides a command on a company's newest fold. Pure, never throws a refusal; a command that changes nothing has no
 * events.
 * @param now milliseconds since the epoch.
 */
export function decideSite<Command extends SiteCommand>(
  state: SiteState | undefined,
  command: Command,
  now: number,
): SiteDecision<SiteResults[Command['type']]>;
export function decideSite(
  state: SiteState | undefined,
  command: SiteCommand,
  now: number,
): SiteDecision<SiteResults[SiteCommand['type']]> {
  if (command.type === 'RegisterCompany') return registerCompany(state, command, now);
  if (state === undefined) return { rejected: { code: 'company_not_found' } };
  // The table pairs each type with its own command, which the compiler cannot see through the union.
  const decide = DECISIONS[command.type] as (
    state: SiteState,
    command: SiteCommand,
  ) => SiteDecision<SiteResults[SiteCommand['type']]>;
  return decide(state, command);
}
