import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import request from 'supertest';
import { readEnvironment } from '#kernel/environment/environment.js';
import { silentLogger } from '#kernel/logger.js';
import {
  CALENDAR,
  CLOCK,
  EMBEDDED,
  ENVIRONMENT,
  EVENT_STORE,
  IDS,
  LOGGER,
  RECORDS,
  VIEWS,
} from '#kernel/injection-tokens.js';
import { ViewsRebuild } from '#eventsourcing/projecting/views-rebuild.js';
import { PROJECTORS } from '#eventsourcing/writing/projector.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { TOKEN_VERIFIERS, type TokenVerifiers } from '#web/authentication.js';
import { HmacKeyIssuer, KeyIssuer, LockEntitlement } from '#domain/locks/index.js';
import {
  type Browser,
  FirstOperator,
  OperatorInvitations,
  OPERATOR_SECRETS_KEY,
  OperatorSessions,
  PASSWORD_COST,
} from '#domain/operators/index.js';
import { OperatorApiModule } from '#api/operator/index.js';
import { OperatorRightsCheck } from '#web/operator-access.js';
import { AnnouncementObserver } from '#domain/announcements/index.js';
import { NoticeObserver } from '#domain/notices/index.js';
import { MailSender, SUMMARY_LINKS_KEY, SummaryFigures, SummaryObserver } from '#domain/summaries/index.js';
import { WebhookHttp, WebhookObserver, WEBHOOK_SECRETS_KEY } from '#domain/webhooks/index.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { ApiTokens } from '#domain/companies/index.js';
import { LocationPolicyListener, UnitLookup } from '#domain/locations/index.js';
import { SHARE_CODES_KEY } from '#domain/sharing/index.js';
import { SmsSender } from '#domain/tenants/index.js';
import { RentedUnits, UnitChangeListener } from '#domain/units/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../../support/embedded-world.js';
import { type Port, startModules } from '../../support/modules.js';

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
    { provide: EMBEDDED, useValue: true },
    { provide: PASSWORD_COST, useValue: CHEAP_PASSWORDS },
    { provide: IDS, useValue: world.ids },
    { provide: DamagedStreams, useValue: new DamagedStreams() },
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
    { provide: UnitLookup, useValue: world.lookup },
    { provide: KeyIssuer, useValue: new HmacKeyIssuer(Buffer.from(MASTER_SECRET)) },
    // What the operator's other controllers are built with and no test of this service reaches.
    ...[CALENDAR, LockEntitlement, PROJECTORS, RentedUnits, SmsSender, UnitChangeListener, ViewsRebuild].map(
      (provide) => ({ provide, useValue: {} }),
    ),
    { provide: OperatorRightsCheck, useValue: {} },
    { provide: WebhookObserver, useValue: {} },
    { provide: AnnouncementObserver, useValue: {} },
    { provide: NoticeObserver, useValue: {} },
    ...[MailSender, SummaryFigures, SummaryObserver].map((provide) => ({ provide, useValue: {} })),
    { provide: SUMMARY_LINKS_KEY, useValue: Buffer.alloc(32, 3) },
    { provide: WebhookHttp, useValue: { close: () => Promise.resolve() } },
    { provide: WEBHOOK_SECRETS_KEY, useValue: Buffer.alloc(32, 2) },
    { provide: SHARE_CODES_KEY, useValue: Buffer.alloc(32, 4) },
    {
      provide: LocationPolicyListener,
      useValue: { policyChanged: (location_id: string) => Promise.resolve(void evaluated.push(location_id)) },
    },
    { provide: TOKEN_VERIFIERS, useValue: verifiers },
  ];
  const application: INestApplication = await startModules(provided, { imports: [OperatorApiModule] });
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
    /** Adds an operator who has chosen this password. @returns the `operator_id` */
    async addOperator({
      password,
      ...rights
    }: {
      readonly password: string;
      readonly [field: string]: unknown;
    }): Promise<string> {
      const added = await this.call('post', '/operators', rights);
      if (added.status !== 201) throw new Error(`The operator was not added: ${added.text}`);
      const { operator_id, invitation } = added.body.data;
      const token = (invitation.url as string).split('/').at(-1)!;
      await application.get(OperatorInvitations).acceptWithPassword(token, password, someBrowser(world.ids));
      return operator_id as string;
    },
    async stop() {
      await application.close();
      if (shared === undefined) await world.close();
    },
  };
}

/** A browser whose address nobody else has. */
export function someBrowser(ids: EmbeddedWorld['ids']): Browser {
  const command_id = ids.ulid();
  const actor = { kind: 'system', id: 'test' } as const;
  return {
    network: command_id,
    context: { command_id, request_id: command_id, actor, recovering: false },
    headers: { setHeader: () => undefined },
    device: undefined,
    keepDevice: () => undefined,
  };
}

export type OperatorService = Awaited<ReturnType<typeof startOperatorService>>;
