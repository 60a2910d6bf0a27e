import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const PASSWORD = 'correct horse battery staple';

let service: Service;
let admin: Visitor;
let company: Company;
let location_id: string;

const location = async () => demand(200, await service.operator('get', `/locations/${location_id}`));
const page = () => `/dashboard/locations/${location_id}/contact`;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
});

describe('the contact of a location', () => {
  it('is saved, shown again, and emptied', async () => {
    await admin.visit(page());
    await admin.submit('contact', { phone: '+13125550100', email: 'office@example.com' });
    expect(admin.text).toContain('The contact is saved.');
    expect((await location()).contact).toMatchObject({ phone: '+13125550100', email: 'office@example.com' });
    await admin.submit('contact', { email: '' });
    expect((await location()).contact).toMatchObject({ phone: '+13125550100', email: null });
  });

  it('is refused at its field, with what was typed', async () => {
    await admin.visit(page());
    await admin.submit('contact', { phone: '312', address: '1 Main St' });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('“Phone” must be a valid phone number');
    expect(admin.html).toContain('value="1 Main St"');
  });

  it('is read by an auditor, who has no form', async () => {
    demand(
      200,
      await service.operator('patch', `/locations/${location_id}`, { contact: { address: 'Oak 1' } }),
    );
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit(page());
    expect(auditor.text).toContain('Oak 1');
    expect(auditor.html).not.toContain('form-contact');
  });
});

describe('the page Contact', () => {
  const link = { 'contact.payment_url': 'https://pay.example.com/', 'proof.current': PASSWORD };

  it('saves all that was typed with its one button, and says what', async () => {
    await admin.visit(page());
    await admin.submit('contact', { phone: '(312) 555-0100', ...link, currency: 'EUR' });
    expect(admin.text).toMatch(
      /The contact is saved. The payment link is saved.* The currency is saved. Amounts/,
    );
    expect(await location()).toMatchObject({
      contact: { phone: '+13125550100', payment_url: 'https://pay.example.com/' },
      currency: 'EUR',
    });
  });

  it('saves nothing of it, and keeps it, where one field is refused', async () => {
    await admin.visit(page());
    await admin.submit('contact', { phone: '312', ...link });
    expect(admin.shown.status).toBe(422);
    expect(admin.form('contact').values).toMatchObject({
      phone: '312',
      'contact.payment_url': 'https://pay.example.com/',
    });
    expect((await location()).contact.payment_url).toBeNull();
  });

  it('asks for no password where the payment link stays', async () => {
    await admin.visit(page());
    await admin.submit('contact', { email: 'office@example.com' });
    expect(admin.text).toContain('The contact is saved.');
  });

  it('says that nothing was changed', async () => {
    await admin.visit(page());
    await admin.submit('contact');
    expect(admin.text).toContain('Nothing was changed');
  });

  it('lets no manager set the payment link', async () => {
    const manager = await Visitor.of(service, 'manager');
    await manager.visit(page());
    await manager.submit('contact', { ...link, 'initial.contact.payment_url': '' });
    expect(manager.shown.status).toBe(403);
    expect((await location()).contact.payment_url).toBeNull();
  });
});

describe('the payment link of a location', () => {
  it('is saved with the password', async () => {
    await admin.visit(page());
    const link = 'https://pay.example.com/{crm_unit_id}';
    await admin.submit('contact', { 'contact.payment_url': link, 'proof.current': PASSWORD });
    expect(admin.text).toContain('The payment link is saved.');
    expect((await location()).contact.payment_url).toBe(link);
    await admin.submit('contact', { 'contact.payment_url': '', 'proof.current': PASSWORD });
    expect((await location()).contact.payment_url).toBeNull();
  });

  it('is refused with a wrong password, at that field', async () => {
    await admin.visit(page());
    await admin.submit('contact', { 'contact.payment_url': 'https://a.example', 'proof.current': 'no' });
    expect(admin.text).toContain('“Your password” is incorrect.');
    expect(admin.html).toContain('value="https://a.example"');
    expect(admin.html).not.toContain('value="no"');
    expect((await location()).contact.payment_url).toBeNull();
  });

  it('that is none is refused at its field', async () => {
    await admin.visit(page());
    await admin.submit('contact', {
      'contact.payment_url': 'http://a.example',
      'proof.current': PASSWORD,
    });
    expect(admin.text).toContain('“Link” must be an https URL');
  });

  it('is shown to a manager, who has no form', async () => {
    const manager = await Visitor.of(service, 'manager');
    await manager.visit(page());
    expect(manager.html).toContain('form-contact');
    expect(manager.html).not.toContain('name="contact.payment_url"');
    expect(manager.text).toContain('An admin can change it.');
  });
});

it('the currency of a location is chosen from a list', async () => {
  await admin.visit(page());
  await admin.submit('contact', { currency: 'EUR' });
  expect(admin.text).toContain('The currency is saved.');
  expect((await location()).currency).toBe('EUR');
});
