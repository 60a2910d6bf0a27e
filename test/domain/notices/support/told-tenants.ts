import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessStream } from '#domain/access/core/access.events.js';
import { NoticeTenants } from '#domain/notices/notice-tenants.js';
import { type Company, demand, type Service } from '../../../support/service.js';
import { waitUntil } from '../../../support/wait-until.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

interface Text {
  readonly to: string;
  readonly body: string;
}

/** A company whose location MAIN sends texts, and the texts that the outbox holds. The clock begins at midnight. */
export class ToldTenants {
  #sentinels = 0;

  private constructor(
    readonly service: Service,
    readonly company: Company,
    private readonly other: Company,
  ) {}

  static async start(service: Service): Promise<ToldTenants> {
    const company = await service.company({
      pms_location_code: 'MAIN',
      name: 'Main St',
      grace_period_days: 5,
    });
    const told = new ToldTenants(service, company, await service.company());
    service.manualClock.advance(10 * HOUR);
    return told;
  }

  get location_id(): string {
    return this.company.locations.get('MAIN')!;
  }

  async switchOn(notices: object): Promise<void> {
    demand(200, await this.service.operator('patch', `/locations/${this.location_id}`, { notices }));
    await this.untilQuiet();
  }

  async addTenant(pms_tenant_id: string, phone: string | null): Promise<string> {
    const body = { pms_tenant_id, name: 'Ada Park', ...(phone === null ? {} : { phone }) };
    return demand(201, await this.service.operator('post', `/locations/${this.location_id}/tenants`, body))
      .tenant_id;
  }

  /** Lets time pass, and then all work that is due. */
  async pass(milliseconds: number): Promise<void> {
    this.service.manualClock.advance(milliseconds);
    await this.untilQuiet();
  }

  /** Lets the announcer look at all that has happened, and tenants be told what is due. */
  async untilQuiet(): Promise<void> {
    await this.#untilLookedAt();
    // The announcer tells of the first one before it tells whom it has looked at.
    await this.#untilLookedAt();
    const { service } = this;
    await waitUntil(async () => {
      service.manualClock.advance(250);
      return (await service.part(NoticeTenants).listDue(service.clock.now(), 1)).length === 0;
    });
  }

  async #untilLookedAt(): Promise<void> {
    const { service, other } = this;
    this.#sentinels += 1;
    const key = `LAST-${this.#sentinels}`;
    demand(201, await other.moveIn(key, { pms_tenant_id: key }));
    const stream = accessStream(other.id, (await other.unit(key)).unit_id);
    await waitUntil(async () => {
      service.manualClock.advance(250);
      return (await service.events(stream)).length > 0;
    });
  }

  async texts(): Promise<Text[]> {
    const lines = await readFile(join(this.service.path, 'sms-outbox.ndjson'), 'utf8').catch(() => '');
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { to, body } = JSON.parse(line) as Text;
        return { to, body };
      });
  }

  async bodies(): Promise<string[]> {
    return (await this.texts()).map(({ body }) => body);
  }

  /** The events of texts to a tenant. */
  async events(tenant_id: string): Promise<{ readonly kind: string; readonly outcome: string }[]> {
    const events = await this.service.events(`tenant-${tenant_id}`);
    return events.flatMap(({ type, data }) => {
      const { kind, outcome } = data as unknown as { kind: string; outcome: string };
      return type === 'TenantNotified' ? [{ kind, outcome }] : [];
    });
  }
}
