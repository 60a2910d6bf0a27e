import { OpenApi } from '#web/openapi/openapi.js';
import { type Edition, editionOf, type OpenApiDocument, templateOf } from '#web/openapi/document.js';
import { type Described, exampleOfBody } from '../contracts/described-operations.js';
import { fillPath, type Route, routesOf, tenantsFirst } from '../system/isolation/support/routes.js';
import { BYSTANDER, OPERATOR, World } from '../system/isolation/support/world.js';
import type { Parsed } from '../support/http-client.js';

/** Values that an example cannot know: ids, passwords, the time. */
function atHand({ home, app }: World): Readonly<Record<string, unknown>> {
  return {
    zone_ids: [home.ada.zone_id],
    entry_point_id: home.ada.entry_point_id,
    entry_point_ids: [home.ada.entry_point_id],
    unit_id: home.ada.unit_id,
    code: home.invitation.code,
    ...home.ada.phone,
    occurred_at: new Date(app.clock.now()).toISOString(),
    current: BYSTANDER.password,
    proof: { current: BYSTANDER.password },
    next: BYSTANDER.password,
  };
}

/** Refused although the request is as it should be, for what it would do here. */
const REFUSED: Readonly<Record<string, string>> = {
  // No provider is set up here.
  'PUT /api/operator/operators/:operator_id/sign-on': '409 sign_on_off',
  // The setup is not one that was begun.
  'PUT /api/operator/session/second-factor': '422 second_factor_invalid',
  // The code is not the one that was sent, and a second one is asked for too soon.
  'POST /api/v2/auth/verify-otp': '422 otp_invalid',
  'POST /api/v1/auth/verify-otp': '422 otp_invalid',
  'POST /api/auth/verify-otp': '422 otp_invalid',
  'POST /api/v1/auth/phone': '429 rate_limited',
  'POST /api/auth/phone': '429 rate_limited',
  // It is the number of the tenant who asks.
  'POST /api/v2/tenant/shares': '422 validation_failed phone_number',
  // The unit is pushed.
  'PUT /api/operator/units/:unit_id/tenancy': '409 unit_managed_elsewhere',
  'PATCH /api/operator/units/:unit_id': '409 unit_managed_elsewhere',
  // Another example before it has taken the name.
  'POST /api/operator/locations/:location_id/tenants': '422 validation_failed pms_tenant_id',
  'POST /api/operator/locations/:location_id/units': '422 validation_failed crm_unit_id',
  'PATCH /api/operator/operators/:operator_id': '422 validation_failed email',
  // The company is none that plays.
  'POST /api/operator/companies/:company_id/clock': '409 not_a_sandbox',
  // The company has no location of this code.
  'POST /api/v2/units/compare': '422 validation_failed complete_locations.0',
  // A spare lock and the fields of a new one exclude each other.
  'POST /api/operator/units/:unit_id/locks/:lock_id/replacement':
    '422 validation_failed name serial key_format',
  // No unit has this id.
  'POST /api/operator/units/:unit_id/transfer': '422 validation_failed to_unit_id',
  // It cannot be changed.
  'PATCH /api/operator/tenants/:tenant_id': '422 validation_failed pms_tenant_id',
};

describe('every example of a request', () => {
  let world: World;
  let documents: Readonly<Record<Edition, OpenApiDocument>>;
  let routes: Route[];

  beforeAll(async () => {
    world = await World.open();
    await world.settle();
    ({ routes } = routesOf(world.app.application));
    const openApi = world.app.application.get(OpenApi);
    const read = (edition: Edition) => JSON.parse(openApi.served(edition).content.text) as OpenApiDocument;
    documents = { current: read('current'), earlier: read('earlier') };
  });
  afterAll(() => world.close());

  /** The answer to a request by its example: the status and, if it is refused, the reason. */
  async function replay({ method, path, name, admitted }: Route): Promise<string | undefined> {
    const document = documents[editionOf(path)];
    const operation = document.paths[templateOf(path)]![method] as Described;
    const example = exampleOfBody(document, operation) as Readonly<Record<string, unknown>> | undefined;
    if (example === undefined) return undefined;
    const known = Object.entries(atHand(world)).filter(([field]) => field in example);
    const body = { ...example, ...Object.fromEntries(known) };
    if (name === 'POST /api/operator/sessions') Object.assign(body, { ...OPERATOR });
    const [kind] = admitted;
    const token = kind === undefined ? undefined : await world.credential(kind);
    const { status, body: answer } = await world.call(method, fillPath(path, world.parameters()), {
      body,
      token,
    });
    if (status < 300) return unlike(operation.responses[status]!, answer);
    return `${status} ${answer.code} ${Object.keys(answer.errors ?? {}).join(' ')}`.trim();
  }

  /** Members of a success answer that its own example does not promise: another message, or a refused entry. */
  function unlike({ content }: Parsed, { message, data }: Parsed): string | undefined {
    const shown = content['application/json'].example;
    if (message !== shown.message) return `says ${message}`;
    const errors = data?.errors ?? [];
    return errors.length === 0 ? undefined : `refuses ${JSON.stringify(errors)}`;
  }

  it('is taken by the service', async () => {
    const refused: Record<string, string> = {};
    for (const route of tenantsFirst(routes)) {
      const refusal = await replay(route);
      if (refusal !== undefined) refused[route.name] = refusal;
    }
    expect(refused).toEqual(REFUSED);
  });
});
