import { createSecretKey, randomBytes } from 'node:crypto';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { TemporalCalendar } from '#domain/access/index.js';
import {
  CALENDAR,
  CLOCK,
  EMBEDDED,
  ENVIRONMENT,
  EVENT_STORE,
  IDS,
  LOGGER,
  RECORDS,
  REQUEST_HASH_KEY,
  SUBJECT_KEY,
  VIEWS,
} from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { CheckpointKeeper } from '#eventsourcing/projecting/checkpoint-keeper.js';
import { OwnLogTail, SharedLogTail } from '#eventsourcing/writing/log-tail.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { commitInOrder, commitTogether } from '#eventsourcing/writing/commit.js';
import { READINESS_CHECKS, type ReadinessCheck } from '#web/health.js';
import { STORE_PRESENCE } from '#web/pipeline/request-deadlines.js';
import { KeyIssuer } from '#domain/locks/index.js';
import { OPERATOR_SECRETS_KEY, PASSWORD_COST, USUAL_PASSWORD_COST } from '#domain/operators/index.js';
import type { Ports } from './adapters.js';
import type { ViewsBuilder } from '#eventsourcing/projecting/views-fill.js';
import { FILL_PORTS, type FillPorts } from '#eventsourcing/projecting/views-filler.js';
import { isNotLinkLocal } from '#kernel/address-guard.js';
import { PullHttp, PULL_SECRETS_KEY, UndiciPullHttp } from '#pull/index.js';
import { mailAdapter, MailSender, SUMMARY_LINKS_KEY } from '#domain/summaries/index.js';
import { UndiciWebhookHttp, WebhookHttp, WEBHOOK_SECRETS_KEY } from '#domain/webhooks/index.js';
import { SHARE_CODES_KEY } from '#domain/sharing/index.js';
import { SmsSender } from '#domain/tenants/index.js';

export const PORTS = Symbol('Ports');

/** Closes the stores after everything that uses them has stopped. */
export class StoreClosing implements OnApplicationShutdown {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async onApplicationShutdown(): Promise<void> {
    await this.ports.eventStore.close();
    await this.ports.records.close();
    await this.ports.views.close();
  }
}

/** The ports, with a log that shows what is sound. */
export interface SoundPorts extends Ports {
  readonly eventStore: SoundStreams;
}

type OpenBuilder = (ports: Ports) => Promise<ViewsBuilder>;

/** Provides the ports to all modules. */
@Global()
@Module({})
export class PortsModule {
  /** @param openBuilder opens the parts that write views, on these ports */
  static with(ports: SoundPorts, openBuilder: OpenBuilder, lifetime: Provider[]): DynamicModule {
    const providers = providersOf(ports, openBuilder);
    return { module: PortsModule, providers: [...providers, ...lifetime], exports: providers.map(tokenOf) };
  }
}

function providersOf(ports: SoundPorts, openBuilder: OpenBuilder): Provider[] {
  return [
    ...portProviders(ports),
    {
      provide: CommandRunner,
      useFactory: () => {
        const { eventStore: store, records, clock, ids, embedded } = ports;
        const checkpoint = new CheckpointKeeper(ports.views, clock);
        const tail = embedded ? new OwnLogTail() : new SharedLogTail(store, clock, () => checkpoint.read());
        const stores = { log: store, records };
        const commit = embedded ? commitTogether(stores) : commitInOrder(stores);
        return new CommandRunner({ store, commit, clock, ids, tail, damaged: store.damaged });
      },
    },
    {
      provide: FILL_PORTS,
      inject: [CommandRunner],
      useFactory: (runner: CommandRunner): FillPorts => ({
        store: ports.eventStore,
        damaged: ports.eventStore.damaged,
        records: ports.records,
        views: ports.views,
        clock: ports.clock,
        logger: ports.logger,
        withoutWriters: (streams, work) => runner.alone(streams, {}, work),
        openBuilder: (views) => openBuilder({ ...ports, views }),
      }),
    },
    {
      provide: READINESS_CHECKS,
      useFactory: (): ReadinessCheck[] => [
        storeCheck('event_store', ports.eventStore),
        storeCheck('records', ports.records),
        storeCheck('views', ports.views),
      ],
    },
  ];
}

/** The ports, and providers that depend on one port only. */
function portProviders(ports: SoundPorts): Provider[] {
  return [
    { provide: PORTS, useValue: ports },
    { provide: ENVIRONMENT, useValue: ports.environment },
    { provide: CLOCK, useValue: ports.clock },
    { provide: IDS, useValue: ports.ids },
    { provide: LOGGER, useValue: ports.logger },
    {
      provide: REQUEST_HASH_KEY,
      useFactory: () => ports.requestHashKey ?? createSecretKey(Buffer.alloc(32)),
    },
    { provide: SUBJECT_KEY, useFactory: () => ports.subjectKey ?? randomBytes(32) },
    { provide: CALENDAR, useFactory: () => new TemporalCalendar() },
    { provide: EVENT_STORE, useValue: ports.eventStore },
    { provide: DamagedStreams, useValue: ports.eventStore.damaged },
    { provide: RECORDS, useValue: ports.records },
    { provide: VIEWS, useValue: ports.views },
    { provide: SmsSender, useValue: ports.smsSender },
    { provide: KeyIssuer, useValue: ports.keyIssuer },
    { provide: PULL_SECRETS_KEY, useFactory: () => ports.pullSecretsKey ?? randomBytes(32) },
    { provide: OPERATOR_SECRETS_KEY, useFactory: () => ports.operatorSecretsKey ?? randomBytes(32) },
    { provide: SHARE_CODES_KEY, useFactory: () => ports.shareCodesKey ?? Buffer.alloc(32) },
    { provide: PullHttp, useFactory: () => ports.pullHttp ?? pullHttpOf(ports) },
    { provide: WEBHOOK_SECRETS_KEY, useFactory: () => ports.webhookSecretsKey ?? randomBytes(32) },
    { provide: WebhookHttp, useFactory: () => ports.webhookHttp ?? webhookHttpOf(ports) },
    { provide: SUMMARY_LINKS_KEY, useFactory: () => ports.summaryLinksKey ?? randomBytes(32) },
    {
      provide: MailSender,
      useFactory: () => ports.mailSender ?? mailAdapter(ports.environment, ports.clock),
    },
    { provide: EMBEDDED, useValue: ports.embedded },
    { provide: PASSWORD_COST, useValue: ports.passwordCost ?? USUAL_PASSWORD_COST },
    { provide: STORE_PRESENCE, useValue: ports.presence },
  ];
}

function pullHttpOf({ clock, environment }: Ports): UndiciPullHttp {
  return new UndiciPullHttp({
    clock,
    ...(environment.pull_allow_private ? { isAllowed: isNotLinkLocal } : {}),
  });
}

function webhookHttpOf({ clock, environment }: Ports): UndiciWebhookHttp {
  return new UndiciWebhookHttp({
    clock,
    ...(environment.webhook_allow_private ? { isAllowed: isNotLinkLocal } : {}),
  });
}

function tokenOf(provider: Provider) {
  return typeof provider === 'function' ? provider : provider.provide;
}

function storeCheck(name: string, store: EventStore | DocumentStore): ReadinessCheck {
  return { name, check: () => store.ping().then(() => ({ ok: true })) };
}
