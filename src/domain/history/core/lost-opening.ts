import type { LocationDetails } from '#domain/locations/core/location.state.js';
import type { DetailsEvent, Logged } from './unit-record.js';

const UNKNOWN = '';
/** Before every event of the log, so that the location is known to all that its units tell. */
const BEFORE_ALL = { instant: 0, position: -1n } as const;

/**
 * Stands for the events of a location whose stream somebody deleted: it was always as the view, which took the events in
 * before, still shows it. Nobody is shown who opened it.
 */
export function lostOpening(stream: string, shown: LocationDetails): Logged<DetailsEvent>[] {
  const { location_id, company_id, pms_location_code, name, policy, currency } = shown;
  const opened = { location_id, company_id, pms_location_code, name, policy };
  const common = lostEvent(stream, shown);
  return [
    { ...common, type: 'LocationOpened', data: opened },
    { ...common, type: 'LocationCurrencyChanged', data: { currency } },
  ];
}

function lostEvent(
  stream: string,
  { policy_revision: revision }: LocationDetails,
): Omit<Logged<DetailsEvent>, 'type' | 'data'> {
  return {
    id: UNKNOWN,
    stream,
    revision,
    metadata: {
      actor: { kind: 'system', id: 'unknown' },
      command_id: UNKNOWN,
      request_id: UNKNOWN,
      occurred_at: '1970-01-01T00:00:00.000Z',
      schema: 1,
      part: { n: 1, of: 1 },
      hash: UNKNOWN,
      previous_hash: UNKNOWN,
    },
    ...BEFORE_ALL,
  };
}
