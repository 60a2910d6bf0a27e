import { demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Visitor } from './support/visitor.js';

let service: Service;

beforeAll(async () => void (service = await Service.start()));
afterAll(() => service.close());

describe('the page of the rebuild', () => {
  it('starts a rebuild and tells that it ended', async () => {
    await service.company();
    const admin = await Visitor.signedIn(service);
    expect((await admin.visit('/dashboard/operators')).html).not.toContain('/dashboard/rebuild');
    await admin.visit('/dashboard/audit');
    expect(admin.links).toContain('/dashboard/rebuild');
    await admin.visit('/dashboard/rebuild');
    expect(admin.text).toContain('No operator has started a rebuild yet.');
    await admin.submit('rebuild', {});
    service.manualClock.advance(1_000);
    await waitUntil(
      async () => demand(200, await service.operator('get', '/views/rebuild')).state === 'done',
    );
    await admin.visit('/dashboard/rebuild');
    expect(admin.text).toMatch(/The last rebuild ended at Jan 1, 2026, 12:\d\d AM UTC\./);
  });

  it('is for admins of all companies', async () => {
    const { id } = await service.company();
    const [email, password] = ['cy@example.com', 'correct horse battery staple'];
    const body = { email, password, role: 'admin', companies: [id] };
    await service.addOperator(body);
    const other = await Visitor.of(service, 'manager');
    await other.visit('/dashboard/audit');
    expect(other.links).not.toContain('/dashboard/rebuild');
    const session = await service.call('post', '/api/operator/sessions', { body: { email, password } });
    const { token } = demand(201, session);
    const answer = await service.call('post', '/api/operator/views/rebuild', { token });
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  });
});
