import { demand, flow } from './operation.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** POST /companies/{id}/clock, whatever the company is. Under a key: an advance that came twice would go twice as far. */
export const advanceClock = flow<{
  readonly company: number;
  readonly advance_seconds: number;
  readonly key: string;
}>({
  name: 'advance_clock',
  weight: 3,
  beside: false,
  plan(world, random) {
    const { company } = random.pick(world.places());
    const place = random.pick(world.companies[company]!.places);
    const { seconds } = random.weighted([
      { weight: 4, seconds: random.between(1, 90 * MINUTE) },
      { weight: 3, seconds: random.between(1, 40) * HOUR },
      { weight: 4, seconds: Math.ceil(world.untilMidnight(place) / 1_000) + random.pick([-1, 0, 1]) },
      { weight: 3, seconds: random.between(1, 31) * DAY },
    ]);
    return { company, advance_seconds: Math.max(1, seconds), key: `clock-${random.bits()}` };
  },
  async play({ company, advance_seconds, key }, world, client) {
    const known = world.companies[company]!;
    const begin = world.nowOf(company) + advance_seconds * 1_000;
    const { status, text, body } = await client.definite({
      method: 'POST',
      path: `/api/operator/companies/${known.company_id}/clock`,
      token: world.operatorToken,
      headers: { 'idempotency-key': key },
      body: { advance_seconds },
    });
    const expected = known.ahead === null ? 409 : 200;
    demand(
      status === expected,
      () => `A clock was set forward with ${status} ${text} instead of ${expected}`,
    );
    if (known.ahead === null) return;
    known.ahead += advance_seconds * 1_000;
    const { now, ahead_seconds } = body.data.clock;
    demand(ahead_seconds * 1_000 === known.ahead, () => `The clock is not ${known.ahead} ms ahead: ${text}`);
    const shows = Date.parse(now as string);
    demand(shows >= begin && shows <= world.nowOf(company), () => `The clock shows another time: ${text}`);
  },
});
