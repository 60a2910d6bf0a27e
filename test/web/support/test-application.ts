import type { INestApplication, Type } from '@nestjs/common';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import type { Clock } from '#kernel/clock.js';
import { systemClock } from '#kernel/clock.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import { systemIds } from '#kernel/ids.js';
import type { Logger } from '#kernel/logger.js';
import { CLOCK, EMBEDDED, ENVIRONMENT, IDS, LOGGER, RECORDS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { TokenVerifier } from '#kernel/token-verifier.js';
import { TOKEN_VERIFIERS } from '#web/authentication.js';
import type { Principal, PrincipalKind } from '#kernel/principals.js';
import { ProjectionLag, READINESS_CHECKS, type ReadinessCheck } from '#web/health.js';
import { startModules } from '../../support/modules.js';
import { MemoryRecords } from './memory-records.js';
import { FaultsController, OperatorController, ThingsController, Work } from './test-controllers.js';

const PRINCIPALS: Record<string, Principal> = {
  'token-a': { kind: 'api_token', id: 'token-id-a', company_id: 'company-a', scope: 'write' },
  'token-b': { kind: 'api_token', id: 'token-id-b', company_id: 'company-b', scope: 'write' },
  'session-o': {
    kind: 'operator',
    id: 'operator-1',
    role: 'admin',
    companies: null,
    sites: null,
    rights_version: 1,
  },
  'tenant-t': {
    kind: 'tenant',
    id: 'tenant-1',
    company_id: 'company-a',
    location_id: 'location-1',
    session_id: 'session-1',
  },
};

const verifier = {
  verify: (token: string, kind: PrincipalKind) => {
    const principal = PRINCIPALS[token];
    return Promise.resolve(principal?.kind === kind ? principal : undefined);
  },
};

export interface LogEntry {
  readonly level: keyof Logger;
  readonly details: Record<string, unknown>;
  readonly message: string;
}

export interface TestOptions {
  readonly environment?: Record<string, string>;
  readonly records?: DocumentStore;
  readonly clock?: Clock;
  readonly embedded?: boolean;
  readonly checks?: ReadinessCheck[];
  readonly projection?: ProjectionLag['state'];
  readonly controllers?: Type[];
  readonly verifier?: TokenVerifier;
}

export interface TestApplication {
  readonly application: INestApplication;
  readonly url: string;
  readonly port: number;
  readonly client: ReturnType<typeof request>;
  readonly logged: LogEntry[];
  readonly work: Work;
  readonly records: DocumentStore;
  /** A PUT with a good body under a key, or without one. */
  put(key?: string, body?: object, path?: string): request.Test;
  close(): Promise<void>;
}

export const GOOD_BODY = { pms_tenant_id: 'T1', move_in_date: '2026-01-01' };

/** The pipeline around a few routes, on a port of its own. */
export async function startTestApplication(options: TestOptions = {}): Promise<TestApplication> {
  const logged: LogEntry[] = [];
  const write = (level: keyof Logger) => (details: object, message: string) =>
    void logged.push({ level, details: details as Record<string, unknown>, message });
  const logger: Logger = {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
  };
  const records = options.records ?? new MemoryRecords(options.clock ?? systemClock);
  const bindings = [
    { provide: CLOCK, useValue: options.clock ?? systemClock },
    { provide: IDS, useValue: systemIds },
    { provide: ENVIRONMENT, useValue: readEnvironment({ ACCESS_LOG: 'false', ...options.environment }) },
    { provide: LOGGER, useValue: logger },
    { provide: RECORDS, useValue: records },
    {
      provide: TOKEN_VERIFIERS,
      useValue: { api_token: options.verifier ?? verifier, operator: verifier, tenant: verifier },
    },
    { provide: READINESS_CHECKS, useValue: options.checks ?? [] },
    {
      provide: ProjectionLag,
      useValue: {
        state: options.projection ?? (() => Promise.resolve({ lag: 0, age_ms: 0, stalled: false })),
      },
    },
    { provide: EMBEDDED, useValue: options.embedded ?? false },
    { provide: Work, useClass: Work },
  ];
  const controllers = options.controllers ?? [ThingsController, OperatorController, FaultsController];
  const application = await startModules(bindings, { controllers });
  const { port } = (application.getHttpServer() as Server).address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const client = request(url);
  return {
    application,
    url,
    port,
    client,
    logged,
    work: application.get(Work),
    records,
    put(key, body = GOOD_BODY, path = '/api/v2/things/u1') {
      const call = client.put(path).set('Authorization', 'Bearer token-a');
      return (key === undefined ? call : call.set('Idempotency-Key', key)).send(body);
    },
    close: () => application.close(),
  };
}

/** Starts applications that are closed after the test. */
export function testApplications(): (options?: TestOptions) => Promise<TestApplication> {
  const open: TestApplication[] = [];
  afterEach(async () => {
    for (const application of open.splice(0)) await application.close();
  });
  return async (options = {}) => {
    const application = await startTestApplication(options);
    open.push(application);
    return application;
  };
}
