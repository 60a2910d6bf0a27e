import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { ACCESS_EVENT_TYPES } from '#domain/access/index.js';
import { COMPANY_EVENT_TYPES } from '#domain/companies/core/company.events.js';
import { ACTIVITY_EVENT_TYPES } from '#domain/locks/index.js';
import { LOCATION_EVENT_TYPES } from '#domain/locations/index.js';
import { OPERATOR_EVENT_TYPES } from '#domain/operators/core/operator.events.js';
import { PASS_EVENT_TYPES } from '#domain/passes/index.js';
import { PullScheduler } from '#pull/index.js';
import { PULL_SOURCE_EVENT_TYPES } from '#pull/core/pull-source.events.js';
import { TENANT_EVENT_TYPES, TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { UNIT_EVENT_TYPES } from '#domain/units/index.js';
import { json, SourceServer } from '../../pull/support/source-server.js';
import { runHere } from '../../support/command-process.js';
import type { Method, Parsed } from '../../support/http-client.js';
import { type Company, demand, Service } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** One read of a store, and its answer. */
export interface KeptAnswer {
  /** `operator`, or a token. */
  readonly as: string;
  readonly path: string;
  readonly data: unknown;
}

/** What is kept beside a store, to read it by. */
export interface KeptAnswers {
  /** When the reads were made, in milliseconds since 1970. */
  readonly now: number;
  readonly key: string;
  readonly answers: readonly KeptAnswer[];
  /** A write under a key, which is answered again. */
  readonly replay: {
    readonly token: string;
    readonly path: string;
    readonly body: object;
    readonly key: string;
  };
}

export const EVENT_TYPES = Object.keys({
  ...ACTIVITY_EVENT_TYPES,
  ...COMPANY_EVENT_TYPES,
  ...LOCATION_EVENT_TYPES,
  ...OPERATOR_EVENT_TYPES,
  ...PASS_EVENT_TYPES,
  ...PULL_SOURCE_EVENT_TYPES,
  ...TENANT_EVENT_TYPES,
  ...UNIT_EVENT_TYPES,
  ...ACCESS_EVENT_TYPES,
});

const run = promisify(execFile);

/** Everything that a store can hold, written once. */
class Story {
  readonly #reads: { as: string; path: string }[] = [];

  private constructor(
    private readonly service: Service,
    private readonly source: SourceServer,
  ) {}

  static async tell(service: Service, source: SourceServer): Promise<Omit<KeptAnswers, 'key'>> {
    return new Story(service, source).#tell();
  }

  async #tell(): Promise<Omit<KeptAnswers, 'key'>> {
    const { manualClock } = this.service;
    const company = await this.service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
    const location_id = company.locations.get('MAIN')!;
    await this.#location(location_id, company);
    const replay = await this.#pushes(company);
    await this.#units(company);
    await this.#tenants(company, location_id);
    await this.#operators();
    await this.#pulls(company);
    const sandbox = await this.service.sandbox();
    await sandbox.moveIn('S-1', { pms_tenant_id: 's-1' });
    await sandbox.advance(86_400);
    this.#read('operator', `/api/operator/companies/${sandbox.id}`);
    this.#read('operator', `/api/operator/companies/${company.id}/changes?limit=100`);
    manualClock.advance(60_000);
    // The first time marks the tokens as used.
    await this.#answers();
    return { now: manualClock.now(), answers: await this.#answers(), replay };
  }

  async #answers(): Promise<KeptAnswer[]> {
    const answers: KeptAnswer[] = [];
    for (const { as, path } of this.#reads) answers.push(await answerOf(this.service, as, path));
    return answers;
  }

  async #location(location_id: string, { id, token }: Company): Promise<void> {
    const at = `/locations/${location_id}`;
    const zone = await this.#operator('post', `${at}/zones`, { name: 'North' });
    const zone_ids = [zone.zone_id];
    const gate = await this.#operator('post', `${at}/entry-points`, { name: 'Gate', kind: 'gate', zone_ids });
    await this.#operator('patch', `/entry-points/${gate.entry_point_id}`, { name: 'Front gate' });
    await this.#operator('get', `/entry-points/${gate.entry_point_id}/provisioning`);
    await this.#operator('patch', at, { name: 'Main Street', grace_period_days: 3, balance_threshold: 10 });
    const rows = ['A-1', 'A-2', 'A-3'].map((unit) => ({ unit, zone: 'North', lock: `Lock ${unit}` }));
    await this.#operator('post', `/companies/${id}/api-tokens`, { name: 'Second' });
    const { token_id } = await this.#operator('post', `/companies/${id}/api-tokens`, { name: 'Leaked' });
    await this.#operator('delete', `/companies/${id}/api-tokens/${token_id}`);
    for (const unit of ['A-1', 'A-2', 'A-3'])
      demand(
        201,
        await this.service.call('put', `/api/v2/units/${unit}/tenancy`, { token, body: movedIn(unit) }),
      );
    await this.#operator('post', `${at}/setup`, { rows });
    this.#read('operator', `/api/operator/companies/${id}/api-tokens`);
    for (const what of ['', '/zones', '/entry-points', '/locks'])
      this.#read('operator', `/api/operator${at}${what}`);
  }

  async #pushes(company: Company): Promise<KeptAnswers['replay']> {
    const { token } = company;
    const path = '/api/v2/units/A-4/tenancy';
    const replay = { token, path, body: movedIn('A-4'), key: 'a key of the first release' };
    demand(201, await this.#keyed(replay));
    const unit = { crm_unit_id: 'B-1', occupied: true, pms_location_code: 'MAIN', tenant: PERSON };
    demand(
      200,
      await company.sync([
        { ...unit, ...FACTS },
        { crm_unit_id: 'B-2', occupied: false },
      ]),
    );
    demand(200, await company.patch('A-2', { balance_due: 80, paid_through_date: '2025-12-20' }));
    demand(200, await company.patch('A-3', { pms_lockout: true }));
    demand(200, await company.moveOut('A-4'));
    for (const unitPath of ['A-1', 'A-2', 'A-3', 'A-4', 'B-1', 'B-2'].map((name) => `/api/v2/units/${name}`))
      for (const what of ['', '/history', '/explain']) this.#read(token, `${unitPath}${what}`);
    this.#read(token, '/api/v2/units?limit=50');
    this.#read(token, '/api/v2/events?limit=100');
    return replay;
  }

  #keyed({ token, path, body, key }: KeptAnswers['replay']) {
    return this.service.call('put', path, { token, body, headers: { 'Idempotency-Key': key } });
  }

  async #units(company: Company): Promise<void> {
    const [first, second] = [await company.unit('A-1'), await company.unit('A-2')];
    const at = `/units/${first.unit_id}`;
    await this.#operator('put', `${at}/override`, { override: 'lockout', reason: 'Asked for by the court' });
    await this.#operator('delete', `${at}/override`);
    await this.#operator('put', `/units/${second.unit_id}/override`, {
      override: 'exempt',
      reason: 'Paid in cash',
    });
    await this.#operator('patch', `${at}/name`, { unit_name: 'Corner' });
    const location = `/locations/${company.locations.get('MAIN')}`;
    const { locks } = await this.#operator('get', `${location}/locks`);
    const { lock_id } = locks[0]!;
    await this.#operator('get', `/locks/${lock_id}/provisioning`);
    await this.#operator('delete', `${at}/locks/${lock_id}`);
    await this.#operator('put', `${at}/locks/${lock_id}`);
    const { zones } = await this.#operator('get', `${location}/zones`);
    const zoned = `/zones/${zones[0]!.zone_id}/units/${first.unit_id}`;
    await this.#operator('delete', zoned);
    await this.#operator('put', zoned);
    const { unit_id } = await this.#operator('post', `${location}/units`, { crm_unit_id: 'OFFICE' });
    await this.#operator('put', `/units/${unit_id}/retired`);
    await this.#operator('delete', `/units/${unit_id}/retired`);
    this.#read('operator', `/api/operator${at}`);
    this.#read('operator', `/api/operator/units/${unit_id}`);
    this.#read('operator', `/api/operator/locks/${lock_id}/activity`);
  }

  async #tenants(company: Company, location_id: string): Promise<void> {
    const named = async (pms_tenant_id: string) =>
      (
        await this.service.part(TenantAccounts).find([{ company_id: company.id, location_id, pms_tenant_id }])
      )[0]!;
    const [ada, friend, gone] = [await named('t-A-1'), await named('t-A-2'), await named('t-A-4')];
    const { unit_id } = await company.unit('A-1');
    const { unit_id: other } = await company.unit('A-2');
    await this.#operator('put', `/units/${unit_id}/shares/${friend.tenant_id}`);
    await this.#operator('put', `/units/${other}/shares/${ada.tenant_id}`);
    await this.#operator('delete', `/units/${other}/shares/${ada.tenant_id}`);
    await this.#operator('patch', `/tenants/${ada.tenant_id}`, { name: 'Ada Park', phone: '+15550000001' });
    await this.#operator('delete', `/tenants/${friend.tenant_id}/sessions`);
    await this.#operator('delete', `/tenants/${gone.tenant_id}/personal-data`);
    const { token } = await this.service.part(TenantSessions).begin(ada);
    const access = demand(200, await this.service.call('get', '/api/v2/tenant/access', { token }));
    const occurred_at = new Date(this.service.clock.now()).toISOString();
    for (const [kind, id] of [
      ['locks', access.units[0].locks[0].lock_id],
      ['entry-points', access.entry_points[0].entry_point_id],
    ])
      demand(
        201,
        await this.service.call('post', `/api/v2/${kind}/${id}/logs`, {
          token,
          body: { event: 'unlock', result: 'success', occurred_at, client_log_id: `${kind}-1` },
        }),
      );
    this.#read(token, '/api/v2/tenant/access');
    this.#read('operator', `/api/operator/tenants/${ada.tenant_id}`);
    this.#read('operator', `/api/operator/tenants/${gone.tenant_id}`);
  }

  async #operators(): Promise<void> {
    const one = { email: 'eve@example.com', password: 'a password that is long enough', role: 'manager' };
    const { operator_id } = await this.#operator('post', '/operators', one);
    await this.#operator('patch', `/operators/${operator_id}`, { role: 'auditor' });
    const signIn = async (code?: string) =>
      demand(
        201,
        await this.service.call('post', '/api/operator/sessions', {
          body: { email: one.email, password: one.password, ...(code === undefined ? {} : { code }) },
        }),
      ).token as string;
    const changed = { current: one.password, next: 'a password that eve has chosen' };
    await this.service.call('patch', '/api/operator/session/password', {
      token: await signIn(),
      body: changed,
    });
    one.password = changed.next;
    let token = await signIn();
    const own = async (method: Method, what: string, body: object) =>
      demand(200, await this.service.call(method, `/api/operator/session/${what}`, { token, body }));
    const { setup, secret } = await own('post', 'second-factor', { current: one.password });
    const codeOf = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: this.service.clock.now() });
    const { recovery_codes } = await own('put', 'second-factor', { setup, code: codeOf() });
    token = await signIn(recovery_codes[0]);
    this.service.manualClock.advance(30_000);
    await own('post', 'second-factor/removal', { current: one.password, code: codeOf() });
    await own('patch', 'password', { current: one.password, next: 'another password, also long' });
    const { operator_id: invited } = await this.#operator('post', '/operators', {
      email: 'mei@example.com',
      role: 'auditor',
    });
    await this.#operator('delete', `/operators/${invited}/invitation`);
    await this.#operator('post', `/operators/${invited}/invitation`);
    const leaver = { ...one, email: 'max@example.com' };
    const { operator_id: left } = await this.#operator('post', '/operators', leaver);
    await this.#operator('delete', `/operators/${left}`);
    this.#read('operator', '/api/operator/operators');
  }

  async #pulls({ id }: Company): Promise<void> {
    const body = { name: 'PMS', url: this.source.url(), interval_seconds: 3_600 };
    const { pull_source_id } = await this.#operator('post', `/companies/${id}/pull-sources`, body);
    const path = `/pull-sources/${pull_source_id}`;
    await this.#operator('post', `${path}/runs`);
    await this.service.part(PullScheduler).settled();
    await this.#operator('patch', path, { enabled: false });
    this.#read('operator', `/api/operator${path}`);
    this.#read('operator', `/api/operator${path}/runs`);
  }

  async #operator(method: Method, path: string, body?: object): Promise<Parsed> {
    const answer = await this.service.operator(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body.data;
  }

  #read(as: string, path: string): void {
    this.#reads.push({ as, path });
  }
}

const PERSON = { pms_tenant_id: 't-B-1', first_name: 'Bo', last_name: 'Moss', phone: '+15550000002' };
const FACTS = { move_in_date: '2025-11-01', paid_through_date: '2026-01-31', balance_due: 0 };

function movedIn(unit: string): object {
  return { pms_tenant_id: `t-${unit}`, move_in_date: '2025-12-01', pms_location_code: 'MAIN' };
}

/** Reads a path under the token, or as the operator of all tests. */
export async function answerOf(service: Service, as: string, path: string): Promise<KeptAnswer> {
  const token = as === 'operator' ? await service.operatorToken() : as;
  return { as, path, data: demand(200, await service.call('get', path, { token })) };
}

/** Writes the store of a release into an empty folder: the data, a backup of them, and answers. */
export async function keepStore(folder: string): Promise<void> {
  const scratch = await temporaryFolder();
  const source = await SourceServer.start();
  source.always(json({ units: [] }));
  const service = await Service.start({ environment: { PULL_ALLOW_PRIVATE: 'true' } });
  try {
    const told = await Story.tell(service, source);
    await service.restart();
    const backup = join(scratch.path, 'backup');
    const { status, stderr } = await runHere(['backup', backup], { DATA_DIR: service.path });
    if (status !== 0) throw new Error(stderr);
    const { stdout: key } = await runHere(['audit', 'key'], { DATA_DIR: service.path });
    await mkdir(folder, { recursive: true });
    await run('tar', ['-czf', join(folder, 'backup.tar.gz'), '-C', backup, '.']);
    await service.close(async () => {
      await run('tar', ['-czf', join(folder, 'data.tar.gz'), '-C', service.path, '.']);
    });
    const kept: KeptAnswers = { ...told, key: key.trim() };
    await writeFile(join(folder, 'answers.json'), `${JSON.stringify(kept)}\n`);
  } finally {
    await source.close();
    await scratch.remove();
  }
}
