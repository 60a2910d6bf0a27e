import { Secret, TOTP } from 'otpauth';
import { type Company, demand, Service } from '../../../support/service.js';

const PASSWORD = 'correct horse battery staple';
const PAY = 'https://pay.example.com/{pms_tenant_id}?unit={crm_unit_id}';
const NONE = { phone: null, email: null, address: null, payment_url: null };

let service: Service;
let company: Company;
let location_id: string;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
});

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const change = (body: object, query = '') => operator('patch', `/locations/${location_id}${query}`, body);
const location = async () => demand(200, await operator('get', `/locations/${location_id}`));
const typesOfLocation = async () =>
  (await service.events(`location-${location_id}`)).map(({ type }) => type).slice(1);

async function tokenOf(role: 'manager' | 'admin'): Promise<string> {
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
  await service.addOperator({ email, password: PASSWORD, role });
  const answer = await service.call('post', '/api/operator/sessions', {
    body: { email, password: PASSWORD },
  });
  return demand(201, answer).token;
}

describe('the contact of a location', () => {
  it('is empty until it is set, and merged field by field', async () => {
    expect((await location()).contact).toEqual(NONE);
    demand(200, await change({ contact: { phone: '+13125550100', address: '1 Main St, Springfield' } }));
    const { contact } = demand(200, await change({ contact: { email: 'office@example.com', phone: null } }));
    expect(contact).toEqual({ ...NONE, email: 'office@example.com', address: '1 Main St, Springfield' });
    expect((await location()).contact).toEqual(contact);
  });

  it('leaves one event, and a repeat none', async () => {
    demand(200, await change({ contact: { phone: '+13125550100' } }));
    demand(200, await change({ contact: { phone: '+13125550100' } }));
    expect(await typesOfLocation()).toEqual(['LocationContactChanged']);
  });

  it('is not written by a dry run, which shows it', async () => {
    const shown = demand(200, await change({ contact: { email: 'a@example.com' } }, '?dry_run=true'));
    expect(shown).toMatchObject({ contact: { ...NONE, email: 'a@example.com' }, dry_run: true });
    expect((await location()).contact).toEqual(NONE);
  });

  it('stands in the feed of the company', async () => {
    demand(200, await change({ contact: { phone: '+13125550100' } }));
    const { events } = demand(200, await company.push('get', '/events?types=LocationContactChanged'));
    expect(events).toMatchObject([{ data: { phone: '+13125550100', email: null, address: null } }]);
  });

  it('is the same after the views are filled anew', async () => {
    demand(200, await change({ contact: { phone: '+13125550100' }, currency: 'EUR' }));
    const before = await location();
    await service.restart({ keepViews: false });
    expect(await location()).toEqual(before);
  });

  it.each<[string, object, string, string]>([
    ['no change', { contact: {} }, 'contact', 'required'],
    ['null', { contact: null }, 'contact', 'type'],
    ['a phone that is no whole number', { contact: { phone: '555-0100' } }, 'contact.phone', 'format'],
    ['a phone that is a number', { contact: { phone: 13_125_550_100 } }, 'contact.phone', 'type'],
    ['an e-mail without a host', { contact: { email: 'office' } }, 'contact.email', 'format'],
    [
      'an address of two lines',
      { contact: { address: '1 Main St\nSpringfield' } },
      'contact.address',
      'format',
    ],
    ['a blank address', { contact: { address: ' ' } }, 'contact.address', 'required'],
    ['another field', { contact: { fax: '1' } }, 'contact.fax', 'not_allowed'],
    ['a link of http', { contact: { payment_url: 'http://a.example' } }, 'contact.payment_url', 'format'],
    ['a link that is a number', { contact: { payment_url: 1 } }, 'contact.payment_url', 'type'],
    [
      'a link with another placeholder',
      { contact: { payment_url: 'https://a.example/{name}' } },
      'contact.payment_url',
      'format',
    ],
    [
      'a link that is too long',
      { contact: { payment_url: `https://a.example/${'a'.repeat(2_048)}` } },
      'contact.payment_url',
      'format',
    ],
  ])('that is %s is refused at its field', async (_what, body, field, code) => {
    const answer = await change(body);
    expect(answer.status).toBe(422);
    expect(answer.body.details).toMatchObject([{ field, code }]);
  });
});

describe('the payment link of a location', () => {
  const body = { contact: { payment_url: PAY }, proof: { current: PASSWORD } };

  it('is set by an admin with the password, and has an event of its own', async () => {
    expect(demand(200, await change(body)).contact).toEqual({ ...NONE, payment_url: PAY });
    expect(await typesOfLocation()).toEqual(['LocationPaymentUrlChanged']);
    const { events } = demand(200, await company.push('get', '/events?types=LocationPaymentUrlChanged'));
    expect(events).toMatchObject([{ data: { payment_url: PAY }, actor: { kind: 'operator' } }]);
  });

  it('is removed by null, with the password again', async () => {
    demand(200, await change(body));
    expect((await change({ contact: { payment_url: null } })).status).toBe(422);
    demand(200, await change({ ...body, contact: { payment_url: null } }));
    expect((await location()).contact).toEqual(NONE);
  });

  it('is refused without a proof, and nothing else of the change is written', async () => {
    const answer = await change({ contact: { phone: '+13125550100', payment_url: PAY }, name: 'New' });
    expect(answer.status).toBe(422);
    expect(answer.body.details).toMatchObject([{ field: 'proof', code: 'required' }]);
    expect(await typesOfLocation()).toEqual([]);
  });

  it('is refused with a wrong password', async () => {
    const answer = await change({ ...body, proof: { current: 'wrong' } });
    expect(answer.status).toBe(422);
    expect(answer.body.details).toMatchObject([{ field: 'proof.current', code: 'incorrect' }]);
    expect(await typesOfLocation()).toEqual([]);
  });

  it('is refused to a manager, whose other fields are not', async () => {
    const token = await tokenOf('manager');
    const path = `/api/operator/locations/${location_id}`;
    expect((await service.call('patch', path, { token, body })).status).toBe(403);
    const contact = { contact: { phone: '+13125550100' } };
    expect((await service.call('patch', path, { token, body: contact })).status).toBe(200);
    expect(await typesOfLocation()).toEqual(['LocationContactChanged']);
  });

  it('needs a code of the authenticator if the admin has a second factor, each code once', async () => {
    const token = await tokenOf('admin');
    const call = (method: 'post' | 'put' | 'patch', path: string, sent: object) =>
      service.call(method, `/api/operator${path}`, { token, body: sent });
    const begun = demand(200, await call('post', '/session/second-factor', { current: PASSWORD }));
    const codeAt = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate({
        timestamp: service.clock.now() + steps * 30_000,
      });
    demand(200, await call('put', '/session/second-factor', { setup: begun.setup, code: codeAt(0) }));
    service.manualClock.advance(30_000);
    const withCode = (code?: string) =>
      call('patch', `/locations/${location_id}`, { ...body, proof: { current: PASSWORD, code } });
    for (const [code, fault] of [
      [undefined, 'required'],
      ['000000', 'incorrect'],
    ] as const) {
      const answer = await withCode(code);
      expect(answer.status).toBe(422);
      expect(answer.body.details).toMatchObject([{ field: 'proof.code', code: fault }]);
    }
    const code = codeAt(0);
    demand(200, await withCode(code));
    expect((await withCode(code)).status).toBe(422);
  });
});

describe('the currency of a location', () => {
  it('is USD until it is set, and stands beside the amounts of its units', async () => {
    demand(201, await company.moveIn('A-1'));
    demand(200, await company.patch('A-1', { balance_due: 12.5 }));
    expect((await location()).currency).toBe('USD');
    demand(200, await change({ currency: 'EUR' }));
    expect((await location()).currency).toBe('EUR');
    const unit = demand(200, await company.push('get', '/units/A-1'));
    expect(unit.location.currency).toBe('EUR');
    expect(unit.facts.balance_due).toBe(12.5);
    expect(await typesOfLocation()).toEqual(['LocationCurrencyChanged']);
  });

  it('was another one before it was set', async () => {
    demand(201, await company.moveIn('A-1'));
    const at = new Date(service.clock.now()).toISOString();
    service.manualClock.advance(60_000);
    demand(200, await change({ currency: 'EUR' }));
    const now = new Date(service.clock.now()).toISOString();
    const asOf = async (instant: string) =>
      demand(200, await company.push('get', `/units/A-1/as-of?at=${instant}`)).location.currency;
    expect([await asOf(at), await asOf(now)]).toEqual(['USD', 'EUR']);
  });

  it.each<[string, unknown, string]>([
    ['without decimals', 'JPY', 'format'],
    ['with three decimals', 'KWD', 'format'],
    ['that does not exist', 'ABC', 'format'],
    ['in small letters', 'usd', 'format'],
    ['that is null', null, 'type'],
    ['that is a number', 840, 'type'],
  ])('%s is refused at its field', async (_what, currency, code) => {
    const answer = await change({ currency });
    expect(answer.status).toBe(422);
    expect(answer.body.details).toMatchObject([
      { field: 'currency', code, message: expect.stringContaining('two decimals') },
    ]);
  });
});
