import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { DamageRecords } from '#eventsourcing/projecting/damage-records.js';
import { DamageWatch } from '#eventsourcing/projecting/damage-watch.js';
import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import {
  AccessModule,
  DecisionObserver,
  ShareNames,
  TenantAccessCheck,
  TenantAccessViews,
  TenantLockEntitlement,
} from '#domain/access/index.js';
import {
  AnnouncedProjector,
  AnnouncementObserver,
  AnnouncementsModule,
  AnnouncerProgress,
  LookListener,
} from '#domain/announcements/index.js';
import { BackgroundWork } from './background-work.js';
import { ApiTokens, CompaniesModule, CompanyProjector } from '#domain/companies/index.js';
import { HourlyCheckpoints } from './hourly-checkpoints.js';
import { NoticeErasure, NoticeMarks, NoticeObserver, NoticesModule } from '#domain/notices/index.js';
import { SummariesModule, SummaryFigures, SummaryObserver } from '#domain/summaries/index.js';
import { PROJECTORS, type Projector } from '#eventsourcing/writing/projector.js';
import { TOKEN_VERIFIERS, type TokenVerifiers } from '#web/authentication.js';
import { ProjectionLag } from '#web/health.js';
import { HttpModule } from '#web/http.module.js';
import { WebhookObserver, WebhookDeliveries, Webhooks, WebhooksModule } from '#domain/webhooks/index.js';
import type { Owner } from '#kernel/principals.js';
import { OperatorRightsCheck, OWNERS, type Owners } from '#web/operator-access.js';
import { TrafficObserver } from '#web/traffic-observer.js';
import {
  ActivityRecords,
  EntryPointActivityProjector,
  LockEntitlement,
  LockActivityProjector,
  LocksModule,
} from '#domain/locks/index.js';
import {
  ALL_STAFF_STREAMS,
  OperatorApiModule,
  SandboxClockListener,
  ThingOwners,
  TodayFigures,
} from '#api/operator/index.js';
import { Operators, OperatorSessions, OperatorsModule } from '#domain/operators/index.js';
import {
  PassDirectory,
  PassesModule,
  PassesOfErased,
  PassProjector,
  PassRecords,
} from '#domain/passes/index.js';
import type { Ports } from './adapters.js';
import { PortsModule, StoreClosing } from './ports.module.js';
import { DashboardModule } from '#dashboard/index.js';
import { measuredLog, measuredRecords, MetricsModule, ServiceMetrics } from '#api/metrics/index.js';
import {
  HistoryModule,
  LockoutDays,
  OPERATOR_NAMES,
  PULL_SOURCE_NAMES,
  STAFF_STREAMS,
  StaffGathering,
} from '#domain/history/index.js';
import { PullRunObserver, PullModule, PullScheduler, PullSources } from '#pull/index.js';
import { PushModule } from '#api/push/index.js';
import { HistoryApiModule } from '#api/history/index.js';
import {
  GUEST_KEEPERS,
  type GuestKeeper,
  ShareRecords,
  SharingErasure,
  SharingModule,
} from '#domain/sharing/index.js';
import { TENANT_API_MODULES } from '#api/tenant/index.js';
import type { ViewsBuilder } from '#eventsourcing/projecting/views-fill.js';
import { ViewsFiller } from '#eventsourcing/projecting/views-filler.js';
import { ViewsLeader, ViewsRebuild } from '#eventsourcing/projecting/views-rebuild.js';
import {
  LocationPolicyListener,
  LocationsModule,
  LocationProjector,
  UnitLookup,
} from '#domain/locations/index.js';
import {
  LoginObserver,
  PERSONAL_DATA_HOLDERS,
  type PersonalDataHolder,
  TenantSessions,
  TenantsModule,
} from '#domain/tenants/index.js';
import {
  RentedUnits,
  UnitChangeListener,
  UnitDirectory,
  UnitsModule,
  UnitProjector,
} from '#domain/units/index.js';

/** Interfaces of features, bound to the features that implement them. */
const BINDINGS: readonly Exclude<Provider, Type>[] = [
  { provide: ProjectionLag, useExisting: BackgroundWork },
  { provide: ViewsLeader, useExisting: BackgroundWork },
  { provide: TrafficObserver, useExisting: ServiceMetrics },
  { provide: LoginObserver, useExisting: ServiceMetrics },
  { provide: DecisionObserver, useExisting: ServiceMetrics },
  { provide: PullRunObserver, useExisting: ServiceMetrics },
  { provide: AnnouncementObserver, useExisting: ServiceMetrics },
  { provide: WebhookObserver, useExisting: ServiceMetrics },
  { provide: NoticeObserver, useExisting: ServiceMetrics },
  { provide: SummaryObserver, useExisting: ServiceMetrics },
  { provide: SummaryFigures, useExisting: TodayFigures },
  { provide: ShareNames, useExisting: ShareRecords },
  { provide: LookListener, useExisting: NoticeMarks },
  {
    provide: SandboxClockListener,
    useFactory: (scheduler: PullScheduler): SandboxClockListener => ({ advanced: () => scheduler.wake() }),
    inject: [PullScheduler],
  },
  { provide: UnitChangeListener, useExisting: TenantAccessViews },
  { provide: RentedUnits, useExisting: TenantAccessViews },
  { provide: LocationPolicyListener, useExisting: TenantAccessViews },
  { provide: OPERATOR_NAMES, useExisting: Operators },
  { provide: PULL_SOURCE_NAMES, useExisting: PullSources },
  { provide: STAFF_STREAMS, useValue: ALL_STAFF_STREAMS },
  { provide: LockEntitlement, useExisting: TenantLockEntitlement },
  {
    provide: PERSONAL_DATA_HOLDERS,
    useFactory: (...holders: PersonalDataHolder[]) => holders,
    inject: [ActivityRecords, NoticeErasure, PassRecords, SharingErasure],
  },
  {
    provide: GUEST_KEEPERS,
    useFactory: (passes: PassDirectory, ended: PassesOfErased): GuestKeeper[] => [
      {
        keepsGuest: async (tenant_id, since) => (await passes.heldSince(tenant_id, since)).length > 0,
        endForErased: (tenant_id, context) => ended.endPasses(tenant_id, context),
      },
    ],
    inject: [PassDirectory, PassesOfErased],
  },
  {
    provide: UnitLookup,
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
      AnnouncedProjector,
      PassProjector,
    ],
  },
  {
    provide: OWNERS,
    useFactory: (
      { owners }: ThingOwners,
      sources: PullSources,
      webhooks: Webhooks,
      deliveries: WebhookDeliveries,
    ): Owners => ({
      ...owners,
      webhook_id: ['webhook_not_found', async (id) => companyOf(await webhooks.readWebhook(id))],
      delivery_id: ['delivery_not_found', async (id) => companyOf(await deliveries.readDelivery(id))],
      pull_source_id: ['pull_source_not_found', async (id) => companyOf(await sources.byId(id))],
    }),
    inject: [ThingOwners, PullSources, Webhooks, WebhookDeliveries],
  },
  { provide: OperatorRightsCheck, useExisting: Operators },
  {
    provide: TOKEN_VERIFIERS,
    useFactory: (
      api_token: ApiTokens,
      operator: OperatorSessions,
      tenant: TenantSessions,
    ): TokenVerifiers => ({ api_token, operator, tenant }),
    inject: [ApiTokens, OperatorSessions, TenantSessions],
  },
];

/** Makes {@link BINDINGS} known to every module. */
@Global()
@Module({
  imports: [
    AccessModule,
    AnnouncementsModule,
    CompaniesModule,
    LocationsModule,
    LocksModule,
    NoticesModule,
    OperatorApiModule,
    OperatorsModule,
    SummariesModule,
    PassesModule,
    PullModule,
    SharingModule,
    TenantsModule,
    UnitsModule,
    HistoryModule,
    WebhooksModule,
  ],
  providers: [BackgroundWork, DamageWatch, HourlyCheckpoints, ViewsFiller, ViewsRebuild, ...BINDINGS],
  exports: [BackgroundWork, DamageWatch, ViewsRebuild, ...BINDINGS.map(({ provide }) => provide)],
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
      eventStore: soundLog(ports, metrics),
      records: measuredRecords(ports.records, metrics),
    };
    return {
      module: AppModule,
      imports: [
        PortsModule.with(measured, openViewsBuilder, lifetime),
        MetricsModule.with(metrics),
        { module: CqrsModule, global: true } satisfies DynamicModule,
        BindingsModule,
        // Express tries routes in this order, so the most frequent routes come first.
        PushModule,
        ...TENANT_API_MODULES,
        HttpModule,
        HistoryApiModule,
        DashboardModule,
      ],
    };
  }
}

/** The caller may have wrapped the log already, such as a command or the rebuild of the views: then it is not wrapped twice. */
function soundLog({ eventStore, views, logger }: Ports, metrics: ServiceMetrics): SoundStreams {
  if (eventStore instanceof SoundStreams) return eventStore;
  const records = new DamageRecords(views, (line) => logger.error({}, line));
  return new SoundStreams(measuredLog(eventStore, metrics), new DamagedStreams(records));
}

/** The parts of the service that write views, for a rebuild. The caller closes the ports. */
export async function openViewsBuilder(ports: Ports): Promise<ViewsBuilder> {
  const options = { logger: false, abortOnError: false } as const;
  const context = await NestFactory.createApplicationContext(AppModule.withLent(ports), options);
  return {
    projectors: context.get<Projector<unknown>[]>(PROJECTORS, { strict: false }),
    derived: context.get(TenantAccessCheck, { strict: false }),
    forgetCounts: async () => {
      await context.get(LockoutDays, { strict: false }).forget();
      await context.get(AnnouncerProgress, { strict: false }).forget();
      await context.get(StaffGathering, { strict: false }).forget();
    },
    close: () => context.close(),
  };
}

function companyOf(thing: Pick<Owner, 'company_id'> | undefined): Owner | undefined {
  return thing && { company_id: thing.company_id };
}
