import request from 'supertest';
import { OPERATORS } from '#domain/operators/operators.js';
import { operatorStream } from '#domain/operators/core/operator.events.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { type OperatorService, startOperatorService } from './operator-service.js';

const MIA = { email: 'mia@example.com', password: 'mia has a password', role: 'manager' };

const NO_COMPANY = ['00000000000000000000000000'];

let service: OperatorService;
let company_id: string;
let other_company_id: string;
let north: string;
let south: string;
let elsewhere: string;

beforeAll(async () => {
  service = await startOperatorService();
  company_id = await company('Ours');
  other_company_id = await company('Theirs');
  north = await location(company_id, 'NORTH');
  south = await location(company_id, 'SOUTH');
  elsewhere = await location(other_company_id, 'ELSE');
});
afterEach(async () => {
  const { operators } = (await service.call('get', '/operators')).body.data;
  for (const { operator_id, email } of operators as { operator_id: string; email: string }[]) {
    if (email.endsWith('@example.com') && email !== 'Ada@Example.com')
      await service.call('delete', `/operators/${operator_id}`);
  }
  service.clock.advance(60_000);
});
afterAll(() => service.stop());

async function company(name: string): Promise<string> {
  return (await service.call('post', '/companies', { name })).body.data.company_id as string;
}
async function location(of: string, code: string): Promise<string> {
  const body = { pms_location_code: code, name: code };
  return (await service.call('post', `/companies/${of}/locations`, body)).body.data.location_id as string;
}
const add = (body: object) => service.addOperator({ ...MIA, ...body });
const change = (operator_id: string, body: object) =>
  service.call('patch', `/operators/${operator_id}`, body);
async function tokenOf(email = MIA.email): Promise<string> {
  const sent = request(service.server).post('/api/operator/sessions');
  return (await sent.send({ email, password: MIA.password })).body.data.token as string;
}
const as = (token: string, method: 'get' | 'patch' | 'post', path: string, body?: object) =>
  request(service.server)[method](`/api/operator${path}`).set('Authorization', `Bearer ${token}`).send(body);
const stored = (operator_id: string) =>
  service.application
    .get<DocumentStore>(RECORDS)
    .collection(OPERATORS)
    .then((operators) => operators.get(operator_id));

describe('an operator of sites', () => {
  it('is shown with the locations, also to themselves', async () => {
    const operator_id = await add({ companies: [company_id], locations: [north, south] });
    const { operators } = (await service.call('get', '/operators')).body.data;
    const listed = operators.find((one: { operator_id: string }) => one.operator_id === operator_id);
    expect(listed).toMatchObject({ companies: [company_id], locations: [north, south] });
    const own = (await as(await tokenOf(), 'get', '/session')).body.data as object;
    expect({ ...own, last_seen_at: null }).toEqual(listed);
  });

  it('is stored so that a release without sites shows nothing', async () => {
    const operator_id = await add({ locations: [north] });
    const record = (await stored(operator_id))!;
    expect(record.companies).toEqual(NO_COMPANY);
    expect(record.sites).toEqual({ companies: null, locations: [{ company_id, location_id: north }] });
    const [added] = await service.events.readStream(operatorStream(operator_id));
    expect(added!.type).toBe('OperatorOfSitesAdded');
  });

  it('stays so stored when something else of the record changes', async () => {
    const operator_id = await add({ locations: [north] });
    await change(operator_id, { email: 'mia2@example.com', role: 'auditor' });
    expect(await stored(operator_id)).toMatchObject({
      role: 'auditor',
      companies: NO_COMPANY,
      sites: { companies: null },
    });
  });

  it('is refused companies that the locations do not belong to', async () => {
    const operator_id = await add({
      companies: [company_id, other_company_id],
      locations: [north, elsewhere],
    });
    const refused = await change(operator_id, { companies: [company_id] });
    expect(refused.body.errors).toEqual({
      'locations.1': ['The locations.1 field must be a location of these companies.'],
    });
    const changed = await change(operator_id, { companies: [company_id], locations: [north] });
    expect(changed.body.data).toMatchObject({ companies: [company_id], locations: [north] });
  });

  it('is signed out when the locations change', async () => {
    const operator_id = await add({ locations: [north] });
    const token = await tokenOf();
    expect((await change(operator_id, { locations: [south] })).status).toBe(200);
    expect((await as(token, 'get', '/session')).status).toBe(401);
    expect((await as(await tokenOf(), 'get', '/session')).body.data.locations).toEqual([south]);
  });

  it('becomes an operator of the companies by a null', async () => {
    const operator_id = await add({ companies: [company_id], locations: [north] });
    const { data } = (await change(operator_id, { locations: null })).body;
    expect(data).toMatchObject({ companies: [company_id], locations: null });
    expect((await stored(operator_id))!.companies).toEqual([company_id]);
  });

  const NO_ADMIN = {
    role: ['The role field must be auditor or manager for an operator of some locations.'],
  };

  it('is never an admin', async () => {
    const added = await service.call('post', '/operators', { ...MIA, role: 'admin', locations: [north] });
    expect([added.status, added.body.errors]).toEqual([422, NO_ADMIN]);
    const operator_id = await add({ locations: [north] });
    expect((await change(operator_id, { role: 'admin' })).body.errors).toEqual(NO_ADMIN);
    await change(operator_id, { locations: null, role: 'admin' });
    expect((await change(operator_id, { locations: [north] })).body.errors).toEqual(NO_ADMIN);
  });

  it.each([
    ['no location', [], 'locations'],
    ['an unknown location', ['nowhere'], 'locations.0'],
  ])('is not made of %s', async (_name, locations, field) => {
    const answer = await service.call('post', '/operators', { ...MIA, locations });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });
});

describe('an admin of a company', () => {
  const ADMIN = { ...MIA, email: 'admin@example.com', role: 'admin' };

  it('sees and makes operators of its sites', async () => {
    await add({ ...ADMIN, companies: [company_id] });
    const token = await tokenOf(ADMIN.email);
    const made = await as(token, 'post', '/operators', {
      ...MIA,
      companies: [company_id],
      locations: [north],
    });
    expect(made.status).toBe(201);
    const { operators } = (await as(token, 'get', '/operators')).body.data;
    expect(operators.map(({ email }: { email: string }) => email).sort()).toEqual([ADMIN.email, MIA.email]);
  });

  it('gives nobody a site of another company', async () => {
    await add({ ...ADMIN, companies: [company_id] });
    const token = await tokenOf(ADMIN.email);
    const body = { ...MIA, companies: [company_id], locations: [elsewhere] };
    expect((await as(token, 'post', '/operators', body)).body.errors).toEqual({
      'locations.0': ['The locations.0 field must be a location of these companies.'],
    });
  });

  it.each([
    ['the sites of another company', () => ({ companies: [other_company_id], locations: [elsewhere] })],
    ['a site, without a limit of companies', () => ({ locations: [north] })],
  ])('neither sees nor changes an operator of %s', async (_name, rights) => {
    const operator_id = await add(rights());
    await add({ ...ADMIN, companies: [company_id] });
    const token = await tokenOf(ADMIN.email);
    const { operators } = (await as(token, 'get', '/operators')).body.data;
    expect(operators).toHaveLength(1);
    const changed = await as(token, 'patch', `/operators/${operator_id}`, { locations: null });
    expect(changed.body.code).toBe('operator_not_found');
  });
});
