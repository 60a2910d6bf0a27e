import { randomBytes } from 'node:crypto';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AccessModule, TemporalCalendar, TenantAccessViews, TenantLockEntitlement } from './access/index.js';
import { BackgroundPorts, BackgroundWork } from './background-work.js';
import { ApiTokens, CompaniesModule, CompanyProjection } from './companies/index.js';
import {
  CALENDAR,
  CLOCK,
  COMMITS_TOGETHER,
  ENVIRONMENT,
  EVENT_STORE,
  IDS,
  LOGGER,
  RECORDS,
  SUBJECT_KEY,
  VIEWS,
} from './config/injection-tokens.js';
import { HourlyCheckpoints } from './hourly-checkpoints.js';
import type { DocumentStore } from './documents/document-store.js';
import type { EventStore } from './log/event-store.js';
import { PROJECTIONS, type Projection } from './writing/aggregate.js';
import { CheckpointKeeper } from './projecting/checkpoint-keeper.js';
import { LogTail } from './writing/log-tail.js';
import { ProjectionsInFlight } from './writing/projections-in-flight.js';
import { StreamWriter } from './writing/stream-writer.js';
import { ViewsGate } from './writing/views-gate.js';
import {
  HttpModule,
  IDEMPOTENCY_SETTINGS,
  memoryRateLimiters,
  OWNERS,
  PROJECTION_LAG,
  RATE_LIMITER_FACTORY,
  READINESS_CHECKS,
  STORE_PRESENCE,
  type ReadinessCheck,
  TOKEN_VERIFIERS,
  type TokenVerifiers,
} from './http/index.js';
import {
  ActivityMessages,
  EntryPointActivityProjection,
  KEY_ISSUER,
  LOCK_ENTITLEMENT,
  LockActivityProjection,
  LocksModule,
  LogReservations,
} from './locks/index.js';
import {
  OperatorModule,
  Operators,
  OperatorSessions,
  PASSWORD_COST,
  ThingOwners,
  USUAL_PASSWORD_COST,
} from './operator/index.js';
import type { Ports } from './adapters.js';
import { HistoryModule, OPERATOR_NAMES } from './history/index.js';
import { PushModule } from './push/index.js';
import {
  REBUILD_PORTS,
  type RebuildPorts,
  RebuildRequests,
  SharedViews,
  type ViewsBuilder,
  ViewsRebuild,
} from './projecting/rebuild/index.js';
import {
  LOCATION_POLICY_LISTENER,
  LocationsModule,
  LocationProjection,
  UNIT_LOOKUP,
  type UnitLookup,
} from './locations/index.js';
import {
  PERSONAL_DATA_HOLDERS,
  type PersonalDataHolder,
  SMS_SENDER,
  TenantSessions,
  TenantsModule,
} from './tenants/index.js';
import { UNIT_CHANGE_LISTENER, UnitDirectory, UnitsModule, UnitProjection } from './units/index.js';

const PORTS = Symbol('Ports');

/** Closes the stores after everything that uses them has stopped. */
class StoreClosing implements OnApplicationShutdown {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async onApplicationShutdown(): Promise<void> {
    await this.ports.eventStore.close();
    await this.ports.records.close();
    await this.ports.views.close();
  }
}

/** The outer world, for every module. */
@Global()
@Module({})
class PortsModule {
  static with(ports: Ports, lifetime: Provider[]): DynamicModule {
    const providers: Provider[] = [
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
      { provide: IDEMPOTENCY_SETTINGS, useValue: ports.idempotency },
      { provide: COMMITS_TOGETHER, useValue: ports.idempotency.commitsInOrder },
      { provide: PASSWORD_COST, useValue: ports.passwordCost ?? USUAL_PASSWORD_COST },
      { provide: STORE_PRESENCE, useValue: ports.presence },
      { provide: RATE_LIMITER_FACTORY, useFactory: () => ports.rateLimiters ?? memoryRateLimiters },
      { provide: ViewsGate, useFactory: () => gateOf(ports) },
      {
        provide: ProjectionsInFlight,
        useFactory: () =>
          new ProjectionsInFlight(ports.clock, (append) => {
            ports.logger.error({ append }, 'A write did not end its projection; the catch-up does it.');
          }),
      },
      {
        provide: StreamWriter,
        useFactory: (inFlight: ProjectionsInFlight, gate: ViewsGate) => {
          const { eventStore: store, records, clock, ids } = ports;
          const { singleProcess } = ports.idempotency;
          const checkpoint = new CheckpointKeeper(ports.views, clock);
          const tail = singleProcess ? undefined : new LogTail(store, () => checkpoint.read(), clock);
          return new StreamWriter({ store, records, clock, ids, inFlight, gate, singleProcess, tail });
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
          openBuilder: (views) => openViewsBuilder({ ...ports, views }),
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
    return { module: PortsModule, providers: [...providers, ...lifetime], exports: providers.map(tokenOf) };
  }
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

/** What features declare and other features are: the only place that knows both sides. */
@Global()
@Module({
  imports: [
    AccessModule,
    CompaniesModule,
    LocationsModule,
    LocksModule,
    OperatorModule,
    TenantsModule,
    UnitsModule,
  ],
  providers: [
    BackgroundPorts,
    BackgroundWork,
    HourlyCheckpoints,
    ViewsRebuild,
    SharedViews,
    RebuildRequests,
    { provide: PROJECTION_LAG, useExisting: BackgroundWork },
    { provide: UNIT_CHANGE_LISTENER, useExisting: TenantAccessViews },
    { provide: LOCATION_POLICY_LISTENER, useExisting: TenantAccessViews },
    { provide: OPERATOR_NAMES, useExisting: Operators },
    { provide: LOCK_ENTITLEMENT, useExisting: TenantLockEntitlement },
    {
      provide: PERSONAL_DATA_HOLDERS,
      useFactory: (...holders: PersonalDataHolder[]) => holders,
      inject: [ActivityMessages, LogReservations],
    },
    {
      provide: UNIT_LOOKUP,
      useFactory: (units: UnitDirectory): UnitLookup => ({ unit: (unit_id) => units.byUnitId(unit_id) }),
      inject: [UnitDirectory],
    },
    {
      provide: PROJECTIONS,
      // Locations before units: a unit's decision is made with its location's policy, which a batch of the log may bring with it.
      useFactory: (...projections: Projection<unknown>[]) => projections,
      inject: [
        CompanyProjection,
        LocationProjection,
        UnitProjection,
        LockActivityProjection,
        EntryPointActivityProjection,
      ],
    },
    { provide: OWNERS, useFactory: ({ owners }: ThingOwners) => owners, inject: [ThingOwners] },
    {
      provide: TOKEN_VERIFIERS,
      useFactory: (api: ApiTokens, operators: OperatorSessions, tenants: TenantSessions): TokenVerifiers => ({
        api_token: { verify: (_kind, token) => api.verify(token) },
        operator: { verify: (_kind, token) => operators.verify(token) },
        tenant: tenants,
      }),
      inject: [ApiTokens, OperatorSessions, TenantSessions],
    },
  ],
  exports: [
    BackgroundWork,
    PROJECTION_LAG,
    LOCK_ENTITLEMENT,
    OPERATOR_NAMES,
    PERSONAL_DATA_HOLDERS,
    UNIT_CHANGE_LISTENER,
    LOCATION_POLICY_LISTENER,
    UNIT_LOOKUP,
    PROJECTIONS,
    OWNERS,
    TOKEN_VERIFIERS,
  ],
})
class BindingsModule {}

/** The composition root: what the service is made of, on given ports. */
@Module({})
export class AppModule {
  /** Closing the application closes the stores of the ports. */
  static with(ports: Ports): DynamicModule {
    return AppModule.on(PortsModule.with(ports, [StoreClosing]));
  }

  /** As {@link with}, but the stores are somebody else's to close. */
  static withLent(ports: Ports): DynamicModule {
    return AppModule.on(PortsModule.with(ports, []));
  }

  private static on(ports: DynamicModule): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ports,
        { ...{ module: CqrsModule }, global: true },
        BindingsModule,
        HttpModule,
        PushModule,
        HistoryModule,
      ],
    };
  }
}

/** The parts of the service that make views, on given ports, which stay open. */
export async function openViewsBuilder({ sharedViews: _, ...ports }: Ports): Promise<ViewsBuilder> {
  const options = { logger: false, abortOnError: false } as const;
  const context = await NestFactory.createApplicationContext(AppModule.withLent(ports), options);
  return {
    projections: context.get<Projection<unknown>[]>(PROJECTIONS, { strict: false }),
    sweep: () => context.get(TenantAccessViews, { strict: false }).sweep(),
    close: () => context.close(),
  };
}
