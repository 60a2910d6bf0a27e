import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { locationDocument } from '../../locations/location-document.js';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import type { Logger } from '#kernel/logger.js';
import { CLOCK, ENVIRONMENT, EVENT_STORE, IDS, LOGGER, RECORDS, VIEWS } from '#kernel/injection-tokens.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { TOKEN_VERIFIERS } from '#web/authentication.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { type CompanyDocument } from '#domain/companies/index.js';
import { COMPANIES } from '#domain/companies/company.documents.js';
import { UnitLookup } from '#domain/locations/index.js';
import { LOCATIONS } from '#domain/locations/location.documents.js';
import { SmsSender, TenantSessions, TenantsModule } from '#domain/tenants/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { LoginApiModule } from '#api/tenant/login/login-api.module.js';
import { PassesOfErased } from '#domain/passes/index.js';
import { SharesOfErased } from '#api/operator/tenants/shares-of-erased.js';
import { TenantAdministration } from '#api/operator/tenants/tenant-administration.js';
import { OperatorTenantsController } from '#api/operator/tenants/operator-tenants.controller.js';
import { SmsUnavailableError } from '#domain/tenants/sms/sms.errors.js';
import { type Port, startModules } from '../../../support/modules.js';
import { COMPANY, LOCATION, OTHER_COMPANY, OTHER_LOCATION } from './world.js';
import { withMembers } from '../../../support/with-members.js';
import type { World } from './world.js';

export const OPERATOR_TOKEN = 'operator-token';

export interface SentMessage {
  readonly to: string;
  readonly body: string;
}

export interface TenantsApplication {
  readonly client: ReturnType<typeof request>;
  readonly sent: SentMessage[];
  /** Every line that was logged, as text. */
  readonly logged: string[];
  /** The keys that rate limits took a point of, in order. */
  readonly counted: string[];
  smsFails: boolean;
  get<T>(type: Type<T>): T;
  close(): Promise<void>;
}

/** The operator's side of tenants, without the rest of the operator API. */
@Module({
  imports: [LocationsModule, TenantsModule],
  controllers: [OperatorTenantsController],
  // These applications have no units and no passes.
  providers: [
    TenantAdministration,
    { provide: SharesOfErased, useValue: { endShares: () => Promise.resolve() } },
    { provide: PassesOfErased, useValue: { endPasses: () => Promise.resolve() } },
  ],
})
class OperatorTenantsApi {}

/** Tenants, and whatever else is named, behind the real request pipeline on a world's stores. */
export async function startTenantsApplication(
  world: World,
  modules: Type[] = [],
  providers: Port[] = [],
): Promise<TenantsApplication> {
  await seedPlaces(world);
  const sent: SentMessage[] = [];
  const logged: string[] = [];
  const counted: string[] = [];
  const state = { smsFails: false };
  const sms = {
    send(to: string, body: string) {
      if (state.smsFails) return Promise.reject(new SmsUnavailableError('status 500', 'unknown'));
      sent.push({ to, body });
      return Promise.resolve();
    },
    forget: () => Promise.resolve(),
  };
  const tenant = { verify: (token: string) => app.get(TenantSessions).verify(token) };
  const ports: Port[] = [
    { provide: CLOCK, useValue: world.clock },
    { provide: IDS, useValue: world.ids },
    { provide: ENVIRONMENT, useValue: readEnvironment({ DATA_DIR: world.folder }) },
    { provide: LOGGER, useValue: recordingLogger(logged) },
    { provide: RECORDS, useValue: toldCounts(world.records, counted) },
    { provide: VIEWS, useValue: world.views },
    { provide: DamagedStreams, useValue: new DamagedStreams() },
    { provide: EVENT_STORE, useValue: world.events },
    { provide: CommandRunner, useValue: world.writer },
    { provide: UnitLookup, useValue: { unit: () => Promise.resolve(undefined) } },
    { provide: SmsSender, useValue: sms },
    { provide: TOKEN_VERIFIERS, useValue: { tenant, operator: operatorVerifier } },
    ...providers,
  ];
  const app: INestApplication = await startModules(ports, {
    imports: [LoginApiModule, OperatorTenantsApi, ...modules],
  });
  return {
    client: request(app.getHttpServer() as App),
    sent,
    logged,
    counted,
    get: (type) => app.get(type, { strict: false }),
    close: () => app.close(),
    get smsFails() {
      return state.smsFails;
    },
    set smsFails(fails) {
      state.smsFails = fails;
    },
  };
}

const operatorVerifier = {
  verify: (token: string): Promise<OperatorPrincipal | undefined> =>
    Promise.resolve(
      token === OPERATOR_TOKEN
        ? {
            kind: 'operator',
            id: 'operator-1',
            role: 'admin',
            companies: null,
            sites: null,
            rights_version: 1,
          }
        : undefined,
    ),
};

async function seedPlaces({ views }: World): Promise<void> {
  await views.collection(COMPANIES);
  await views.collection(LOCATIONS);
  const company: CompanyDocument = {
    _id: COMPANY,
    revision: 0,
    company_id: COMPANY,
    name: 'Park Storage',
    created_at: 0,
    api_tokens: [],
    locations: [],
    last_hash: '',
    last_at: 0,
  };
  const location = (location_id: string, name: string) => locationDocument(location_id, COMPANY, { name });
  await views.write([
    { kind: 'put', collection: COMPANIES.name, document: company },
    {
      kind: 'put',
      collection: COMPANIES.name,
      document: { ...company, _id: OTHER_COMPANY, company_id: OTHER_COMPANY },
    },
    { kind: 'put', collection: LOCATIONS.name, document: location(LOCATION, 'Main St') },
    { kind: 'put', collection: LOCATIONS.name, document: location(OTHER_LOCATION, 'Oak Ave') },
  ]);
}

function recordingLogger(lines: string[]): Logger {
  const keep = (details: object, message: string) => {
    const errors = Object.values(details).map((value: unknown) =>
      value instanceof Error ? `${String(value)} ${value.stack ?? ''}` : JSON.stringify(value),
    );
    lines.push(`${message} ${errors.join(' ')}`);
  };
  return { error: keep, warn: keep, info: keep, debug: keep };
}

/** The records, which tell the keys that were counted. */
function toldCounts(records: DocumentStore, counted: string[]): DocumentStore {
  const count: DocumentStore['count'] = (name, by, milliseconds) => {
    if (by > 0) counted.push(name.slice(name.indexOf(' ') + 1));
    return records.count(name, by, milliseconds);
  };
  return withMembers(records, { count });
}
