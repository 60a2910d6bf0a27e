import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({
    pms_location_code: 'MAIN',
    timezone: 'America/Chicago',
  });
  const owing = { balance_due: 940.5, paid_through_date: '2025-10-31' };
  const rented = { occupied: true, move_in_date: '2025-06-01' };
  demand(
    200,
    await company.sync([
      { ...rented, ...owing, crm_unit_id: 'A-1', pms_tenant_id: 'T-1', pms_auction: true },
      { ...rented, ...owing, crm_unit_id: 'B-1', pms_tenant_id: 'T-2' },
      { ...rented, crm_unit_id: 'B-2', pms_tenant_id: 'T-2' },
    ]),
  );
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

const pageOf = async (name: string) => `/dashboard/units/${(await company.unit(name)).unit_id}`;

describe('an override of a unit in auction', () => {
  const NOTHING = 'What staff set changes nothing while the unit is in auction.';

  it('is said to change nothing before it is saved and after it', async () => {
    await admin.visit(await pageOf('A-1'));
    expect(admin.text).toMatch(/ A-1 Auction T-1 .* Location MAIN Units /);
    expect(admin.text).toContain(`Lock out A-1 ${NOTHING}`);
    await admin.submit('let-in', { reason: 'Will pay' });
    expect(admin.text).toContain(`Saved. A-1 is in auction. ${NOTHING}`);
    expect(admin.text).toMatch(new RegExp(`Ends Jan 1, 2026, 6:00 PM CST ${NOTHING}`));
  });

  it('does not hide what is to be paid', async () => {
    await admin.visit(await pageOf('A-1'));
    const BY = 'by Jan 1, 2026, 6:00 PM CST';
    expect(admin.text).toContain(`To pay ${BY} $940.50`);
    expect(admin.text).toMatch(new RegExp(`The PMS ends the auction ?Pay \\$940\\.50 ${BY}, or it locks`));
    await admin.submit('clear');
    expect(admin.text).toContain('To pay $940.50');
    expect(admin.text).not.toContain('or it locks');
    expect(admin.text).not.toContain(`A-1 is in auction. ${NOTHING}`);
  });
});

it('its history says in a sentence what staff did, and who', async () => {
  const path = await pageOf('B-2');
  await admin.visit(path);
  await admin.submit('lock-out', { reason: 'Broken latch', expires_at: '' });
  await admin.submit('clear');
  await admin.visit(`${path}/history`);
  expect(admin.text).toMatch(/Locked out by ada@example\.com, .*/);
  expect(admin.text).toMatch(/Override removed by ada@example\.com, .*/);
  expect(admin.text).not.toContain('by operator');
});

it('its history leaves out fields that keep their value', async () => {
  const path = await pageOf('A-1');
  await admin.visit(path);
  await admin.submit('lock-out', { reason: 'Broken latch', expires_at: '' });
  await admin.submit('clear');
  await admin.visit(`${path}/history`);
  expect(admin.text).toContain('→ Broken latch');
  expect(admin.text).not.toContain('none → none');
  await admin.visit(`${path}/report`);
  expect(admin.text).not.toContain('none → none');
});

it('the dialog of an override begins at the reason, and typing changes no choice', async () => {
  await admin.visit(await pageOf('A-1'));
  expect(admin.html).toMatch(/<input [^>]*id="let-in-reason"[^>]* autofocus/);
  expect(admin.html).toMatch(
    /<input type="radio" name="until" value="other" checked|<input type="radio" name="until" value="tomorrow" checked/,
  );
  expect(admin.html).not.toContain('<select id="let-in-until"');
});

it('somebody is let in for an hour, or until a day at six, with one choice', async () => {
  const rented = { crm_unit_id: 'P-1', occupied: true, move_in_date: '2025-06-01', pms_tenant_id: 'T-P' };
  demand(200, await company.sync([{ ...rented, balance_due: 5, paid_through_date: '2025-10-31' }]));
  const path = await pageOf('P-1');
  for (const [until, end] of [
    ['hour', 'Dec 31, 2025, 7:00 PM CST'],
    ['tomorrow', 'Jan 1, 2026, 6:00 PM CST'],
  ] as const) {
    await admin.visit(path);
    await admin.submit('let-in', { until, reason: 'Fetches one thing' });
    expect(admin.text).toContain(`Open: let in by staff (“Fetches one thing”), until ${end}`);
  }
  expect(admin.text).toMatch(/P-1 stays open until/);
});

describe('a refused override', () => {
  it('comes back in its open dialog, which leads to the field and away', async () => {
    const path = await pageOf('A-1');
    await admin.visit(path);
    await admin.submit('let-in', { reason: 'Late', until: 'other', expires_at: '2020-01-01T18:00' });
    expect(admin.shown.status).toBe(422);
    const [dialog] = /<div class="dialog open".*?<\/form>.*?<\/div>/s.exec(admin.html) ?? [''];
    expect(dialog).toMatch(/<div class="refusal"[^>]* autofocus><p><a href="#let-in-expires_at">/);
    expect(dialog).toMatch(/<a class="cancel" href="\?"/);
    expect(admin.form('let-in').values).toMatchObject({ reason: 'Late' });
  });

  it.each(['override', 'override/clear', 'shares/X/end'])(
    'leads from the address %s to the unit',
    async (end) => {
      const path = await pageOf('A-1');
      await admin.visit(`${path}/${end}`);
      expect([admin.shown.status, admin.shown.path]).toEqual([200, path]);
    },
  );
});

describe('an override of a unit that owes', () => {
  it('tells how many others it opens', async () => {
    const rented = { occupied: true, move_in_date: '2025-06-01', pms_tenant_id: 'T-9' };
    const owing = { crm_unit_id: 'C-0', balance_due: 5, paid_through_date: '2025-10-31' };
    const others = Array.from({ length: 22 }, (_, place) => ({ ...rented, crm_unit_id: `C-${place + 1}` }));
    demand(200, await company.sync([{ ...rented, ...owing }, ...others]));
    await admin.visit(await pageOf('C-0'));
    // No comma begins a line: a name and its comma are held together.
    expect(admin.html.match(/<span class="held"><a [^>]*>C-\d+<\/a>,<\/span>/g)).toHaveLength(19);
    expect(admin.text).toMatch(/, C-\d+ and 2 more\. To let in here opens these 22, too\./);
  });

  it('names the other units of the tenant that it opens, before and after, and they say why', async () => {
    await admin.visit(await pageOf('B-1'));
    expect(admin.text).toContain('The debt also locks B-2 . To let in here opens that, too.');
    await admin.submit('let-in', { reason: 'Pays on Friday' });
    expect(admin.text).toContain('Saved. B-1 is open: let in by staff. Also open: B-2.');
    expect(admin.text).toContain('It also opens B-2 , which this unit’s debt locks otherwise.');
    await admin.visit(await pageOf('B-2'));
    expect(admin.text).toContain(
      'Open as staff let the tenant in at B-1 until Jan 1, 2026, 6:00 PM CST . The debt there locks this unit otherwise.',
    );
    expect(admin.text).not.toContain('also opens');
  });

  it('names those that its end locks', async () => {
    await admin.visit(await pageOf('B-1'));
    await admin.submit('clear');
    expect(admin.text).toContain('B-1 is locked out: past due. Also locked: B-2.');
    await admin.visit(await pageOf('B-2'));
    expect(admin.text).not.toContain('Open as staff');
  });
  it('and its other units name each debt that locks again, with the last day to pay', async () => {
    // Grace of B-2 ends on the 31st of December 2025, which is today.
    await company.patch('B-2', { balance_due: 342.75, paid_through_date: '2025-12-26' });
    await admin.visit(await pageOf('B-2'));
    expect(admin.text).toContain('To pay $940.50 Also by Dec 31, 2025 $342.75');
    expect(admin.text).toMatch(/Pay \$940\.50 on B-1 ?Also pay \$342\.75 by Dec 31, 2025, or it locks again/);
    expect(admin.text).toMatch(/when \$940\.50 on B-1 is paid\. Please also pay \$342\.75 by Dec 31, 2025/);
    await admin.visit(await pageOf('B-1'));
    expect(admin.text).toContain('Also pay $342.75 on B-2 by Dec 31, 2025, or it locks again');
    await admin.submit('let-in', { reason: 'Pays on Friday' });
    expect(admin.text).toContain('Also open: B-2 (until Dec 31, 2025).');
    expect(admin.text).toContain('Please pay $940.50 and $342.75 on B-2 by then.');
  });
});

it('names another unit that owes as staff and tenant know it, not by its identifier in the PMS', async () => {
  const location = `/locations/${company.locations.get('MAIN')}`;
  demand(200, await service.operator('patch', location, { blanket_delinquency: true }));
  const rented = { occupied: true, move_in_date: '2025-06-01', pms_tenant_id: 'T-77' };
  const owing = { ...rented, balance_due: 86, paid_through_date: '2025-10-31' };
  demand(
    200,
    await company.sync([
      { ...owing, crm_unit_id: 'pms-77', unit_name: 'E-1' },
      { ...rented, crm_unit_id: 'pms-78', unit_name: 'E-2' },
    ]),
  );
  await admin.visit(await pageOf('pms-78'));
  expect(admin.text).toContain('Opens when $86.00 on E-1 is paid.');
  expect(admin.text).toMatch(/Unit E-2 [^.]* is locked\. It opens when \$86\.00 on E-1 is paid/);
  expect(admin.text).toMatch(/To restore access Pay \$86\.00 on E-1/);
  expect(admin.text).not.toMatch(/on pms-77/);
});

describe('a form of a page that is older than what a colleague set', () => {
  let path: string;
  let unit_id: string;
  const override = async () => demand(200, await service.operator('get', `/units/${unit_id}`)).override;
  beforeEach(async () => {
    path = await pageOf('A-1');
    ({ unit_id } = await company.unit('A-1'));
    await admin.visit(path);
    const body = { override: 'exempt', reason: 'Pays Monday', expires_at: null };
    demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
  });
  afterEach(async () => {
    demand(200, await service.operator('delete', `/units/${unit_id}/override`));
  });

  it.each([
    ['let-in', { until: 'hour' }],
    ['lock-out', {}],
  ])('replaces nothing by “%s” at first, and says what was set', async (form, typed) => {
    await admin.submit(form, { ...typed, reason: 'Me too' });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('Somebody has let in A-1 since you opened this page: “Pays Monday”.');
    expect(await override()).toMatchObject({ reason: 'Pays Monday' });
  });

  it('is not refused where it says what stands already, as the second half of a double click does', async () => {
    await admin.submit('let-in', { until: 'hour', reason: 'Pays Monday' });
    expect(admin.text).toContain('Saved.');
  });

  it('replaces it when it is sent again', async () => {
    await admin.submit('let-in', { until: 'hour', reason: 'Me too' });
    await admin.submit('let-in', { until: 'hour', reason: 'Me too' });
    expect(admin.text).toContain('Saved.');
    expect(await override()).toMatchObject({ reason: 'Me too' });
  });
});
