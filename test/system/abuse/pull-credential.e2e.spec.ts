import { PullDestinations } from '#pull/pull-destinations.js';
import { SecretBox } from '#kernel/secret-box.js';
import { PullScheduler } from '#pull/index.js';
import { PullSources } from '#pull/pull-sources.js';
import { Gate } from '../../support/gate.js';
import { type Company, demand, Service } from '../../support/service.js';
import { json, SourceServer } from '../../pull/support/source-server.js';

const SECRET = 'Bearer of the PMS';

let service: Service;
let company: Company;
let pms: SourceServer;
let thief: SourceServer;
let manager: { readonly id: string; readonly token: string };

beforeAll(async () => {
  service = await Service.start({ environment: { PULL_ALLOW_PRIVATE: 'true' } });
  company = await service.company();
  [pms, thief] = [await SourceServer.start(), await SourceServer.start()];
  for (const server of [pms, thief]) server.always(json({ units: [] }));
});
beforeEach(async () => {
  manager = await signedIn('manager');
});
afterAll(async () => {
  await service.close();
  await pms.close();
  await thief.close();
});

let people = 0;
async function signedIn(role: string) {
  const email = `${role}-${(people += 1)}@example.com`;
  const password = 'a manager has this password';
  const body = { email, password, role, companies: [company.id] };
  const id = await service.addOperator(body);
  const session = await service.call('post', '/api/operator/sessions', { body: { email, password } });
  return { id, token: demand(201, session).token as string };
}

async function added(fields: object = {}): Promise<string> {
  const body = { name: 'PMS', url: pms.url(), interval_seconds: 3_600, ...fields };
  const source = demand(201, await service.operator('post', `/companies/${company.id}/pull-sources`, body));
  return `/pull-sources/${source.pull_source_id}`;
}

const asAdmin = (path: string, body: object) => service.operator('patch', path, body);
const asManager = (path: string, body: object) =>
  service.call('patch', `/api/operator${path}`, { token: manager.token, body, mayFail: true });

/** Runs a source and answers the credentials that the manager's server was sent since. */
async function stolen(path: string): Promise<unknown[]> {
  thief.next();
  demand(202, await service.operator('post', `${path}/runs`));
  await service.part(PullScheduler).settled();
  return thief.asked.flatMap(({ headers }) => headers.authorization ?? []);
}

describe('the credential of a PMS', () => {
  it('never goes to a manager’s server that was named at the same time as it was set', async () => {
    for (let round = 0; round < 10; round += 1) {
      const path = await added();
      const changes = [
        () => asManager(path, { url: thief.url() }),
        () => asAdmin(path, { auth_header: SECRET }),
      ];
      if (round % 2 === 1) changes.reverse();
      const statuses = (await Promise.all(changes.map((change) => change()))).map(({ status }) => status);
      expect([
        [200, 403],
        [200, 422],
        [403, 200],
        [422, 200],
      ]).toContainEqual(statuses);
      expect(await stolen(path)).toEqual([]);
    }
  });

  it('goes to an address that a manager named only where an admin confirms it', async () => {
    const path = await added();
    demand(200, await asManager(path, { url: thief.url() }));
    const refused = await asAdmin(path, { auth_header: SECRET });
    expect(refused.body.errors).toEqual({ url: ['The url field is required when a manager has set it.'] });
    demand(200, await asAdmin(path, { auth_header: SECRET, url: pms.url() }));
    expect(await stolen(path)).toEqual([]);
    expect(pms.asked.at(-1)!.headers.authorization).toBe(SECRET);
  });

  it('is judged on the record that is replaced, not on the one that was read before a wait', async () => {
    const path = await added();
    const destinations = service.part(PullDestinations);
    const demandDestination = destinations.demand.bind(destinations);
    const dns = new Gate();
    const asked = jest.spyOn(destinations, 'demand').mockImplementation(async (destination) => {
      if (destination.url === thief.url()) await dns.pass();
      return demandDestination(destination);
    });
    dns.close();
    const changing = asManager(path, { url: thief.url() });
    await dns.reached();
    demand(200, await asAdmin(path, { auth_header: SECRET }));
    dns.open();
    expect((await changing).status).toBe(403);
    asked.mockRestore();
    expect(await stolen(path)).toEqual([]);
  });

  it('is not sent elsewhere by a process that slept past its lease, behind a change by another', async () => {
    const path = await added();
    const sources = service.part(PullSources);
    const change = sources.change.bind(sources);
    const writing = new Gate();
    const spy = jest.spyOn(sources, 'change').mockImplementationOnce(async (...given) => {
      await writing.pass();
      return change(...given);
    });
    writing.close();
    const changing = asManager(path, { url: thief.url() });
    await writing.reached();
    // Another process takes the lease, and its admin sets the credential.
    const sealed_auth = service.part(SecretBox).seal(SECRET, path.split('/')[2]!);
    await change(path.split('/')[2]!, () => ({ sealed_auth, url_by_admin: true }));
    writing.open();
    expect((await changing).status).toBe(503);
    spy.mockRestore();
    expect(await stolen(path)).toEqual([]);
  });

  it('a source is changed by nobody who was removed while its address was looked up', async () => {
    const path = await added();
    const destinations = service.part(PullDestinations);
    const dns = new Gate();
    const asked = jest.spyOn(destinations, 'demand').mockImplementation(() => dns.pass());
    dns.close();
    const changing = asManager(path, { url: thief.url() });
    const adding = service.call('post', `/api/operator/companies/${company.id}/pull-sources`, {
      token: manager.token,
      body: { name: 'Thief', url: thief.url(), interval_seconds: 60 },
    });
    await dns.reached();
    demand(200, await service.operator('delete', `/operators/${manager.id}`));
    dns.open();
    expect([(await changing).status, (await adding).status]).toEqual([401, 401]);
    asked.mockRestore();
    expect(demand(200, await service.operator('get', path)).url).toBe(pms.url());
  });
});
