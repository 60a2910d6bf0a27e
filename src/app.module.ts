import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule, QueryBus } from '@nestjs/cqrs';
import {
  AccessModule,
  DECISION_OBSERVER,
  TenantAccessViews,
  TenantHoldingsReader,
  TenantLockEntitlement,
} from './access/index.js';
import { BackgroundPorts, BackgroundWork } from './background-work.js';
import { ApiTokens, CompaniesModule, CompanyProjection } from './companies/index.js';
import { HourlyCheckpoints } from './hourly-checkpoints.js';
import { PROJECTIONS, type Projection } from './writing/aggregate.js';
import {
  HttpModule,
  IDEMPOTENCY_SETTINGS,
  OWNERS,
  type Owners,
  PROJECTION_LAG,
  READ_AHEADS,
  type IdempotencySettings,
  TRAFFIC_OBSERVER,
  TOKEN_VERIFIERS,
  type TokenVerifiers,
} from './http/index.js';
import {
  ActivityMessages,
  EntryPointActivityProjection,
  LOCK_ENTITLEMENT,
  LockActivityProjection,
  LocksModule,
  LogReservations,
} from './locks/index.js';
import {
  OperatorModule,
  Operators,
  OperatorSessions,
  SANDBOX_CLOCK_LISTENER,
  type SandboxClockListener,
  ThingOwners,
} from './operator/index.js';
import type { Ports } from './adapters.js';
import { PortsModule, StoreClosing } from './ports.module.js';
import { readAheads } from './read-aheads.js';
import { DashboardModule } from './dashboard/index.js';
import { measuredLog, measuredRecords, MetricsModule, ServiceMetrics } from './metrics/index.js';
import { HistoryModule, OPERATOR_NAMES, PULL_SOURCE_NAMES } from './history/index.js';
import { PULL_RUN_OBSERVER, PullModule, PullScheduler, PullSources } from './pull/index.js';
import { PushModule } from './push/index.js';
import { RebuildRequests, SharedViews, type ViewsBuilder, ViewsRebuild } from './projecting/rebuild/index.js';
import {
  LOCATION_POLICY_LISTENER,
  LocationDirectory,
  LocationsModule,
  LocationProjection,
  UNIT_LOOKUP,
  type UnitLookup,
} from './locations/index.js';
import {
  LOGIN_OBSERVER,
  PERSONAL_DATA_HOLDERS,
  type PersonalDataHolder,
  TenantSessions,
  TenantsModule,
} from './tenants/index.js';
import { UNIT_CHANGE_LISTENER, UnitDirectory, UnitsModule, UnitProjection } from './units/index.js';

/** What features declare and other features are: the only place that knows both sides. */
@Global()
@Module({
  imports: [
    AccessModule,
    CompaniesModule,
    LocationsModule,
    LocksModule,
    OperatorModule,
    PullModule,
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
    { provide: TRAFFIC_OBSERVER, useExisting: ServiceMetrics },
    { provide: LOGIN_OBSERVER, useExisting: ServiceMetrics },
    { provide: DECISION_OBSERVER, useExisting: ServiceMetrics },
    { provide: PULL_RUN_OBSERVER, useExisting: ServiceMetrics },
    {
      provide: SANDBOX_CLOCK_LISTENER,
      useFactory: (scheduler: PullScheduler): SandboxClockListener => ({ advanced: () => scheduler.wake() }),
      inject: [PullScheduler],
    },
    { provide: UNIT_CHANGE_LISTENER, useExisting: TenantAccessViews },
    { provide: LOCATION_POLICY_LISTENER, useExisting: TenantAccessViews },
    { provide: OPERATOR_NAMES, useExisting: Operators },
    { provide: PULL_SOURCE_NAMES, useExisting: PullSources },
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
    {
      provide: READ_AHEADS,
      // Where the stores are in the process there is no wait to make use of.
      useFactory: (
        { singleProcess }: IdempotencySettings,
        ...[units, locations, holdings, queries]: [
          UnitDirectory,
          LocationDirectory,
          TenantHoldingsReader,
          QueryBus,
        ]
      ) => (singleProcess ? undefined : readAheads({ units, locations, holdings, queries })),
      inject: [IDEMPOTENCY_SETTINGS, UnitDirectory, LocationDirectory, TenantHoldingsReader, QueryBus],
    },
    {
      provide: OWNERS,
      useFactory: ({ owners }: ThingOwners, sources: PullSources): Owners => ({
        ...owners,
        pull_source_id: async (id) => (await sources.byId(id))?.company_id,
      }),
      inject: [ThingOwners, PullSources],
    },
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
    TRAFFIC_OBSERVER,
    LOGIN_OBSERVER,
    DECISION_OBSERVER,
    PULL_RUN_OBSERVER,
    LOCK_ENTITLEMENT,
    OPERATOR_NAMES,
    PULL_SOURCE_NAMES,
    PERSONAL_DATA_HOLDERS,
    SANDBOX_CLOCK_LISTENER,
    UNIT_CHANGE_LISTENER,
    LOCATION_POLICY_LISTENER,
    UNIT_LOOKUP,
    PROJECTIONS,
    OWNERS,
    READ_AHEADS,
    TOKEN_VERIFIERS,
  ],
})
class BindingsModule {}

/** The composition root: what the service is made of, on given ports. */
@Module({})
export class AppModule {
  /** Closing the application closes the stores of the ports. */
  static with(ports: Ports): DynamicModule {
    return AppModule.on(ports, [StoreClosing]);
  }

  /** As {@link with}, but the stores are somebody else's to close. */
  static withLent(ports: Ports): DynamicModule {
    return AppModule.on(ports, []);
  }

  private static on(ports: Ports, lifetime: Provider[]): DynamicModule {
    const metrics = new ServiceMetrics();
    const measured = {
      ...ports,
      eventStore: measuredLog(ports.eventStore, metrics),
      records: measuredRecords(ports.records, metrics),
    };
    return {
      module: AppModule,
      imports: [
        PortsModule.with(measured, openViewsBuilder, lifetime),
        MetricsModule.with(metrics),
        { ...{ module: CqrsModule }, global: true },
        BindingsModule,
        // Express tries the routes of modules in this order, one by one: what is asked most comes first.
        PushModule,
        AccessModule,
        LocksModule,
        HttpModule,
        HistoryModule,
        DashboardModule,
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
