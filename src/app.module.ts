import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import {
  AccessModule,
  DECISION_OBSERVER,
  TenantAccessCheck,
  TenantAccessViews,
  TenantLockEntitlement,
} from './access/index.js';
import { BackgroundWork } from './background-work.js';
import { ApiTokens, CompaniesModule, CompanyProjector } from './companies/index.js';
import { HourlyCheckpoints } from './hourly-checkpoints.js';
import { PROJECTORS, type Projector } from './writing/aggregate.js';
import { TOKEN_VERIFIERS, type TokenVerifiers } from './http/authentication.js';
import { PROJECTION_LAG } from './http/health.js';
import { HttpModule } from './http/http.module.js';
import { OPERATOR_RIGHTS, OWNERS, type Owners } from './http/operator-access.js';
import { TRAFFIC_OBSERVER } from './http/traffic-observer.js';
import {
  ActivityRecords,
  EntryPointActivityProjector,
  LOCK_ENTITLEMENT,
  LockActivityProjector,
  LocksModule,
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
import { DashboardModule } from './dashboard/index.js';
import { measuredLog, measuredRecords, MetricsModule, ServiceMetrics } from './metrics/index.js';
import { HistoryModule, LockoutDays, OPERATOR_NAMES, PULL_SOURCE_NAMES } from './history/index.js';
import { PULL_RUN_OBSERVER, PullModule, PullScheduler, PullSources } from './pull/index.js';
import { PushModule } from './push/index.js';
import type { ViewsBuilder } from './projecting/views-fill.js';
import { ViewsFiller } from './projecting/views-filler.js';
import { ViewsRebuild } from './projecting/views-rebuild.js';
import {
  LOCATION_POLICY_LISTENER,
  LocationsModule,
  LocationProjector,
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
import { UNIT_CHANGE_LISTENER, UnitDirectory, UnitsModule, UnitProjector } from './units/index.js';

/** Binds interfaces of features to the features that implement them. */
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
    HistoryModule,
  ],
  providers: [
    BackgroundWork,
    HourlyCheckpoints,
    ViewsFiller,
    ViewsRebuild,
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
      inject: [ActivityRecords],
    },
    {
      provide: UNIT_LOOKUP,
      useFactory: (units: UnitDirectory): UnitLookup => ({ unit: (unit_id) => units.byUnitId(unit_id) }),
      inject: [UnitDirectory],
    },
    {
      provide: PROJECTORS,
      // Locations before units: a batch may contain a location and its units, which are decided by the location's policy.
      useFactory: (...projectors: Projector<unknown>[]) => projectors,
      inject: [
        CompanyProjector,
        LocationProjector,
        UnitProjector,
        LockActivityProjector,
        EntryPointActivityProjector,
      ],
    },
    {
      provide: OWNERS,
      useFactory: ({ owners }: ThingOwners, sources: PullSources): Owners => ({
        ...owners,
        pull_source_id: ['pull_source_not_found', async (id) => (await sources.byId(id))?.company_id],
      }),
      inject: [ThingOwners, PullSources],
    },
    { provide: OPERATOR_RIGHTS, useExisting: Operators },
    {
      provide: TOKEN_VERIFIERS,
      useFactory: (
        api_token: ApiTokens,
        operator: OperatorSessions,
        tenant: TenantSessions,
      ): TokenVerifiers => ({ api_token, operator, tenant }),
      inject: [ApiTokens, OperatorSessions, TenantSessions],
    },
  ],
  exports: [
    BackgroundWork,
    ViewsRebuild,
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
    PROJECTORS,
    OPERATOR_RIGHTS,
    OWNERS,
    TOKEN_VERIFIERS,
  ],
})
class BindingsModule {}

/** The composition root: all modules of the service, on given ports. */
@Module({})
export class AppModule {
  /** Closing the application closes the stores of the ports. */
  static with(ports: Ports): DynamicModule {
    return AppModule.on(ports, [StoreClosing]);
  }

  /** As {@link with}, but the caller closes the stores. */
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
        // Express tries routes in this order, so the most frequent routes come first.
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

/** The parts of the service that write views, for a rebuild. The caller closes the ports. */
export async function openViewsBuilder(ports: Ports): Promise<ViewsBuilder> {
  const options = { logger: false, abortOnError: false } as const;
  const context = await NestFactory.createApplicationContext(AppModule.withLent(ports), options);
  return {
    projectors: context.get<Projector<unknown>[]>(PROJECTORS, { strict: false }),
    correct: async (...given) => {
      await context.get(TenantAccessCheck, { strict: false }).run(...given);
      await context.get(LockoutDays, { strict: false }).forget();
    },
    close: () => context.close(),
  };
}
