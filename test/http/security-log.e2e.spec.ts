import { ManualClock } from '../support/manual-clock.js';
import { startTestApplication, type TestApplication } from './support/test-application.js';

describe('a flood of requests with no or a wrong credential', () => {
  let service: TestApplication;
  const clock = new ManualClock();
  beforeAll(async () => {
    service = await startTestApplication({ clock, environment: { ACCESS_LOG: 'true' } });
  });
  afterAll(() => service.close());
  const messages = () => service.logged.map(({ message }) => message);

  it('leaves the first lines of a minute, and then their number', async () => {
    for (let count = 0; count < 30; count += 1) {
      const call = service.client.put('/api/v2/things/u1');
      const answer = await (count % 2 === 0 ? call : call.set('Authorization', 'Bearer wrong'));
      expect(answer.status).toBe(401);
    }
    expect(messages().filter((message) => message === 'request')).toHaveLength(10);
    expect(messages().filter((message) => message === 'A credential was refused.')).toHaveLength(5);
    clock.advance(60_000);
    expect(service.logged.at(-1)).toMatchObject({
      level: 'warn',
      details: { security: 'unauthorized', left_out: 20 },
    });
  });

  it('leaves lines again in the next minute', async () => {
    const before = service.logged.length;
    await service.client.put('/api/v2/things/u1').set('Authorization', 'Bearer wrong');
    expect(messages().slice(before)).toEqual(['A credential was refused.', 'request']);
  });
});
