import { type Company, demand, Service } from '../../support/service.js';

const UNITS = 20;

let service: Service;
let company: Company;
/** Streams that were read. */
let read: string[] = [];

beforeAll(async () => {
  service = await Service.start({
    wrap: (stores) => {
      const { eventStore } = stores;
      const readStream = eventStore.readStream.bind(eventStore);
      eventStore.readStream = (stream, options) => {
        read.push(stream);
        return readStream(stream, options);
      };
      return stores;
    },
  });
  company = await service.company();
});
afterAll(() => service.close());

test('A gate as it was reads the events of its location as often for one unit as for twenty', async () => {
  const location_id = company.locations.get('MAIN')!;
  const location = `/locations/${location_id}`;
  const { zone_id } = demand(201, await service.operator('post', `${location}/zones`, { name: 'A' }));
  const gate = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = demand(201, await service.operator('post', `${location}/entry-points`, gate));
  const letUnit = async (number: number) => {
    const { unit_id } = demand(201, await company.moveIn(`A-${number}`));
    demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  };
  const readsOf = async (people: number) => {
    service.manualClock.advance(60_000);
    const at = encodeURIComponent(new Date(service.manualClock.now()).toISOString());
    const counts: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      read = [];
      const shown = demand(
        200,
        await service.operator('get', `/entry-points/${entry_point_id}/as-of?at=${at}`),
      );
      expect(shown.people).toHaveLength(people);
      counts.push(read.filter((stream) => stream.includes(location_id)).length);
    }
    // What runs in the background reads the location, too.
    return Math.min(...counts);
  };
  await letUnit(0);
  const ofOne = await readsOf(1);
  for (let number = 1; number < UNITS; number += 1) await letUnit(number);
  expect(await readsOf(UNITS)).toBe(ofOne);
});
