import type { PlacedOperation } from './described-operations.js';

/** What people call the thing that a request makes: the description has one name for all of them. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/companies$/, 'Lakeside Storage'],
  [/\/api-tokens$/, 'PMS'],
  [/\/entry-points(\/\{\w+\})?$/, 'North gate'],
  [/\/locks$/, 'A-101 door'],
  [/\/zones$/, 'Building A'],
  [/\/tenants(\/\{\w+\})?$/, 'Ada Park'],
  [/\/pull-sources(\/\{\w+\})?$/, 'Main PMS'],
];

/** Fields whose value comes from the collection's variables. */
const KEPT: Readonly<Record<string, unknown>> = {
  entry_point_id: '{{entry_point_id}}',
  zone_ids: ['{{zone_id}}'],
};

/** Values that a user of the collection sets once. */
export const CREDENTIALS: Readonly<Record<string, string>> = {
  operatorEmail: 'operator@localhost',
  operatorPassword: '',
  otp: '',
};

/** Fields that hold only now and here, which the examples cannot know: requests do without them. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'post /api/v2/auth/verify-otp': ['tenant_id'],
  'post /api/v2/locks/{id}/logs': ['occurred_at'],
  'post /api/v2/entry-points/{id}/logs': ['occurred_at'],
  'post /api/v2/entry-points/logs': ['occurred_at'],
};

type Body = Readonly<Record<string, unknown>>;

/** The example of a body, made one that can be sent as it stands once the requests before it have been. */
export function playable(example: Body, { method, path }: Pick<PlacedOperation, 'method' | 'path'>): Body {
  const without = LEFT_OUT[`${method} ${path}`] ?? [];
  const [, name] = NAMES.find(([pattern]) => pattern.test(path)) ?? [];
  const own: Body = {
    ...KEPT,
    ...(name === undefined ? {} : { name }),
    ...(path === '/api/operator/sessions'
      ? { email: '{{operatorEmail}}', password: '{{operatorPassword}}' }
      : {}),
    otp: '{{otp}}',
  };
  const fields = Object.entries(example).filter(([field]) => !without.includes(field));
  return Object.fromEntries(fields.map(([field, value]) => [field, own[field] ?? value]));
}
