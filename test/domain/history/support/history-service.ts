import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { runParts } from '../../../support/command-runner.js';
import type { Server } from 'node:http';
import request from 'supertest';
import { TemporalCalendar, TenantAccessViews, UnitAccess } from '#domain/access/index.js';
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
import { readEnvironment } from '#kernel/environment/environment.js';
import { PROJECTORS } from '#eventsourcing/writing/projector.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { HistoryApiModule } from '#api/history/index.js';
import { TOKEN_VERIFIERS, type TokenVerifiers } from '#web/authentication.js';
import type { Principal, PrincipalKind } from '#kernel/principals.js';
import { KeyIssuer, LockEntitlement, LockActivityProjector, UnitActivity } from '#domain/locks/index.js';
import type { LockActivityReported } from '#domain/locks/core/activity.events.js';
import {
  DEFAULT_POLICY,
  LocationDirectory,
  locationStream,
  LocationProjector,
  UnitLookup,
} from '#domain/locations/index.js';
import type { LocationCommand } from '#domain/locations/core/location.commands.js';
import { LOCATION as LOCATIONS } from '#domain/locations/location.aggregate.js';
import { PERSONAL_DATA_HOLDERS, SmsSender } from '#domain/tenants/index.js';
import {
  UNIT,
  RentedUnits,
  UnitChangeListener,
  UnitDirectory,
  type UnitEvent,
  UnitProjector,
  unitStream,
} from '#domain/units/index.js';
import type { UnitCommand } from '#domain/units/core/unit.commands.js';
import { openEmbeddedWorld } from '../../../support/embedded-world.js';
import { startModules } from '../../../support/modules.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { worldsClock } from '../../../support/company-clocks.js';

export const COMPANY = 'company';
export const LOCATION = 'location';

const PRINCIPALS: Readonly<Record<string, Principal>> = {
  pms: { kind: 'api_token', id: 'token-1', company_id: COMPANY, scope: 'write' },
  stranger: { kind: 'api_token', id: 'token-2', company_id: 'another', scope: 'write' },
  operator: {
    kind: 'operator',
    id: 'operator-1',
    role: 'admin',
    companies: null,
    sites: null,
    rights_version: 1,
  },
};

const verifier = {
  verify: (token: string, kind: PrincipalKind) => {
    const principal = PRINCIPALS[token];
    return Promise.resolve(principal?.kind === kind ? principal : undefined);
  },
};
const verifiers: TokenVerifiers = { api_token: verifier, operator: verifier };

/** Histories over HTTP, on embedded stores that real writes fill: no part of the way is played. */
export async function startHistoryService() {
  const world = await openEmbeddedWorld();
  const calendar = new TemporalCalendar();
  const locations = new LocationDirectory(world.views);
  const clocks = worldsClock(world.clock);
  const access = new TenantAccessViews(world.views, clocks, calendar, locations);
  const units = new UnitProjector(world.views, access);
  const locationViews = new LocationProjector(world.events, world.views, access);
  const locks = new LockActivityProjector(world.views);
  const directory = new UnitDirectory(world.views);
  const activity = new UnitActivity(world.views);
  const bindings = [
    { provide: CLOCK, useValue: world.clock },
    { provide: EMBEDDED, useValue: true },
    { provide: IDS, useValue: world.ids },
    { provide: DamagedStreams, useValue: new DamagedStreams() },
    { provide: EVENT_STORE, useValue: world.events },
    { provide: RECORDS, useValue: world.records },
    { provide: VIEWS, useValue: world.views },
    { provide: CALENDAR, useValue: calendar },
    { provide: CommandRunner, useValue: world.writer },
    { provide: PROJECTORS, useValue: [units, locationViews, locks] },
    { provide: UnitChangeListener, useValue: access },
    { provide: RentedUnits, useValue: access },
    { provide: UnitLookup, useValue: world.lookup },
    { provide: SmsSender, useValue: { send: () => Promise.resolve() } },
    { provide: PERSONAL_DATA_HOLDERS, useValue: [] },
    { provide: LockEntitlement, useValue: {} },
    { provide: KeyIssuer, useValue: {} },
    { provide: LOGGER, useValue: silentLogger },
    { provide: ENVIRONMENT, useValue: readEnvironment({}) },
    { provide: TOKEN_VERIFIERS, useValue: verifiers },
  ];

  const application = await startModules(bindings, { imports: [HistoryApiModule] }, [
    [CompanyClocks, clocks],
  ]);
  const server = application.getHttpServer() as Server;

  let commands = 0;
  const context = (): WriteContext => {
    commands += 1;
    const actor = { kind: 'api_token' as const, id: 'token-1' };
    return { command_id: `command-${commands}`, request_id: `request-${commands}`, actor, recovering: false };
  };
  const service = {
    ...world,
    context,
    query: new UnitAccess(world.views, clocks, calendar, locations, activity),
    directory,
    async location(command: LocationCommand): Promise<void> {
      const [outcome] = await runParts(
        world.writer,
        { aggregate: LOCATIONS, states: locationViews.states, projector: locationViews },
        [{ stream: locationStream(LOCATION), command }],
        context(),
      );
      expect(outcome).toMatchObject({ kind: 'done' });
    },
    /** A change of the location that is in the log and in no view. */
    async unseen(command: LocationCommand): Promise<void> {
      await runParts(
        world.writer,
        { aggregate: LOCATIONS, states: locationViews.states },
        [{ stream: locationStream(LOCATION), command }],
        context(),
      );
    },
    async unit(crm_unit_id: string, command: UnitCommand): Promise<void> {
      const [outcome] = await runParts(
        world.writer,
        { aggregate: UNIT, states: units.states, projector: units },
        [{ stream: unitStream(COMPANY, crm_unit_id), command }],
        context(),
      );
      expect(outcome).toMatchObject({ kind: 'done' });
    },
    /** Many events in one write, whatever they say. */
    async changed(crm_unit_id: string, events: readonly UnitEvent[]): Promise<void> {
      const aggregate = { ...UNIT, decide: () => ({ events, result: undefined }) };
      const part = { stream: unitStream(COMPANY, crm_unit_id), command: undefined };
      await runParts(world.writer, { aggregate, states: units.states, projector: units }, [part], context());
    },
    async unlocked(lock_id: string, unit_id: string, occurred_at: number): Promise<void> {
      const event: LockActivityReported = {
        type: 'LockActivityReported',
        data: {
          log_id: world.ids.ulid(),
          company_id: COMPANY,
          location_id: LOCATION,
          tenant_id: 'ada',
          event: 'unlock',
          result: 'success',
          failure_code: null,
          occurred_at,
          recorded_at: world.clock.now(),
          battery_percent: null,
          client_log_hash: null,
          pass_id: null,
          lock_id,
          unit_id,
        },
      };
      const part = {
        stream: `lock-${lock_id}`,
        command: { type: 'RecordActivity', event, isLogged: false } as const,
      };
      await runParts(
        world.writer,
        { aggregate: locks.fold, states: locks.states, projector: locks },
        [part],
        context(),
      );
    },
    moveIn(crm_unit_id: string, tenant_id: string, move_in_date: string): Promise<void> {
      return service.unit(crm_unit_id, {
        type: 'MoveTenantIn',
        source: 'push',
        registration: {
          company_id: COMPANY,
          crm_unit_id,
          unit_id: unitIdOf(crm_unit_id),
          unit_name: undefined,
          location: { kind: 'known', location_id: LOCATION, given: false },
          present_location_code: undefined,
          on_other_location: 'refuse',
        },
        arrival: {
          tenant_id,
          pms_tenant_id: `pms ${tenant_id}`,
          move_in_date,
          ledger_id: undefined,
          tenancy_id: `${tenant_id} in ${crm_unit_id}`,
        },
      });
    },
    get(path: string, token = 'pms') {
      return request(server).get(path).set('Authorization', `Bearer ${token}`);
    },
    async stop(): Promise<void> {
      await application.close();
      await world.close();
    },
  };
  await service.location({
    type: 'OpenLocation',
    location_id: LOCATION,
    company_id: COMPANY,
    pms_location_code: 'main',
    name: 'Main St',
    policy: { ...DEFAULT_POLICY, timezone: 'America/Chicago' },
  });
  return service;
}

export type HistoryService = Awaited<ReturnType<typeof startHistoryService>>;

export function unitIdOf(crm_unit_id: string): string {
  return `id-of-${crm_unit_id}`;
}
