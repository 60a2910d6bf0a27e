import { Controller, Get } from '@nestjs/common';
import { tooManyAttempts } from '#kernel/errors/api-error.js';
import { Authenticated, Public } from '#web/authentication.js';
import { ManualClock } from '../support/manual-clock.js';
import { startTestApplication, type TestApplication } from './support/test-application.js';
import { ThingsController } from './support/test-controllers.js';

@Public()
@Controller('limited')
class LimitedController {
  @Get()
  read(): never {
    throw tooManyAttempts({ windowSeconds: 60, retryAfterSeconds: 60 });
  }

  @Authenticated('api_token')
  @Get('known')
  readKnown(): never {
    return this.read();
  }
}

describe('a flood of requests with no or a wrong credential', () => {
  let service: TestApplication;
  const clock = new ManualClock();
  beforeAll(async () => {
    service = await startTestApplication({
      clock,
      environment: { ACCESS_LOG: 'true' },
      controllers: [ThingsController, LimitedController],
    });
  });
  afterAll(() => service.close());
  const messages = () => service.logged.map(({ message }) => message);

  it('logs the first lines of a minute, and then their number', async () => {
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

  it('logs lines again in the next minute', async () => {
    const before = service.logged.length;
    await service.client.put('/api/v2/things/u1').set('Authorization', 'Bearer wrong');
    expect(messages().slice(before)).toEqual(['A credential was refused.', 'request']);
  });

  it('logs as few lines when limits refuse it, and every line of callers with a credential', async () => {
    clock.advance(60_000);
    const before = service.logged.length;
    for (let count = 0; count < 15; count += 1) {
      await service.client.get('/limited');
      await service.client.get('/limited/known').set('Authorization', 'Bearer token-a');
    }
    const left = messages().slice(before);
    expect(left.filter((message) => message === 'A limit was reached.')).toHaveLength(10 + 15);
    expect(left.filter((message) => message === 'request')).toHaveLength(10 + 15);
    clock.advance(60_000);
    expect(service.logged.at(-1)).toMatchObject({ details: { security: 'rate_limited', left_out: 5 } });
  });
});
