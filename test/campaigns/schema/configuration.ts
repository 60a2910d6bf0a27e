import type { Credentials, Seeded } from './seeded-service.js';

/** Rules that JSON Schema cannot tell, such as what is there already, are refused with 422, which every such operation documents. */
const GOOD_DATA = ['2xx', '3xx', 401, 403, 404, 409, 422, 429];
/** The last one is for values that no header holds. */
const BAD_DATA = [400, 401, 403, 404, 405, 409, 415, 422, 429, 431];
/** They answer 200 where some of the units are refused, and name those. */
const UNIT_BY_UNIT = '/(units|units/compare|units/sync)$';
/** A router's `Allow` names the methods of a pattern as well: a unit may be called "compare". */
const BESIDE_A_PATTERN = '/units/(compare|sync)$';

/**
 * schemathesis' configuration file, in TOML.
 * @param credentials who calls, by the names of the document's security schemes
 */
export function configuration({ named, ids }: Seeded, credentials: Credentials): string {
  return [
    'workers = 1',
    'continue-on-failure = true',
    'request-timeout = 60.0',
    // Links between operations are not in the document.
    '[phases.stateful]',
    'enabled = false',
    '[checks]',
    `positive_data_acceptance.expected-statuses = ${JSON.stringify(GOOD_DATA)}`,
    `negative_data_rejection.expected-statuses = ${JSON.stringify(BAD_DATA)}`,
    '[parameters]',
    ...Object.entries(named).map(([name, value]) => `${text(`path.${name}`)} = ${text(value)}`),
    ...Object.entries(credentials).flatMap(([scheme, token]) => [
      `[auth.openapi.${scheme}]`,
      `bearer = ${text(token)}`,
    ]),
    '[auth.openapi.operator_cookie]',
    `api_key = ${text(credentials.operator)}`,
    ...operation(
      '/api/v2/webhooks',
      'checks.not_a_server_error.expected-statuses = ["2xx", "4xx", 501]',
      `checks.positive_data_acceptance.expected-statuses = ${JSON.stringify([501, ...GOOD_DATA])}`,
      // Every method is answered 501. The document names one of them.
      'checks.allow_header_conformance.enabled = false',
      'checks.unsupported_method.enabled = false',
    ),
    ...operation(
      UNIT_BY_UNIT,
      `checks.negative_data_rejection.expected-statuses = ${JSON.stringify([200, ...BAD_DATA])}`,
    ),
    ...operation(BESIDE_A_PATTERN, 'checks.allow_header_conformance.enabled = false'),
    ...Object.entries(ids).flatMap(([segment, id]) =>
      operation(`/${segment}/\\{id\\}/`, `parameters = { "path.id" = ${text(id)} }`),
    ),
    '',
  ].join('\n');
}

function operation(path: string, ...settings: readonly string[]): string[] {
  return ['[[operations]]', `include-path-regex = ${text(path)}`, ...settings];
}

/** A basic string of TOML, which takes JSON's escapes. */
function text(value: string): string {
  return JSON.stringify(value);
}
