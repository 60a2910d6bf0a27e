import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlacedOperation } from './described-operations.js';

const ROOT = join(__dirname, '..', '..');

/** Suites of everything at once, which say nothing of one route. */
const COMMON =
  /^test\/(isolation|hostile|abuse|campaigns|docs|contracts|client|cli|tools|browser|dashboard|servers|e2e-servers)\//;

/** Helpers that call routes by names of their own (`test/support/service.ts`, `src/client`). */
const NAMED: Readonly<Record<string, RegExp>> = {
  'PUT /api/v2/units/{crm_unit_id}/tenancy': /\.moveIn\(/g,
  'DELETE /api/v2/units/{crm_unit_id}/tenancy': /\.moveOut\(/g,
  'PATCH /api/v2/units/{crm_unit_id}': /company\.patch\(/g,
  'PATCH /api/v2/units': /\.(sync|syncUnits)\(/g,
  'GET /api/v2/units/{crm_unit_id}': /company\.(unit|access)\(/g,
  'GET /api/v2/units': /\.(list|units)\(/g,
  'GET /api/v2/events': /\.(events|eventPages)\(\{/g,
};

/** Where a suite makes its paths of parts: the route, and its suite, which must at least name the path's last word. */
const OTHERWISE: readonly (readonly [RegExp, string])[] = [
  [/\/health/, 'test/http/service.e2e.spec.ts'],
  [/\/openapi\.json$/, 'test/docs/openapi.spec.ts'],
  [/\/(pms|webhooks)\b/, 'test/push/earlier-surface.e2e.spec.ts'],
  [/\/auth\/\w+/, 'test/tenants/auth.e2e.spec.ts'],
  [/\/tenant\/access$/, 'test/access/tenant-access/tenant-access.http.spec.ts'],
  [/\/logs$/, 'test/locks/activity.e2e.spec.ts'],
  [/\/activity$/, 'test/history/activity/activity.e2e.spec.ts'],
  [/\/policy-backtest$/, 'test/history/backtest.e2e.spec.ts'],
  [/\/locations\/.+\/tenants$/, 'test/tenants/operator-tenants.e2e.spec.ts'],
  [/\/tenants\/.+\/sessions$/, 'test/tenants/operator-tenants.e2e.spec.ts'],
  [/\/pull-sources\//, 'test/pull/pull-sources.e2e.spec.ts'],
  [/\/setup$/, 'test/operator/site-setup.e2e.spec.ts'],
  [/\/shares\//, 'test/e2e/operator-units.e2e.spec.ts'],
];

interface Suite {
  readonly file: string;
  readonly text: string;
}

let read: readonly Suite[] | undefined;

/** The suites of a route's own behaviour, those that call it most first. */
export function coveringSuites(operation: PlacedOperation): string[] {
  const suites = (read ??= suitesOfRoutes());
  const patterns = patternsOf(operation);
  const counted = suites.map(({ file, text }) => ({
    file,
    calls: patterns.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0),
  }));
  const calling = counted
    .filter(({ calls }) => calls > 0)
    .sort((one, other) => other.calls - one.calls || (one.file < other.file ? -1 : 1))
    .map(({ file }) => file);
  const told = OTHERWISE.filter(([route, file]) => route.test(operation.path) && names(file, operation));
  return [...new Set([...told.map(([, file]) => file), ...calling])];
}

function names(file: string, { path }: PlacedOperation): boolean {
  const last = path.split('/').findLast((part) => !part.startsWith('{'))!;
  return readFileSync(join(ROOT, file), 'utf8').includes(last);
}

export function nameOf({ method, path }: Pick<PlacedOperation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

function suitesOfRoutes(): Suite[] {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file}`)
    .filter((file) => file.endsWith('.spec.ts') && !COMMON.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

/** How a call of the route reads: its method, and its path with or without what all paths of the surface begin with. */
function patternsOf({ method, path }: PlacedOperation): RegExp[] {
  const [, prefix = '', rest = ''] = /^(\/api\/v\d|\/api\/operator|\/api)?(\/.*)$/.exec(path)!;
  const tail = rest
    .split('/')
    .map((part) => (part.startsWith('{') ? '(?:\\$\\{[^}]+\\}|[^/\'"`?\\s]+)' : part.replaceAll('.', '\\.')))
    .join('/');
  // What the two surfaces both have is told apart by who calls it.
  const other = prefix === '/api/operator' ? 'push' : 'operator';
  const start = prefix === '/api/v2' || prefix === '/api/operator' ? `(?:${prefix})?` : prefix;
  const named = NAMED[nameOf({ method, path })];
  const spelled = `['"\`](?:\\$\\{(?:prefix|base)\\}|${start})${tail}['"\`?$]`;
  // As `call('get', '/units')` has it, and as supertest does: `get('/api/v2/units')`.
  const call = new RegExp(
    `(?:(?<!${other}\\(\\s*)['"\`]${method}['"\`],\\s*|\\.${method}\\(\\s*)${spelled}`,
    'gi',
  );
  return named === undefined ? [call] : [call, named];
}
