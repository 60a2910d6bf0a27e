import { Operators, OperatorSessions } from '#domain/operators/index.js';
import type { OperatorRole, PrincipalKind } from '#kernel/principals.js';
import { type TenantAccount, TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import type { Answer, CallOptions, Method, Parsed } from '../../../support/http-client.js';
import { demand, Service } from '../../../support/service.js';
import { WriteRecorder } from './recorder.js';

/** An operator whose session and password any route may change; `OPERATOR` prepares what they find. */
export const BYSTANDER = { email: 'bystander@example.com', password: 'another horse battery staple' };
export const OPERATOR = { email: 'operator@example.com', password: 'correct horse battery staple' };

/** A company with one of everything, and two tenants who share nothing. */
export interface Holding {
  readonly company_id: string;
  readonly token: string;
  /** A token that nobody uses, for whoever wants to revoke one. */
  readonly spare_token_id: string;
  /** An operator of this company alone, for whoever wants to change or remove one. */
  readonly spare_operator_id: string;
  readonly location_id: string;
  readonly location_code: string;
  readonly pull_source_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  readonly ada: Renter;
  readonly bob: Renter;
  /** By which Bob lets Ada in, once she enters the code. */
  readonly invitation: { readonly share_id: string; readonly code: string };
}

/** A tenant with a unit behind a lock, in a zone with a gate, to which somebody has a pass. */
export interface Renter {
  readonly account: TenantAccount;
  readonly tenant_id: string;
  readonly phone: { readonly country_code: string; readonly phone_number: string };
  readonly crm_unit_id: string;
  readonly unit_id: string;
  readonly lock_id: string;
  readonly zone_id: string;
  readonly entry_point_id: string;
  readonly pass_id: string;
}

/** Two companies in one running service. */
export class World {
  home!: Holding;
  other!: Holding;
  #operator = '';
  #phones = 0;

  private constructor(
    readonly app: Service,
    /** Every write that reaches the stores. */
    readonly writes: WriteRecorder,
  ) {}

  static async open(variables: Readonly<Record<string, string>> = {}): Promise<World> {
    const writes = new WriteRecorder();
    const environment = {
      OPERATOR_EMAIL: OPERATOR.email,
      PULL_ALLOW_PRIVATE: 'true',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...variables,
    };
    const app = await Service.start({
      environment,
      wrap: (stores) => ({
        ...stores,
        eventStore: writes.events(stores.eventStore),
        records: writes.records(stores.records),
      }),
    });
    const world = new World(app, writes);
    await world.signIn();
    await world.#addOperator({ ...BYSTANDER, role: 'admin' });
    return world;
  }

  /** Builds both companies; a test that needs the past does this after it has moved the clock. */
  async settle(): Promise<this> {
    await this.signIn();
    this.home = await this.#company('HOME');
    this.other = await this.#company('OTHER');
    return this;
  }

  async signIn(): Promise<void> {
    const body = { email: OPERATOR.email, password: OPERATOR.password };
    this.#operator = demand(201, await this.call('post', '/api/operator/sessions', { body })).token;
  }

  call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.app.call(method, path, options);
  }

  async operate(status: number, method: Method, path: string, body?: unknown): Promise<Parsed> {
    return demand(status, await this.call(method, `/api/operator${path}`, { body, token: this.#operator }));
  }

  /** A credential that holds and that nobody else uses, so that a route may end it. */
  async credential(kind: PrincipalKind, holding = this.home): Promise<string> {
    if (kind === 'api_token') return holding.token;
    if (kind === 'tenant') return this.tenantToken(holding.ada.account);
    return this.operatorToken(BYSTANDER.email);
  }

  /** A session of an operator, without the password that would have to be hashed. */
  async operatorToken(email: string): Promise<string> {
    const operator = await this.app.part(Operators).byEmail(email);
    return (await this.app.part(OperatorSessions).open(operator!)).token;
  }

  /** Signs in an operator who is made for it. */
  async operatorOf(role: OperatorRole, companies: readonly string[] | null): Promise<string> {
    const email = `${role}-${++this.#phones}@example.com`;
    await this.#addOperator({ email, password: BYSTANDER.password, role, companies });
    return this.operatorToken(email);
  }

  async tenantToken(account: TenantAccount): Promise<string> {
    return (await this.app.part(TenantSessions).begin(account)).token;
  }

  /** Values of path parameters that name what is the home company's. */
  parameters(
    {
      company_id,
      spare_token_id,
      spare_operator_id,
      location_id,
      location_code,
      pull_source_id,
      webhook_id,
      delivery_id,
      ada,
      bob,
      invitation,
    }: Holding = this.home,
  ) {
    return {
      ':company_id': company_id,
      'companies/:id': company_id,
      ':token_id': spare_token_id,
      ':operator_id': spare_operator_id,
      ':location_id': location_id,
      'locations/:id': location_id,
      ':pms_location_code': location_code,
      ':unit_id': ada.unit_id,
      'units/:id': ada.unit_id,
      ':crm_unit_id': ada.crm_unit_id,
      ':lock_id': ada.lock_id,
      'locks/:id': ada.lock_id,
      ':zone_id': ada.zone_id,
      'zones/:id': ada.zone_id,
      ':entry_point_id': ada.entry_point_id,
      'entry-points/:id': ada.entry_point_id,
      ':pass_id': ada.pass_id,
      // Erasing one tenant leaves the other as she is.
      ':tenant_id': bob.tenant_id,
      'tenants/:id': bob.tenant_id,
      ':pull_source_id': pull_source_id,
      ':webhook_id': webhook_id,
      ':delivery_id': delivery_id,
      'webhooks/:id': '01JAAAAAAAAAAAAAAAAAAAAAAA',
      'shares/:tenant_id': ada.tenant_id,
      ':share_id': invitation.share_id,
    };
  }

  /** A second location of the home company: its holding, with everything that belongs to the company. */
  async secondSite(name: string): Promise<Holding> {
    const { home } = this;
    const place = { pms_location_code: `${name}-MAIN`, name: `${name} Main` };
    const path = `/companies/${home.company_id}/locations`;
    const { location_id } = await this.operate(201, 'post', path, place);
    const site = { ...home, location_id, location_code: place.pms_location_code };
    return { ...site, ada: await this.renter(site, `${name}-A`), bob: await this.renter(site, `${name}-B`) };
  }

  /** Signs in an operator of one site alone, who is made for it. */
  async operatorOfSite(role: OperatorRole, { company_id, location_id }: Holding): Promise<string> {
    const email = `${role}-${++this.#phones}@example.com`;
    const rights = { role, companies: [company_id], locations: [location_id] };
    await this.#addOperator({ email, password: BYSTANDER.password, ...rights });
    return this.operatorToken(email);
  }

  async close(): Promise<void> {
    await this.app.close();
  }

  /** Adds an operator whose password counts as one of their own choice. */
  async #addOperator(body: { readonly email: string; readonly [field: string]: unknown }): Promise<string> {
    const { operator_id } = await this.operate(201, 'post', '/operators', body);
    const operators = this.app.part(Operators);
    const added = (await operators.byEmail(body.email))!;
    await operators.replace(added, { ...added, password_state: 'chosen' });
    return operator_id;
  }

  async #company(name: string): Promise<Holding> {
    const { company_id } = await this.operate(201, 'post', '/companies', { name: `${name} company` });
    const path = `/companies/${company_id}`;
    const { token } = await this.operate(201, 'post', `${path}/api-tokens`, { name: 'PMS' });
    const spare = await this.operate(201, 'post', `${path}/api-tokens`, { name: 'spare' });
    const spareOperator = {
      email: `spare-${++this.#phones}@example.com`,
      password: BYSTANDER.password,
      role: 'auditor',
      companies: [company_id],
    };
    const operator_id = await this.#addOperator(spareOperator);
    const place = { pms_location_code: `${name}-MAIN`, name: `${name} Main` };
    const { location_id } = await this.operate(201, 'post', `${path}/locations`, place);
    // Nobody listens there: its runs come to nothing.
    const source = { name: 'PMS', url: 'http://127.0.0.1:9/units.json', interval_seconds: 86_400 };
    const { pull_source_id } = await this.operate(201, 'post', `${path}/pull-sources`, source);
    const { webhook_id } = await this.operate(201, 'post', `${path}/webhooks`, {
      url: 'http://127.0.0.1:9/',
    });
    const { delivery_id } = await this.operate(202, 'post', `${path}/webhooks/${webhook_id}/test`);
    const base = { company_id, token, location_id };
    await this.operate(200, 'patch', `/locations/${location_id}`, { tenant_sharing: true });
    const ada = await this.renter(base, `${name}-A`);
    const bob = await this.renter(base, `${name}-B`);
    return {
      ...base,
      spare_token_id: spare.token_id,
      spare_operator_id: operator_id,
      location_code: place.pms_location_code,
      pull_source_id,
      webhook_id,
      delivery_id,
      ada,
      bob,
      invitation: await this.#invitation(bob, ada),
    };
  }

  async #invitation({ account, unit_id }: Renter, { phone }: Renter): Promise<Holding['invitation']> {
    const until = new Date(this.app.clock.now() + 7 * 86_400_000).toISOString();
    const body = { unit_id, name: 'Sample', ...phone, until };
    const token = await this.tenantToken(account);
    const { share_id, code } = demand(201, await this.call('post', '/api/v2/tenant/shares', { body, token }));
    return { share_id, code };
  }

  /** A tenant of a company moves in, with a phone, behind a lock and a gate. */
  async renter(
    {
      token,
      location_id,
      location_code,
    }: Pick<Holding, 'token' | 'location_id'> & Partial<Pick<Holding, 'location_code'>>,
    crm_unit_id: string,
  ): Promise<Renter> {
    const phone = { country_code: '1', phone_number: `555${String(++this.#phones).padStart(7, '0')}` };
    const tenant = {
      pms_tenant_id: `${crm_unit_id}-tenant`,
      first_name: crm_unit_id,
      last_name: 'Renter',
      phone: `+1${phone.phone_number}`,
    };
    const where = location_code === undefined ? {} : { pms_location_code: location_code };
    const units = [{ crm_unit_id, ...where, occupied: true, move_in_date: '2025-12-01', tenant }];
    demand(200, await this.call('patch', '/api/v2/units', { body: { units }, token }));
    const unit = demand(200, await this.call('get', `/api/v2/units/${crm_unit_id}`, { token }));
    const { unit_id } = unit;
    const at = `/locations/${location_id}`;
    const { lock_id } = await this.operate(201, 'post', `${at}/locks`, { name: `${crm_unit_id} door` });
    await this.operate(200, 'put', `/units/${unit_id}/locks/${lock_id}`);
    const { zone_id } = await this.operate(201, 'post', `${at}/zones`, { name: `${crm_unit_id} hall` });
    await this.operate(200, 'put', `/zones/${zone_id}/units/${unit_id}`);
    const gate = { name: `${crm_unit_id} gate`, kind: 'gate', zone_ids: [zone_id] };
    const { entry_point_id } = await this.operate(201, 'post', `${at}/entry-points`, gate);
    const vendor = {
      name: `${crm_unit_id} vendor`,
      phone: `+1556${String(++this.#phones).padStart(7, '0')}`,
      entry_point_ids: [entry_point_id],
      until: new Date(this.app.clock.now() + 30 * 24 * 60 * 60_000).toISOString(),
      reason: 'vendor',
    };
    const { pass_id } = await this.operate(201, 'post', `${at}/passes`, vendor);
    const shown = await this.operate(200, 'get', `/units/${unit_id}`);
    const tenant_id: string = shown.tenant.tenant_id;
    const accounts = this.app.part(TenantAccounts);
    const [account] = await accounts.byTenantId([tenant_id]);
    const equipment = { lock_id, zone_id, entry_point_id };
    return { account: account!, tenant_id, phone, crm_unit_id, unit_id, ...equipment, pass_id };
  }
}
