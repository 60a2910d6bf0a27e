import { Service } from '../support/service.js';
import { largeCompany, setupRows } from './support/large-company.js';
import { Visitor } from './support/visitor.js';

/**
 * What pages of a company of 10,000 units cost in processor time of the whole process, the asking included:
 * `npm run bench:pages`. Of each page the median of some visits, after a few that warm it up. With a text only the pages
 * whose names contain it: `npm run bench:pages -- table`.
 */
const WARM_UP = 5;
const VISITS = 15;
/** A page that costs more is marked. */
const MOST_MS = 200;

interface Ids {
  readonly company: string;
  readonly location: string;
  readonly gate: string;
  readonly unit: string;
  readonly tenant: string;
  readonly pass: string;
  readonly zone: string;
  readonly lock: string;
  /** ISO 8601. */
  readonly at: string;
}

function pagesOf(ids: Ids): Readonly<Record<string, string>> {
  const { company, location, gate, unit, tenant, pass, zone, lock, at } = ids;
  return {
    Today: '/dashboard',
    'The companies': '/dashboard/companies',
    'The company': company,
    'The company’s units': `${company}/units`,
    'Those locked out as delinquent': `${company}/units?state=tenant_denied&reason=delinquent`,
    'The company’s units, by balance': `${company}/units?sort=-balance`,
    'The company’s units, by tenant': `${company}/units?sort=tenant`,
    'The company’s units, searched': `${company}/units?q=park+99`,
    'The company’s units, filtered': `${company}/units?state=tenant_denied`,
    'The company’s tenants': `${company}/tenants`,
    'The company’s tenants, searched': `${company}/tenants?q=park+99`,
    'The company’s gates': `${company}/gates`,
    'What changed': `${company}/changes`,
    'The staff log': `${company}/changes?actor=operator`,
    'The staff log of a day': `${company}/changes?actor=operator&from_day=${at.slice(0, 10)}`,
    'The staff log of a kind': `${company}/changes?actor=operator&type=PassIssued`,
    'The staff log of what nobody did': `${company}/changes?actor=operator&type=UnitRetired`,
    'Its API tokens': `${company}/api-tokens`,
    'Its pull sources': `${company}/pull-sources`,
    'The location': location,
    'Its locked out units': `${location}?state=tenant_denied`,
    'Its units behind a gate': `${location}?gate=${gate}`,
    'Its table, a unit beside it': `${location}/table?peek=${unit.split('/').at(-1)}`,
    'Its table, by balance': `${location}/table?sort=-balance`,
    'Its table, by tenant': `${location}/table?sort=tenant`,
    'Its table, searched': `${location}/table?q=park+99`,
    'Its policy': `${location}/policy`,
    'Its forecast': `${location}/forecast`,
    'Its hours': `${location}/hours`,
    'Its texts': `${location}/texts`,
    'Its set-up': `${location}/setup`,
    'Its equipment': `${location}/equipment`,
    'Its locks, by unit': `${location}/equipment?sort=unit`,
    'Its locks, with one in the panel': `${location}/equipment?peek=${lock}`,
    'Its locks, searched': `${location}/equipment?q=99`,
    'Its tenants': `${location}/tenants`,
    'Its tenants, one beside them': `${location}/tenants?peek=${tenant.split('/').at(-1)}`,
    'Its tenants, searched': `${location}/tenants?q=park+99`,
    'Its sharing': `${location}/sharing`,
    'Its contact': `${location}/contact`,
    'Its passes': `${location}/passes`,
    'Its ended passes': `${location}/passes?standing=ended`,
    'A pass': pass,
    'A zone of 500 units': zone,
    'A lock': lock,
    'A gate with 2,000 taps': `/dashboard/entry-points/${gate}`,
    'Its set-up, 20 zones': `/dashboard/entry-points/${gate}/setup`,
    'Its own hours': `/dashboard/entry-points/${gate}/hours`,
    'Its log': `/dashboard/entry-points/${gate}/log`,
    'Its people': `/dashboard/entry-points/${gate}/people`,
    'Its past': `/dashboard/entry-points/${gate}/as-of?at=${at}`,
    'Find “U-99”': '/dashboard/find?q=U-99',
    'Find “Park 99”': '/dashboard/find?q=Park+99',
    'As “Park 99” is typed': '/dashboard/find/hits?q=Park+99',
    'A unit that changed 300 times': unit,
    'The unit an hour ago': `${unit}?at=${at}`,
    'Its history': `${unit}/history`,
    'Its activity': `${unit}/activity`,
    'Its report': `${unit}/report`,
    'Its set-up, 10,000 locks': `${unit}/setup`,
    'Its shares': `${unit}/share`,
    'Its shares, searched': `${unit}/share?q=park+99`,
    'Its shares, as one types': `${unit}/share/hits?q=park+99`,
    'Its next tenant, searched': `${unit}/move-in?q=park+99`,
    'A tenant': tenant,
    'The audit': '/dashboard/audit',
    'The operators': '/dashboard/operators',
    'The rebuild of views': '/dashboard/rebuild',
    'An account': '/dashboard/account',
  };
}

async function main(wanted = ''): Promise<void> {
  const service = await Service.start();
  const { company, gate, tenant, pass, zone, lock } = await largeCompany(service);
  const { unit_id } = await company.unit('U-0');
  const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
  const pages = pagesOf({
    ...{ company: `/dashboard/companies/${company.id}`, location, gate },
    unit: `/dashboard/units/${unit_id}`,
    at: new Date(service.clock.now() - 3_600_000).toISOString(),
    tenant: `/dashboard/tenants/${tenant}`,
    pass: `/dashboard/passes/${pass}`,
    zone: `/dashboard/zones/${zone}`,
    lock: `/dashboard/locks/${lock}`,
  });
  const visitor = await Visitor.signedIn(service);
  const visits = Object.entries(pages).map(([name, path]) => [name, () => visitor.visit(path)] as const);
  await visitor.visit(`${location}/policy`);
  const stricter = { ...visitor.form('policy').values, grace_period_days: '1' };
  const lines = setupRows(0).map(({ unit, zone, lock, serial }) => `${unit},${zone},New ${lock},N${serial}`);
  const csv = ['unit,zone,lock,serial', ...lines].join('\n');
  const forms = [
    ['A new policy, previewed', () => visitor.post(`${location}/policy`, stricter)],
    ['A policy tried on 90 days', () => visitor.post(`${location}/policy/try`, stricter)],
    ['A set-up of 500 rows, previewed', () => visitor.post(`${location}/setup`, { csv })],
  ] as const;
  for (const [name, visit] of [...visits, ...forms]) {
    if (!name.includes(wanted)) continue;
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
    const mark = median > MOST_MS ? `  over ${MOST_MS}` : '';
    process.stdout.write(`${name.padEnd(44)} ${median.toFixed(0).padStart(5)} ms${mark}\n`);
  }
  await service.close();
}

void main(process.argv[2]);
