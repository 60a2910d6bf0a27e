import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Answer, type Parsed } from '../../../support/http-client.js';
import { type Company, demand, type Service } from '../../../support/service.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let phones = 0;
/** A number that nobody has yet, without the country code. */
export function newNumber(): string {
  phones += 1;
  return `31255${String(phones).padStart(5, '0')}`;
}

type Call = (
  method: 'get' | 'post' | 'delete',
  path?: string,
  body?: object,
  key?: string,
) => Promise<Answer>;

/** The app of an account. */
export interface App {
  readonly tenant_id: string;
  readonly shares: Call;
  access(): Promise<Parsed>;
}

/** A company whose location lets tenants share, with the unit A-1 of a tenant who has a phone. */
export class SharingWorld {
  private constructor(
    readonly service: Service,
    readonly company: Company,
    readonly location_id: string,
    readonly unit_id: string,
    readonly tenant: App,
    readonly tenant_phone: string,
  ) {}

  static async make(service: Service): Promise<SharingWorld> {
    const company = await service.company({ pms_location_code: 'MAIN', name: 'Main St' });
    const location_id = company.locations.get('MAIN')!;
    const { unit_id } = demand(201, await company.moveIn('A-1'));
    const world = new SharingWorld(service, company, location_id, unit_id, undefined as never, '');
    await world.setSharing(true);
    const tenant_id = await world.tenantOf(unit_id);
    const tenant_phone = `+1${newNumber()}`;
    const details = { name: 'Ada Park', phone: tenant_phone };
    demand(200, await service.operator('patch', `/tenants/${tenant_id}`, details));
    const tenant = await world.appOf(tenant_id);
    return new SharingWorld(service, company, location_id, unit_id, tenant, tenant_phone);
  }

  async setSharing(tenant_sharing: boolean): Promise<void> {
    demand(200, await this.service.operator('patch', `/locations/${this.location_id}`, { tenant_sharing }));
  }

  async tenantOf(unit_id: string): Promise<string> {
    return demand(200, await this.service.operator('get', `/units/${unit_id}`)).tenant.tenant_id as string;
  }

  inDays(days: number): string {
    return new Date(this.service.manualClock.now() + days * DAY).toISOString();
  }

  /** Signed in as an account. */
  async appOf(tenant_id: string): Promise<App> {
    const { service } = this;
    const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
    const { token } = await service.part(TenantSessions).begin(account!);
    return {
      tenant_id,
      shares: (method, path = '', body, key) =>
        service.call(method, `/api/v2/tenant/shares${path}`, {
          token,
          mayFail: true,
          ...(body && { body }),
          ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
        }),
      access: async () => demand(200, await service.call('get', '/api/v2/tenant/access', { token })),
    };
  }

  /** The account of the location with a phone. */
  async accountWith(phone: string): Promise<string> {
    const found = await this.service.part(TenantAccounts).byPhone(phone);
    return found.find(({ location_id }) => location_id === this.location_id)!.tenant_id;
  }

  body(more: object = {}) {
    const until = this.inDays(14);
    return {
      unit_id: this.unit_id,
      name: 'Daniel Brooks',
      country_code: '1',
      phone_number: newNumber(),
      until,
      ...more,
    };
  }

  offer(more: object = {}, key?: string): Promise<Answer> {
    return this.tenant.shares('post', '', this.body(more), key);
  }

  /** Invites somebody new, who has signed in. */
  async invite(more: object = {}) {
    const body = this.body(more);
    const offered = demand(201, await this.tenant.shares('post', '', body));
    const phone = `+${body.country_code}${body.phone_number}`;
    const guest = await this.appOf(await this.accountWith(phone));
    const share_id = offered.share_id as string;
    const code = offered.code as string;
    const accept = (given = code, key?: string) =>
      guest.shares('post', `/${share_id}/accept`, { code: given }, key);
    return { ...body, share_id, code, guest, phone, accept };
  }

  /** The texts that were sent to a phone. */
  async textsTo(phone: string): Promise<string[]> {
    const lines = await readFile(join(this.service.path, 'sms-outbox.ndjson'), 'utf8').catch(() => '');
    const texts = lines.split('\n').filter((line) => line !== '');
    const sent = texts.map((line) => JSON.parse(line) as { to: string; body: string });
    return sent.filter(({ to }) => to === phone).map(({ body }) => body);
  }

  async unit(): Promise<Parsed> {
    return demand(200, await this.service.operator('get', `/units/${this.unit_id}`));
  }

  /** The types of what the unit's stream says of sharing. */
  async sharingEvents(): Promise<string[]> {
    const events = await this.service.events(`unit-${this.company.id}.A-1`);
    return events.map(({ type }) => type).filter((type) => type.startsWith('UnitShare'));
  }
}

/** A code that is not this one. */
export function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000';
}
