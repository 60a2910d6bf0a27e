import { addEntryPoint, addZone, changeEntryPoint, unzoneUnit, zoneUnit } from './decide/entry.js';
import { changeLocation, openLocation } from './decide/details.js';
import { addLock, attachLock, detachLock } from './decide/locks.js';
import { setUpUnits } from './decide/setup.js';
import { provisionEntryPoint, provisionLock } from './decide/provisioning.js';
import type { LocationDecision } from './decide/decision.js';
import type { LocationCommand, LocationResults } from './location.commands.js';
import type { LocationState } from './location.state.js';

type CommandOf<Type extends LocationCommand['type']> = Extract<LocationCommand, { type: Type }>;

/** The decision of each command on a location that exists; a type that is missing here does not compile. */
const DECISIONS: {
  readonly [Type in Exclude<LocationCommand['type'], 'OpenLocation'>]: (
    state: LocationState,
    command: CommandOf<Type>,
    now: number,
  ) => LocationDecision<LocationResults[Type], LocationState>;
} = {
  ChangeLocation: changeLocation,
  AddZone: addZone,
  ZoneUnit: zoneUnit,
  UnzoneUnit: unzoneUnit,
  AddEntryPoint: addEntryPoint,
  ChangeEntryPoint: changeEntryPoint,
  AddLock: addLock,
  AttachLock: attachLock,
  DetachLock: detachLock,
  SetUpUnits: setUpUnits,
  ProvisionLock: provisionLock,
  ProvisionEntryPoint: provisionEntryPoint,
};

/**
 * Decides a command on a location's newest fold. Pure, never throws a refusal; a command that changes nothing has no
 * events.
 * @param now milliseconds; what locks are put on and taken off at, and zones change at.
 */
export function decideLocation<Command extends LocationCommand>(
  state: LocationState | undefined,
  command: Command,
  now: number,
): LocationDecision<LocationResults[Command['type']], LocationState>;
export function decideLocation(
  state: LocationState | undefined,
  command: LocationCommand,
  now: number,
): LocationDecision<LocationResults[LocationCommand['type']], LocationState> {
  if (command.type === 'OpenLocation') return openLocation(state, command);
  if (state === undefined) return { rejected: { code: 'location_not_found' } };
  // The table pairs each type with its own command, which the compiler cannot see through the union.
  const decide = DECISIONS[command.type] as (
    state: LocationState,
    command: LocationCommand,
    now: number,
  ) => LocationDecision<LocationResults[LocationCommand['type']], LocationState>;
  return decide(state, command, now);
}
