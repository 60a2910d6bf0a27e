import { accept, type LocationDecision, refuse } from './decide/decision.js';
import { setUpUnits } from './decide/setup.js';
import { THINGS } from './decide/things.js';
import type { LocationCommand, LocationResults, OpenLocation } from './location.commands.js';
import type { LocationState } from './location.state.js';

/**
 * Decides a command on a location's newest state. Pure, never throws a refusal; a command that changes nothing has no
 * events.
 * @param now milliseconds; the instant at which locks and zones change.
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
  return THINGS[command.type](state, command as never, now);
}

/** The company has given the code to this location; where it is open already, whoever asks again asks for a taken code. */
function openLocation(
  state: LocationState | undefined,
  { type: _, ...data }: OpenLocation,
): LocationDecision<LocationResults['OpenLocation']> {
  if (state !== undefined) return refuse('pms_location_code_taken');
  return accept(data, { type: 'LocationOpened', data });
}
