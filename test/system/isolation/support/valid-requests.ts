import type { Answer } from '../../../support/http-client.js';
import { fillPath, type Route } from './routes.js';
import { BYSTANDER, type Holding, OPERATOR, type World } from './world.js';

/** A request that a route takes, or as near to one as its messages lead. */
export interface ValidRequest {
  readonly route: Route;
  /** With its query. */
  readonly path: string;
  /** undefined where the route takes none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The route's answer to it. */
  readonly status: number;
}

type Fields = Record<string, unknown>;

const DAY = 24 * 60 * 60_000;

let made = 0;

/** A good value of every field that a body or a query of this service has; a new required field needs a line here. */
function samples({ home, app }: World): Fields {
  const at = (offset: number) => new Date(app.clock.now() + offset).toISOString();
  const unique = `sample-${++made}`;
  return {
    pms_tenant_id: unique,
    move_in_date: '2025-12-02',
    ledger_id: 'L-1',
    unit_name: 'Sample',
    crm_unit_id: unique,
    unit_id: home.ada.unit_id,
    to_unit_id: home.bob.unit_id,
    pms_location_code: unique,
    balance_due: 12.5,
    paid_through_date: '2026-02-01',
    pms_lockout: false,
    pms_lock_exempt: false,
    pms_auction: false,
    pms_unrentable: false,
    pms_status_raw: 'as usual',
    units: [
      { crm_unit_id: home.ada.crm_unit_id, occupied: true, pms_tenant_id: 't', move_in_date: '2025-12-01' },
    ],
    name: 'Sample',
    timezone: 'America/Chicago',
    grace_period_days: 6,
    kind: 'gate',
    zone_ids: [home.ada.zone_id],
    in_service: true,
    serial: unique,
    override: 'exempt',
    // A sentence for people, and the kind of a pass.
    reason: 'vendor',
    until: at(DAY),
    entry_point_ids: [home.ada.entry_point_id],
    expires_at: at(DAY),
    email: OPERATOR.email,
    password: OPERATOR.password,
    current: BYSTANDER.password,
    next: BYSTANDER.password,
    setup: 'sample',
    code: home.invitation.code,
    role: 'auditor',
    subject: 'sample',
    scope: 'read',
    companies: [home.company_id],
    disabled: true,
    phone: '+15559990000',
    ...home.ada.phone,
    otp: '000000',
    event: 'unlock',
    result: 'success',
    occurred_at: at(-60_000),
    client_log_id: unique,
    battery_percent: 50,
    key_format: 1,
    message: 'a sample',
    entry_point_id: home.ada.entry_point_id,
    at: at(0),
    days: 30,
    policy: { grace_period_days: 3 },
    url: 'http://127.0.0.1:9/units.json',
    interval_seconds: 86_400,
    enabled: true,
    advance_seconds: 3_600,
    auth_header: 'Bearer sample',
    mapping: { no: 'crm_unit_id' },
    rows: [{ unit: home.ada.crm_unit_id, zone: 'Sample zone' }],
  };
}

const ROUNDS = 8;

/**
 * Finds a request that a route takes: all samples are sent, and what its messages refuse is left out until none does.
 * So a new route is learned without being mentioned anywhere.
 */
export async function learnRequest(world: World, route: Route): Promise<ValidRequest> {
  const inQuery = route.method === 'get' || route.method === 'delete';
  const path = fillPath(route.path, world.parameters());
  let fields = inQuery ? {} : samples(world);
  for (let round = 0; round < ROUNDS; round++) {
    const asked = inQuery ? { path: withQuery(path, fields), body: undefined } : { path, body: fields };
    const answer = await ask(world, route, asked);
    const better = corrected(world, route, answer, fields);
    if (better === undefined) {
      // A route that has nothing against all samples at once looks at none of them.
      return { route, path: asked.path, body: round === 0 ? undefined : asked.body, status: answer.status };
    }
    fields = better;
  }
  throw new Error(`${route.name} refuses every sample: ${JSON.stringify(fields)}`);
}

async function ask(
  world: World,
  { method, admitted: [kind] }: Route,
  { path, body }: { readonly path: string; readonly body: Fields | undefined },
): Promise<Answer> {
  return world.call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(kind === undefined ? {} : { token: await world.credential(kind) }),
  });
}

/** The same request about another holding's things. */
export function aboutAnother(request: ValidRequest, from: Holding, to: Holding): ValidRequest {
  const values = flatten(to);
  const swap = (text: string) =>
    flatten(from).reduce((swapped, value, index) => swapped.replaceAll(value, values[index]!), text);
  const body = request.body && (JSON.parse(swap(JSON.stringify(request.body))) as Fields);
  return { ...request, path: swap(request.path), body };
}

/** Every id and name of a holding, in one order for all of them. */
function flatten({ ada, bob, invitation, ...holding }: Holding): string[] {
  const { company_id, spare_token_id, spare_operator_id, location_id, location_code } = holding;
  const { pull_source_id, webhook_id, delivery_id } = holding;
  const ids = [company_id, spare_token_id, spare_operator_id, location_id, location_code];
  ids.push(pull_source_id, webhook_id, delivery_id, invitation.share_id, invitation.code);
  for (const { tenant_id, phone, crm_unit_id, unit_id, pass_id, ...equipment } of [ada, bob]) {
    ids.push(tenant_id, phone.phone_number, crm_unit_id, unit_id, pass_id);
    ids.push(equipment.lock_id, equipment.zone_id, equipment.entry_point_id);
  }
  return ids;
}

function withQuery(path: string, fields: Fields): string {
  const query = new URLSearchParams(fields as Record<string, string>).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The fields as the answer wants them; undefined where it names none. */
function corrected(world: World, route: Route, answer: Answer, fields: Fields): Fields | undefined {
  const errors = answer.body?.errors as Record<string, string[]> | undefined;
  if (answer.status !== 422 || errors === undefined) return undefined;
  const better = { ...fields };
  for (const [path, [message]] of Object.entries(errors)) {
    const name = path.split('.')[0]!;
    const other = anotherValue(message, name, fields[name]);
    if (other !== undefined) Object.assign(better, other);
    else if (name in fields) delete better[name];
    else if (message?.endsWith('is required.')) better[name] = sampleOf(world, route, name);
  }
  return JSON.stringify(better) === JSON.stringify(fields) ? undefined : better;
}

/** For a value that is sound, and refused for what there is. */
function anotherValue(message = '', name: string, value: unknown): Fields | undefined {
  if (message.endsWith('has already been taken.')) return { [name]: `${made}-${String(value)}` };
  // Nobody invites herself: the same number of another country will do.
  return message.endsWith('is your own number.') ? { country_code: '44' } : undefined;
}

function sampleOf(world: World, route: Route, name: string): unknown {
  const value = samples(world)[name];
  if (value !== undefined) return value;
  throw new Error(`${route.name} requires ${name}: tell test/system/isolation/support/valid-requests.ts.`);
}
