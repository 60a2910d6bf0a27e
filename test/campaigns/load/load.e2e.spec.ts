import { holdLoad } from './held-load.js';
import { SOURCES } from './service-process.js';

/** The long form, with figures: `npm run test:load -- --minutes 10 --share 0.8`. */
describe('load held for ten seconds', () => {
  it('meets no error, lets slow clients hold up nobody, and ends in good order with nothing lost', async () => {
    const plan = { program: SOURCES, ceilingSeconds: 2, seconds: 8, share: 0.6, lanes: 16, slow: 10 };
    const { held, stop, lost, remembered, logged } = await holdLoad(plan);
    expect({ errors: held.errors, turnedAway: held.turnedAway, lost, logged }).toEqual({
      errors: [],
      turnedAway: 0,
      lost: [],
      logged: [],
    });
    expect({ code: stop.code, errors: stop.errors, turnedAway: stop.turnedAway }).toEqual({
      code: 0,
      errors: [],
      turnedAway: plan.lanes,
    });
    expect(stop.milliseconds).toBeLessThan(10_000);
    expect(held.requests).toBeGreaterThan(100);
    expect(remembered).toBeGreaterThan(plan.lanes * 5);
  });
});
