import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

/**
 * What pages of a company of 10,000 units cost in processor time of the whole process, the asking included:
 * `npm run bench:pages`. Of each page the median of some visits, after a few that warm it up.
 */
const UNITS = 10_000;
const BULK = 500;
const WARM_UP = 5;
const VISITS = 15;

/** One in twenty is past due, one in twenty will be within days. */
function unitOf(place: number) {
  const due = place % 20 < 2 ? { balance_due: 120 } : {};
  return {
    crm_unit_id: `U-${place}`,
    occupied: true,
    move_in_date: '2025-10-01',
    paid_through_date: place % 20 === 0 ? '2025-11-01' : '2025-12-29',
    tenant: { pms_tenant_id: `T-${place}`, first_name: 'Ada', last_name: `Park ${place}` },
    ...due,
  };
}

async function main(): Promise<void> {
  const service = await Service.start();
  const company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  for (let from = 0; from < UNITS; from += BULK) {
    const units = Array.from({ length: BULK }, (_, place) => unitOf(from + place));
    demand(200, await company.sync(units));
    service.manualClock.advance(60_000);
  }
  const { unit_id } = await company.unit('U-0');
  const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
  const ofCompany = `/dashboard/companies/${company.id}`;
  const pages = {
    Today: '/dashboard',
    'The company’s units': `${ofCompany}/units`,
    'Those locked out as delinquent': `${ofCompany}/units?state=tenant_denied&reason=delinquent`,
    'What changed': `${ofCompany}/changes`,
    'The location': location,
    'Its table, by balance': `${location}/table?sort=-balance`,
    'Its table, by tenant': `${location}/table?sort=tenant`,
    'Its table, searched': `${location}/table?q=park+99`,
    'Its forecast': `${location}/forecast`,
    'Find “U-99”': '/dashboard/find?q=U-99',
    'A unit': `/dashboard/units/${unit_id}`,
  };
  const visitor = await Visitor.signedIn(service);
  await visitor.visit(`${location}/policy`);
  const stricter = { ...visitor.form('policy').values, grace_period_days: '1' };
  const visits = Object.entries(pages).map(([name, path]) => [name, () => visitor.visit(path)] as const);
  const tryOut = () => visitor.post(`${location}/policy/try`, stricter);
  for (const [name, visit] of [...visits, ['A policy tried on 90 days', tryOut] as const]) {
    const costs: number[] = [];
    for (let count = 0; count < WARM_UP + VISITS; count += 1) {
      // Each caller may read so often a minute.
      service.manualClock.advance(1_000);
      const before = process.cpuUsage();
      const { status } = await visit();
      const { user, system } = process.cpuUsage(before);
      if (status !== 200) throw new Error(`${name} answered ${status}.`);
      if (count >= WARM_UP) costs.push((user + system) / 1_000);
    }
    const median = costs.sort((one, other) => one - other)[Math.floor(VISITS / 2)]!;
    process.stdout.write(`${name.padEnd(34)} ${median.toFixed(0).padStart(5)} ms\n`);
  }
  await service.close();
}

void main();
