import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import request from 'supertest';
import { readEnvironment } from '../../src/config/environment.js';
import { silentLogger } from '../../src/config/logger.js';
import {
  CALENDAR,
  CLOCK,
  ENVIRONMENT,
  EVENT_STORE,
  IDS,
  LOGGER,
  RECORDS,
  VIEWS,
} from '../../src/config/injection-tokens.js';
import { ViewsRebuild } from '../../src/projecting/views-rebuild.js';
import { PROJECTORS } from '../../src/writing/aggregate.js';
import { CommandRunner } from '../../src/writing/command-runner.js';
import { TOKEN_VERIFIERS, type TokenVerifiers } from '../../src/http/authentication.js';
import { HmacKeyIssuer, KEY_ISSUER, LOCK_ENTITLEMENT } from '../../src/locks/index.js';
import {
  FirstOperator,
  OPERATOR_SECRETS_KEY,
  OperatorModule,
  OperatorSessions,
  PASSWORD_COST,
} from '../../src/operator/index.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';
import { ApiTokens } from '../../src/companies/index.js';
import { LOCATION_POLICY_LISTENER, UNIT_LOOKUP } from '../../src/locations/index.js';
import { SMS_SENDER } from '../../src/tenants/index.js';
import { UNIT_CHANGE_LISTENER } from '../../src/units/index.js';
import type { EventStore } from '../../src/log/event-store.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../support/embedded-world.js';
import { type Port, startModules } from '../support/modules.js';

export const EMAIL = 'Ada@Example.com';
export const MASTER_SECRET = 'a master secret for tests, 32 or more';
export const PASSWORD = 'correct horse battery staple';

/**
 * The operator API alone, with the first operator signed in.
 * @param shared the stores of another such service, beside which this one works as a process of its own
 * @param wrap stands between this service and its log: for faults
 * @param variables of the environment
 */
export async function startOperatorService(
  shared?: EmbeddedWorld,
  wrap: (events: EventStore) => EventStore = (events) => events,
  variables: Readonly<Record<string, string>> = {},
) {
  const world = shared ?? (await openEmbeddedWorld());
  const events = wrap(world.events);
  const evaluated: string[] = [];
  const verifiers: TokenVerifiers = {
    operator: { verify: (token) => application.get(OperatorSessions).verify(token) },
    api_token: { verify: (token) => application.get(ApiTokens).verify(token) },
  };
  const provided: Port[] = [
    { provide: CLOCK, useValue: world.clock },
    { provide: PASSWORD_COST, useValue: CHEAP_PASSWORDS },
    { provide: IDS, useValue: world.ids },
    { provide: EVENT_STORE, useValue: events },
    { provide: RECORDS, useValue: world.records },
    { provide: VIEWS, useValue: world.views },
    { provide: CommandRunner, useValue: world.writerOn(events) },
    { provide: LOGGER, useValue: silentLogger },
    {
      provide: ENVIRONMENT,
      useValue: readEnvironment({ OPERATOR_EMAIL: EMAIL, OPERATOR_PASSWORD: PASSWORD, ...variables }),
    },
    { provide: OPERATOR_SECRETS_KEY, useValue: Buffer.alloc(32, 1) },
    { provide: UNIT_LOOKUP, useValue: world.lookup },
    { provide: KEY_ISSUER, useValue: new HmacKeyIssuer(Buffer.from(MASTER_SECRET)) },
    // What the operator's other controllers are built with and no test of this service reaches.
    ...[CALENDAR, LOCK_ENTITLEMENT, PROJECTORS, SMS_SENDER, UNIT_CHANGE_LISTENER, ViewsRebuild].map(
      (provide) => ({ provide, useValue: {} }),
    ),
    {
      provide: LOCATION_POLICY_LISTENER,
      useValue: { policyChanged: (location_id: string) => Promise.resolve(void evaluated.push(location_id)) },
    },
    { provide: TOKEN_VERIFIERS, useValue: verifiers },
  ];
  const application: INestApplication = await startModules(provided, { imports: [OperatorModule] });
  await application.get(FirstOperator).ensure();
  const server = application.getHttpServer() as Server;
  const login = async (): Promise<string> => {
    const answer = await request(server)
      .post('/api/operator/sessions')
      .send({ email: EMAIL, password: PASSWORD });
    return answer.body.data.token as string;
  };
  const token = await login();
  type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
  return {
    ...world,
    server,
    token,
    login,
    application,
    /** Locations whose units were evaluated again. */
    evaluated,
    call(method: Method, path: string, body?: object) {
      const call = request(server)[method](`/api/operator${path}`).set('Authorization', `Bearer ${token}`);
      return body === undefined ? call : call.send(body);
    },
    async stop() {
      await application.close();
      if (shared === undefined) await world.close();
    },
  };
}

export type OperatorService = Awaited<ReturnType<typeof startOperatorService>>;
