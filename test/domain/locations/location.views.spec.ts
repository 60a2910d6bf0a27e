import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { viewWrites } from '#domain/locations/location.views.js';
import { foldLocation, gate, lock, opened, zone } from './location-samples.js';

/** The events' state, which counts how often its zones are listed. */
function stateAfter(events: readonly LocationEvent[]) {
  const state = foldLocation(events)!;
  let listed = 0;
  const zones = new Proxy(state.zones, {
    get(map, name) {
      if (name === 'values') listed += 1;
      return Reflect.get(map, name).bind(map) as unknown;
    },
  });
  return { state: { ...state, zones }, listed: () => listed };
}

it('a document is made once, however many events of a batch change it', () => {
  const zones = Array.from({ length: 500 }, (_, index) => zone(`zone ${index}`));
  const events = [opened, ...zones, gate('gate'), lock('lock'), lock('other')];
  const { state, listed } = stateAfter(events);
  const documents = viewWrites(events, state).map((write) => 'document' in write && write.document._id);
  expect(documents).toEqual(['main', 'lock', 'other']);
  expect(listed()).toBe(1);
});
