import { visitsOf } from '#domain/history/core/visits.js';

const MINUTE = 60_000;
const tap = (tenant_id: string, minute: number, place: string, kind = 'opened') => ({
  ...{ tenant_id, place, kind },
  at: minute * MINUTE,
});
const placesOf = (taps: readonly ReturnType<typeof tap>[]) =>
  visitsOf(taps, ({ kind }) => kind).map((visit) => visit.map(({ place }) => place));

describe('visits', () => {
  it('join gate, lobby and door of one tenant, also while another comes', () => {
    const taps = [
      tap('ada', 3, 'door'),
      tap('bob', 2, 'gate'),
      tap('ada', 1, 'lobby'),
      tap('ada', 0, 'gate'),
    ];
    expect(placesOf(taps)).toEqual([['door', 'lobby', 'gate'], ['gate']]);
  });

  it('go on as long as taps follow each other within 15 minutes', () => {
    expect(placesOf([tap('ada', 30, 'c'), tap('ada', 15, 'b'), tap('ada', 0, 'a')])).toEqual([
      ['c', 'b', 'a'],
    ]);
  });

  it('end where nobody tapped for longer', () => {
    expect(placesOf([tap('ada', 16, 'b'), tap('ada', 0, 'a')])).toEqual([['b'], ['a']]);
  });

  it('are others for what was denied than for what opened', () => {
    expect(placesOf([tap('ada', 1, 'lobby', 'denied'), tap('ada', 0, 'gate')])).toEqual([
      ['lobby'],
      ['gate'],
    ]);
  });

  it('are none without a tap', () => {
    expect(placesOf([])).toEqual([]);
  });
});
