import { accept, type LocationDecision, refuse } from './decide/decision.js';
import { setUpUnits } from './decide/setup.js';
import { DECIDERS } from './decide/deciders.js';
import type { LocationCommand, LocationResults, OpenLocation } from './location.commands.js';
import { type LocationState, UNSET_DETAILS } from './location.state.js';

/**
 * Decides a command on a location. A command that changes nothing has no events.
 * @param now milliseconds
 */
export function decideLocation(
  state: LocationState | undefined,
  command: LocationCommand,
  now: number,
): LocationDecision<LocationResults[LocationCommand['type']], LocationState> {
  if (command.type === 'OpenLocation') return openLocation(state, command);
  if (state === undefined) return refuse('location_not_found');
  if (command.type === 'SetUpUnits') return setUpUnits(state, command, now);
  // The table pairs each type with its own command, which the compiler cannot see through the union.
  return DECIDERS[command.type](state, command as never, now);
}

/** A repeat of a command whose events are stored. A cap that is newer than the events does not apply (decisions §4). */
export function asStored(command: LocationCommand): LocationCommand {
  switch (command.type) {
    case 'AddZone':
    case 'AddEntryPoint':
    case 'SetUpUnits':
      return { ...command, at_cap: 'accept' };
    default:
      return command;
  }
}

function openLocation(
  state: LocationState | undefined,
  { type: _, ...data }: OpenLocation,
): LocationDecision<LocationResults['OpenLocation']> {
  if (state !== undefined) return refuse('pms_location_code_taken');
  return accept({ ...data, ...UNSET_DETAILS }, { type: 'LocationOpened', data });
}
