import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { startTestApplication, type TestApplication } from './support/test-application.js';

setFlagsFromString('--allow-natives-syntax');
// Written as text: only V8 with that flag can parse it.
/* eslint-disable @typescript-eslint/no-implied-eval */
const haveSameMap = new Function('left', 'right', 'return %HaveSameMap(left, right)') as (
  left: object,
  right: object,
) => boolean;
const hasFastProperties = new Function('object', 'return %HasFastProperties(object)') as (
  object: object,
) => boolean;
/* eslint-enable @typescript-eslint/no-implied-eval */

describe('requests and responses', () => {
  let service: TestApplication;
  const requests: IncomingMessage[] = [];
  const responses: ServerResponse[] = [];
  beforeAll(async () => {
    service = await startTestApplication();
    const server = service.application.getHttpServer() as Server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      requests.push(request);
      responses.push(response);
    });
    for (let count = 0; count < 20; count += 1) await service.client.get('/health');
  });
  afterAll(() => service.close());

  it('have one hidden class each, so that the engine can optimise what uses them', () => {
    const pairs = [requests, responses].flatMap((all) =>
      all.slice(10, -1).map((one, place) => haveSameMap(one, all[place + 11]!)),
    );
    expect(pairs).toEqual(pairs.map(() => true));
    expect(pairs).toHaveLength(18);
  });

  it('keep their properties in the fast form', () => {
    expect(responses.map(hasFastProperties)).toEqual(responses.map(() => true));
  });
});
