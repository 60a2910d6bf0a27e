import type { OpenApiDocument } from '#web/openapi/document.js';
import { exampleOfBody, operationsOf, type PlacedOperation } from '../../contracts/described-operations.js';
import type { Prepared } from './prepared-service.js';

/** A call, in the names of the document. */
export interface Call {
  readonly operation: string;
  readonly tag: string;
  /** The bearer token; null if the operation needs none. */
  readonly token: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Statuses that are right. */
  readonly expected: readonly number[];
}

interface Variant {
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Merged into the example of the document; undefined takes a field out. */
  readonly body?: object;
  /** In place of the example. */
  readonly wholeBody?: unknown;
  readonly expected?: readonly number[];
}

const SUCCESS = [200, 201, 202];
/** Writes first, so that reads have something to show; what is taken away goes last. */
const ORDER = ['post', 'put', 'patch', 'get', 'delete'];
/** They end what the calls before need, in this order. */
const LAST = ['rebuildViews', 'removeOperator', 'eraseTenant', 'logout', 'signOut', 'changePassword'];
/** They end the session that asks. */
const ENDING = ['logout', 'signOut'];

/** Every operation once by its example, and some more than once: every kind of answer is among them. */
export function callsOf(document: OpenApiDocument, prepared: Prepared): Call[] {
  const variants = variantsOf(prepared);
  const placed = operationsOf(document).map((one) => ({ ...one, id: one.operation.operationId }));
  const rank = ({ id, method }: { id: string; method: string }) =>
    LAST.includes(id) ? ORDER.length + LAST.indexOf(id) : ORDER.indexOf(method);
  return placed
    .sort((one, other) => rank(one) - rank(other))
    .flatMap((one) => (variants[one.id] ?? [{}]).map((variant) => callOf(document, one, variant, prepared)));
}

function callOf(
  document: OpenApiDocument,
  placed: PlacedOperation,
  variant: Variant,
  prepared: Prepared,
): Call {
  const { operation, path } = placed;
  const [, segment = ''] = /\/([\w-]+)\/\{id\}/.exec(path) ?? [];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
    name!,
    name === 'id' ? prepared.ids[segment] : prepared.named[name!],
  ]);
  const scheme = (operation.security ?? []).flatMap((one) => Object.keys(one))[0];
  const credentials = ENDING.includes(operation.operationId) ? prepared.ending : prepared.credentials;
  const example = exampleOfBody(document, operation);
  return {
    operation: operation.operationId,
    tag: operation.tags[0]!,
    token: scheme === undefined ? null : credentials[scheme as keyof typeof credentials],
    parameters: { ...Object.fromEntries(inPath), ...variant.parameters },
    body: variant.wholeBody ?? (example === undefined ? null : { ...example, ...variant.body }),
    expected: variant.expected ?? SUCCESS,
  };
}

const LEASE = { occupied: true, move_in_date: '2026-01-01' };

/** What an example cannot know, and calls that are answered in another way. */
function variantsOf(prepared: Prepared): Readonly<Record<string, readonly Variant[]>> {
  const { named, standalone, spare, twice, password, source } = prepared;
  const at = new Date().toISOString();
  const report = { event: 'unlock', result: 'success' };
  const now = { occurred_at: at };
  const unit9 = { crm_unit_id: 'unit 9' };
  const place = { pms_location_code: named['pms_location_code'] };
  const ofStandalone = { parameters: { unit_id: standalone } };
  const ofSpare = { parameters: { unit_id: spare } };
  return {
    // Refused for what is there, or is not.
    createWebhook: [{ expected: [501] }],
    advanceClock: [{ expected: [409] }],
    setSecondFactor: [{ expected: [422] }],
    removeSecondFactor: [{ body: { current: password } }],
    listSandboxMessages: [{ expected: [404] }],
    // Names that are not taken, and things that are there.
    createLocation: [{ body: { pms_location_code: 'WEST' } }],
    createEntryPoint: [{ body: { zone_ids: [named['zone_id']] } }],
    changeEntryPoint: [{ body: { zone_ids: [named['zone_id']] } }],
    createUnit: [{ body: { crm_unit_id: 'counter-9' } }],
    changeTenant: [{ body: { pms_tenant_id: undefined } }],
    changeOperator: [{ body: { email: undefined } }],
    createPullSource: [{ body: { url: source } }],
    changePullSource: [{ body: { url: source } }],
    signIn: [{ body: { email: prepared.email, password, code: undefined } }],
    changePassword: [{ body: { current: password, next: password } }],
    beginSecondFactor: [{ body: { current: password } }],
    moveInById: [ofStandalone],
    changeFactsById: [ofStandalone],
    moveOutById: [ofStandalone],
    retireUnit: [ofSpare],
    reviveUnit: [ofSpare],
    requestCode: [
      { body: prepared.phone },
      { body: { country_code: '1', phone_number: '5559999999' }, expected: [422] },
    ],
    // Several kinds of answer.
    verifyCode: [
      { body: { ...twice.phone, otp: twice.otp, tenant_id: undefined } },
      { body: { ...twice.phone, otp: twice.otp, tenant_id: twice.tenant_id } },
      { body: { ...twice.phone, otp: '000000', tenant_id: undefined }, expected: [422] },
    ],
    getUnit: [{}, { parameters: { crm_unit_id: 'no such unit' }, expected: [404] }],
    getUnitAsOf: [{ parameters: { at } }],
    getUnitAsOfById: [{ parameters: { at } }],
    moveIn: [
      { parameters: { ...unit9, dry_run: true }, body: place },
      { parameters: unit9, body: place },
      { parameters: unit9, body: { pms_tenant_id: 'another' } },
    ],
    changeFacts: [{}, { body: { balance_due: 0.001 }, expected: [422] }],
    syncUnits: [
      {},
      {
        parameters: { dry_run: true },
        body: {
          snapshot_at: '2026-01-02T00:00:00.000Z',
          units: [
            { crm_unit_id: 'unit 9', ...LEASE, pms_tenant_id: 'another' },
            { crm_unit_id: 'unit 10', occupied: true },
          ],
        },
      },
    ],
    reportLockActivity: [
      { body: now },
      { wholeBody: { entries: [report, { ...report, failure_code: 'refused' }] } },
    ],
    reportEntryPointActivity: [{ body: now }],
    reportNamedEntryPointActivity: [{ body: { ...now, entry_point_id: named['entry_point_id'] } }],
  };
}
