import { addDays, localTime } from '../calendar.js';
import { expectEqual, present } from '../expect.js';
import { type Facility, type Stage, type Tenant, TIMEZONE } from '../stage.js';
import { readAccess } from '../tenant-app.js';

const LOCATION = '/api/operator/locations/{location_id}';
const ROUND_THE_CLOCK = '/api/operator/units/{unit_id}/round-the-clock';
const OFFICE = { open: '06:00', close: '22:00' };
const WEEK = { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: OFFICE, sat: OFFICE, sun: OFFICE };

/** The gate gets hours: the app tells when it opens, and a unit round the clock passes anyway. */
export async function keepHours(stage: Stage, facility: Facility, tenant: Tenant): Promise<void> {
  const { narrator, today } = stage;
  const { operator, location_id } = facility;
  await narrator.chapter('The gate keeps hours');
  await narrator.says('Open from 6:00 to 22:00. Today the driveway is paved, so the gate is closed.');
  const paving = [today, addDays(today, 1)].map((date) => ({
    date,
    name: 'Paving',
    hours: 'closed' as const,
  }));
  const paved = { week: WEEK, exceptions: paving, exit_grace_minutes: 0 };
  const path = { location_id };
  await stage.ask(operator, ['PATCH', LOCATION], { path, body: { access_hours: paved } });
  const closed = (await readAccess(stage, tenant)).entry_points[0]!;
  expectEqual('the reason of the gate', closed.reason, 'outside_hours');
  const opens_at = present('the opening of the gate', closed.opens_at);
  narrator.shows(`The app says: the gate opens at ${localTime(TIMEZONE, opens_at)} local`);

  await narrator.says('Ada keeps the flowers of a market in B-114: that unit is round the clock.');
  const { unit_id } = tenant.units.large;
  await stage.ask(operator, ['PUT', ROUND_THE_CLOCK], { path: { unit_id } });
  const open = (await readAccess(stage, tenant)).entry_points[0]!;
  expectEqual('the gate', open.state, 'permitted');

  await narrator.says('The market is over: the hours hold for her, too.');
  await stage.ask(operator, ['DELETE', ROUND_THE_CLOCK], { path: { unit_id } });
  await stage.ask(operator, ['PATCH', LOCATION], { path, body: { access_hours: { week: WEEK } } });
}
