import type { Method, Parsed } from '../../../support/http-client.js';
import { OPERATOR, type ServiceProcess, type Setup, setUpCompany } from '../../../support/service-process.js';

/** A company of a service in a process of its own, with its webhooks. */
export class CompanyInProcess {
  private constructor(
    private service: ServiceProcess,
    private session: string,
    readonly setup: Setup,
  ) {}

  static async create(service: ServiceProcess): Promise<CompanyInProcess> {
    return new CompanyInProcess(service, await signIn(service), await setUpCompany(service));
  }

  /** Goes on with another process on the same stores. */
  async moveTo(service: ServiceProcess): Promise<void> {
    this.service = service;
    this.session = await signIn(service);
  }

  addWebhook(url: string, types: readonly string[] | null = null): Promise<Parsed> {
    return this.operate(201, 'post', '', { url, types });
  }

  /** @param path behind that of the company's webhooks */
  operate(status: number, method: Method, path: string, body?: object): Promise<Parsed> {
    const whole = `/api/operator/companies/${this.setup.company_id}/webhooks${path}`;
    return this.#call(status, method, whole, this.session, body);
  }

  async moveIn(crm_unit_id: string): Promise<void> {
    const body = { pms_tenant_id: crm_unit_id, move_in_date: '2026-01-01', pms_location_code: 'A' };
    await this.#call(201, 'put', `/api/v2/units/${crm_unit_id}/tenancy`, this.setup.token, body);
  }

  async #call(status: number, method: Method, path: string, token: string, body?: object): Promise<Parsed> {
    const answer = await this.service.client.call(method, path, { token, body });
    if (answer.status !== status) throw new Error(`${path} is answered with ${answer.text}`);
    return answer.body.data;
  }
}

async function signIn({ client }: ServiceProcess): Promise<string> {
  return (await client.call('post', '/api/operator/sessions', { body: OPERATOR })).body.data.token;
}
