import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import type { LocationCommand, LocationRefusal, LocationResults } from './core/location.commands.js';
import { asStored, decideLocation } from './core/location.decide.js';
import { LOCATION_CATEGORY, LOCATION_EVENT_TYPES, type LocationEvent } from './core/location.events.js';
import { evolveLocation, evolveLocationList, type LocationState } from './core/location.state.js';

type LocationResult = LocationResults[LocationCommand['type']];

type LocationKind = Kind<LocationState, LocationEvent, LocationCommand, LocationResult, LocationRefusal>;

/** Streams `location-{location_id}`. */
export const LOCATION: Aggregate<LocationKind> = {
  category: LOCATION_CATEGORY,
  types: LOCATION_EVENT_TYPES,
  evolve: evolveLocation,
  evolveList: evolveLocationList,
  decide: decideLocation,
  asStored,
};
