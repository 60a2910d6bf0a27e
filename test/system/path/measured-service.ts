import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type CallOptions, HttpClient, type Method } from '../../support/http-client.js';
import { type Company, demand, Service } from '../../support/service.js';

export const REQUESTS = ['move-in', 'keyed', 'unchanged', 'patch', 'access'] as const;
export type RequestName = (typeof REQUESTS)[number];

/** A service on embedded stores, its clock stopped, so that nothing runs beside the requests. */
export class MeasuredService {
  #sent = 0;

  private constructor(
    private readonly service: Service,
    private readonly company: Company,
    private readonly session: string,
    private readonly client: HttpClient,
  ) {}

  static async start(): Promise<MeasuredService> {
    const service = await Service.start();
    const company = await service.company();
    const tenant = { pms_tenant_id: 'app', first_name: 'Ada', last_name: 'Park', phone: '+15550100' };
    const entry = { crm_unit_id: 'app', occupied: true, move_in_date: '2025-12-01', tenant };
    demand(200, await company.sync([entry]));
    const location_id = company.locations.get('MAIN')!;
    const key = { company_id: company.id, location_id, pms_tenant_id: 'app' };
    const [account] = await service.part(TenantAccounts).find([key]);
    const { token } = await service.part(TenantSessions).begin(account!);
    return new MeasuredService(service, company, token, new HttpClient(service.port));
  }

  /** Sends a request and waits for its answer and for what follows at once. */
  async send(name: RequestName): Promise<void> {
    this.#sent += 1;
    switch (name) {
      case 'move-in':
        await this.#call('put', `/units/n-${this.#sent}/tenancy`, moveIn(`t-${this.#sent}`));
        break;
      case 'keyed':
        await this.#call('put', `/units/k-${this.#sent}/tenancy`, moveIn(`t-${this.#sent}`), {
          headers: { 'Idempotency-Key': `k-${this.#sent}` },
        });
        break;
      case 'unchanged':
        await this.#call('put', '/units/app/tenancy', moveIn('app'));
        break;
      case 'patch':
        await this.#call('patch', '/units/app', { balance_due: this.#sent });
        break;
      case 'access':
        await this.#call('get', '/tenant/access', undefined, { token: this.session });
    }
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  }

  async close(): Promise<void> {
    this.client.close();
    await this.service.close();
  }

  async #call(
    method: Method,
    path: string,
    body?: object,
    options: Partial<CallOptions> = {},
  ): Promise<void> {
    const asked = { body, token: this.company.token, ...options };
    const { status, text } = await this.client.call(method, `/api/v2${path}`, asked);
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
  }
}

function moveIn(pms_tenant_id: string): object {
  return { pms_tenant_id, move_in_date: '2025-12-01' };
}
