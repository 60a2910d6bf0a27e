import { randomBytes } from 'node:crypto';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { TemporalCalendar } from './access/index.js';
import {
  CALENDAR,
  CLOCK,
  ENVIRONMENT,
  EVENT_STORE,
  IDS,
  LOGGER,
  RECORDS,
  RECORDS_COMMIT_WITH,
  SUBJECT_KEY,
  VIEWS,
} from './config/injection-tokens.js';
import type { DocumentStore } from './documents/document-store.js';
import type { EventStore } from './log/event-store.js';
import { CheckpointKeeper } from './projecting/checkpoint-keeper.js';
import { LogTail } from './writing/log-tail.js';
import { ProjectionsInFlight } from './writing/projections-in-flight.js';
import { StreamWriter } from './writing/stream-writer.js';
import { ViewsGate } from './writing/views-gate.js';
import {
  IDEMPOTENCY_SETTINGS,
  keptRateLimiters,
  RATE_LIMITER_FACTORY,
  READINESS_CHECKS,
  STORE_PRESENCE,
  type RateLimiterFactory,
  type ReadinessCheck,
} from './http/index.js';
import { KEY_ISSUER } from './locks/index.js';
import { PASSWORD_COST, USUAL_PASSWORD_COST } from './operator/index.js';
import type { Ports } from './adapters.js';
import { REBUILD_PORTS, type RebuildPorts, type ViewsBuilder } from './projecting/rebuild/index.js';
import { PULL_HTTP, PULL_SECRETS_KEY, UndiciPullHttp } from './pull/index.js';
import { SMS_SENDER } from './tenants/index.js';

const PORTS = Symbol('Ports');

/** Closes the stores after everything that uses them has stopped. */
export class StoreClosing implements OnApplicationShutdown {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async onApplicationShutdown(): Promise<void> {
    await this.ports.eventStore.close();
    await this.ports.records.close();
    await this.ports.views.close();
  }
}

type OpenBuilder = (ports: Ports) => Promise<ViewsBuilder>;

/** The outer world, for every module. */
@Global()
@Module({})
export class PortsModule {
  /** @param openBuilder opens what makes views anew, on other views than these ports' */
  static with(ports: Ports, openBuilder: OpenBuilder, lifetime: Provider[]): DynamicModule {
    const providers = providersOf(ports, openBuilder);
    return { module: PortsModule, providers: [...providers, ...lifetime], exports: providers.map(tokenOf) };
  }
}

function providersOf(ports: Ports, openBuilder: OpenBuilder): Provider[] {
  return [
    ...portProviders(ports),
    { provide: ViewsGate, useFactory: () => gateOf(ports) },
    {
      provide: ProjectionsInFlight,
      useFactory: () =>
        new ProjectionsInFlight(ports.clock, (append) => {
          ports.logger.warn({ append }, 'A write takes long to project; the catch-up does it.');
        }),
    },
    {
      provide: StreamWriter,
      useFactory: (inFlight: ProjectionsInFlight, gate: ViewsGate) => {
        const { eventStore: store, records, clock, ids } = ports;
        const { singleProcess, recordsCommitWith } = ports.idempotency;
        const commitsTogether = recordsCommitWith === 'log';
        const checkpoint = new CheckpointKeeper(ports.views, clock);
        const tail = singleProcess ? undefined : new LogTail(store, () => checkpoint.read(), clock);
        const alone = { singleProcess, commitsTogether };
        return new StreamWriter({ store, records, clock, ids, inFlight, gate, tail, ...alone });
      },
      inject: [ProjectionsInFlight, ViewsGate],
    },
    {
      provide: REBUILD_PORTS,
      useFactory: (): RebuildPorts => ({
        store: ports.eventStore,
        clock: ports.clock,
        logger: ports.logger,
        replacement: ports.viewsReplacement,
        shared: ports.sharedViews,
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

/** The ports themselves, and what is made of one of them. */
function portProviders(ports: Ports): Provider[] {
  return [
    { provide: PORTS, useValue: ports },
    { provide: ENVIRONMENT, useValue: ports.environment },
    { provide: CLOCK, useValue: ports.clock },
    { provide: IDS, useValue: ports.ids },
    { provide: LOGGER, useValue: ports.logger },
    { provide: SUBJECT_KEY, useFactory: () => ports.subjectKey ?? randomBytes(32) },
    { provide: CALENDAR, useFactory: () => new TemporalCalendar() },
    { provide: EVENT_STORE, useValue: ports.eventStore },
    { provide: RECORDS, useValue: ports.records },
    { provide: VIEWS, useValue: ports.views },
    { provide: SMS_SENDER, useValue: ports.smsSender },
    { provide: KEY_ISSUER, useValue: ports.keyIssuer },
    { provide: PULL_SECRETS_KEY, useFactory: () => ports.pullSecretsKey ?? randomBytes(32) },
    { provide: PULL_HTTP, useFactory: () => ports.pullHttp ?? pullHttpOf(ports) },
    { provide: IDEMPOTENCY_SETTINGS, useValue: ports.idempotency },
    { provide: RECORDS_COMMIT_WITH, useValue: ports.idempotency.recordsCommitWith },
    { provide: PASSWORD_COST, useValue: ports.passwordCost ?? USUAL_PASSWORD_COST },
    { provide: STORE_PRESENCE, useValue: ports.presence },
    { provide: RATE_LIMITER_FACTORY, useFactory: () => rateLimitersOf(ports) },
  ];
}

function rateLimitersOf({ rateLimiters, records, clock }: Ports): RateLimiterFactory {
  return rateLimiters ?? keptRateLimiters(records, clock);
}

function pullHttpOf({ clock, environment }: Ports): UndiciPullHttp {
  return new UndiciPullHttp({ clock, ...(environment.pull_allow_private ? { isAllowed: () => true } : {}) });
}

function gateOf({ sharedViews }: Ports): ViewsGate {
  return new ViewsGate(sharedViews && (() => sharedViews.inUse.demandOpen()));
}

function tokenOf(provider: Provider) {
  return typeof provider === 'function' ? provider : provider.provide;
}

function storeCheck(name: string, store: EventStore | DocumentStore): ReadinessCheck {
  return { name, check: () => store.ping().then(() => ({ ok: true })) };
}
