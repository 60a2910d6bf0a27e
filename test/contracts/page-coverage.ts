import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { routesOf } from '../isolation/support/routes.js';

const ROOT = join(__dirname, '..', '..');
const DASHBOARD = 'test/dashboard';

/** A page's route as the table names it: `GET /dashboard/units/{unit_id}`. */
export interface PageCoverage {
  readonly name: string;
  /** Suites of the route's own behaviour that reach it. */
  readonly suites: readonly string[];
}

/** A suite reaches a page by its address or by a form of another page: routes, suite, and what it says to get there. */
type Reached = readonly [routes: RegExp, suite: string, says: string];

const REACHED: readonly Reached[] = [
  [/^GET \/$/, 'session', "visit('/')"],
  [/^GET \/metrics$/, '../metrics/metrics', "'get', '/metrics'"],
  [/^GET \/docs$/, '../docs/openapi', "'get', '/docs'"],
  [/^GET \/docs\/assets\//, '../docs/openapi', "'/docs/assets/start.js'"],
  [/^GET \/dashboard\/assets\//, 'session', '/dashboard/assets/'],
  [/^GET \/dashboard\/\{path\}$/, 'session', "visit('/dashboard/nowhere')"],
  [/^GET \/dashboard$/, 'today', "visit('/dashboard')"],
  [/^GET \/dashboard\/sign-in$/, 'session', "visit('/dashboard/sign-in')"],
  [/^(GET|POST) \/dashboard\/rebuild$/, 'rebuild', "submit('rebuild'"],
  [/^POST \/dashboard\/sign-in$/, 'session', "submit('sign-in'"],
  [/^POST \/dashboard\/sign-out$/, 'session', "post('/dashboard/sign-out'"],
  [/^GET \/dashboard\/account$/, 'session', "visit('/dashboard/account')"],
  [/^POST \/dashboard\/sign-in\/code$/, 'second-factor', "submit('code'"],
  [/^GET \/dashboard\/account\/second-factor$/, 'second-factor', "visit('/dashboard/account/second-factor'"],
  [/^POST .+\/second-factor\/begin$/, 'second-factor', "submit('begin'"],
  [/^POST .+\/second-factor\/set$/, 'second-factor', "submit('set'"],
  [/^POST \/dashboard\/account\/second-factor\/remove$/, 'second-factor', "submit('remove'"],
  [/^POST .+\/operators\/.+\/second-factor\/remove$/, 'second-factor', 'submit(`factor-'],
  [/^POST \/dashboard\/account\/password$/, 'session', "submit('password'"],
  [/\.csv$/, 'csv', '{last}'],
  [/^GET .+\/runs\.csv$/, 'pull-sources', '/runs.csv'],
  [/^GET .+\/pull-sources\.csv$/, 'pull-sources', '${list}.csv'],
  [/^GET \/dashboard\/companies$/, 'companies', "visit('/dashboard/companies')"],
  [/^POST \/dashboard\/companies$/, 'companies', "submit('company'"],
  [/^GET \/dashboard\/companies\/\{company_id\}$/, 'companies', '\\/dashboard\\/companies\\/\\w+$'],
  [/^POST .+\/companies\/\{company_id\}\/locations$/, 'companies', "submit('location'"],
  [/^POST .+\/clock$/, 'sandbox', "submit('clock-day'"],
  [/^GET .+\/companies\/\{company_id\}\/units$/, 'csv', "'companies/{company}/units'"],
  [/^GET .+\/changes$/, 'csv', "'companies/{company}/changes'"],
  [/^GET .+\/api-tokens$/, 'companies', '/api-tokens'],
  [/^POST .+\/api-tokens$/, 'companies', "submit('token'"],
  [/^POST .+\/api-tokens\/.+\/delete$/, 'companies', 'submit(`delete-'],
  [/^GET .+\/pull-sources$/, 'pull-sources', '/pull-sources`'],
  [/^(GET|POST) .+\/pull-sources\/\{pull_source_id\}$/, 'pull-sources', "submit('enabled'"],
  [/^POST .+\/companies\/.+\/pull-sources$/, 'pull-sources', "submit('source'"],
  [/^POST .+\/runs$/, 'pull-sources', "submit('run'"],
  [/^POST .+\/test$/, 'pull-sources', "submit('test'"],
  [/^POST .+\/mapping$/, 'pull-sources', "submit('mapping'"],
  [/^GET \/dashboard\/find$/, 'units', '/dashboard/find?q='],
  [/^GET \/dashboard\/find\/hits$/, 'search', '/dashboard/find/hits?q='],
  [/^GET .+\/locations\/\{location_id\}$/, 'units', 'visit(location)'],
  [/^POST .+\/locations\/\{location_id\}\/units$/, 'units', "submit('unit'"],
  [/^POST .+\/locations\/\{location_id\}\/tenants$/, 'units', "submit('tenant'"],
  [/^GET .+\/locations\/\{location_id\}\/tenants$/, 'tenants', '}/tenants`'],
  [/^GET .+\/policy$/, 'units', '/policy`'],
  [/^POST .+\/policy$/, 'units', "submit('policy'"],
  [/^POST .+\/policy\/try$/, 'outlook', '/try`'],
  [/^GET .+\/equipment$/, 'units', '/equipment`'],
  [/^POST .+\/locations\/\{location_id\}\/zones$/, 'units', "submit('zone', {"],
  [/^POST .+\/locations\/\{location_id\}\/locks$/, 'units', "submit('lock', {"],
  [/^POST .+\/locations\/\{location_id\}\/entry-points$/, 'units', "submit('entry-point'"],
  [/^POST .+\/entry-points\/\{entry_point_id\}$/, 'units', "'service-'"],
  [/^GET .+\/entry-points\/\{entry_point_id\}$/, 'pictures', 'visit(gate)'],
  [/^GET .+\/locations\/\{location_id\}\/setup$/, 'site-setup', '/setup`'],
  [/^POST .+\/locations\/\{location_id\}\/setup$/, 'site-setup', "submit('setup'"],
  [/^POST .+\/entry-points\/\{entry_point_id\}\/setup$/, 'site-setup', "submit('gate'"],
  [/^GET .+\/table$/, 'unit-table', '/table`'],
  [/^POST .+\/table\/zone$/, 'unit-table', "submit('zone-units'"],
  [/^GET .+\/forecast$/, 'outlook', '/forecast`'],
  [/^GET .+\/units\/\{unit_id\}$/, 'units', 'visit(path)'],
  [/^POST .+\/override$/, 'units', "submit('override'"],
  [/^POST .+\/override\/clear$/, 'units', "submit('clear'"],
  [/^POST .+\/units\/\{unit_id\}\/name$/, 'units', "submit('name'"],
  [/^POST .+\/policy\/name$/, 'units', "submit('location-name'"],
  [/^POST .+\/retire$/, 'outlook', "submit('retire'"],
  [/^POST .+\/revive$/, 'outlook', "submit('revive'"],
  [/^POST .+\/units\/\{unit_id\}\/locks$/, 'units', "submit('lock')"],
  [/^POST .+\/units\/\{unit_id\}\/zones$/, 'units', "submit('zone')"],
  [/^GET .+\/setup$/, 'units', '/setup`'],
  [/^GET .+\/share$/, 'units', '/share?q='],
  [/^GET .+\/share\/hits$/, 'units', '/share/hits?q='],
  [/^POST .+\/shares$/, 'units', '^share-'],
  [/^POST .+\/locks\/\{lock_id\}\/remove$/, 'units', "'lock-'"],
  [/^POST .+\/zones\/\{zone_id\}\/remove$/, 'units', "'zone-'"],
  [/^POST .+\/shares\/\{tenant_id\}\/end$/, 'units', "'end-share-'"],
  [/^POST .+\/tenancy$/, 'units', "submit('move-in'"],
  [/^POST .+\/tenancy\/end$/, 'units', "submit('move-out'"],
  [/^POST .+\/facts$/, 'units', "submit('facts'"],
  [/^GET .+\/report$/, 'audit', '/report`'],
  [/^GET .+\/units\/\{unit_id\}\/history$/, 'units', '/history`'],
  [/^GET .+\/units\/\{unit_id\}\/activity$/, 'csv', "'units/{unit}/activity'"],
  [/^(GET|POST) .+\/tenants\/\{tenant_id\}$/, 'units', "submit('details'"],
  [/^POST .+\/sessions\/end$/, 'tenants', "submit('sessions')"],
  [/^POST .+\/erase$/, 'units', "submit('erase'"],
  [/^GET \/dashboard\/operators$/, 'operators', "visit('/dashboard/operators')"],
  [/^POST \/dashboard\/operators$/, 'operators', "submit('operator'"],
  [/^POST \/dashboard\/operators\/\{operator_id\}$/, 'operators', 'submit(`operator-'],
  [/^POST .+\/operators\/\{operator_id\}\/remove$/, 'operators', 'submit(`remove-'],
  [/^GET \/dashboard\/audit$/, 'audit', "visit('/dashboard/audit')"],
  [/^POST .+\/verify$/, 'audit', "examine('verify'"],
  [/^POST .+\/checkpoint$/, 'audit', "examine('checkpoint'"],
  [/^GET .+\/export$/, 'audit', "visit('/dashboard/audit/export')"],
];

/** Every route that is in no description, as the router has it: the dashboard's pages and files, `/metrics` and `/docs`. */
export function pageCoverage(application: INestApplication): PageCoverage[] {
  return routesOf(application).pages.map(({ name: routed }) => {
    const name = routed.replace(/[:*](\w+)/g, '{$1}');
    const last = name.slice(name.lastIndexOf('/') + 1);
    const suites = REACHED.filter(
      ([routes, suite, says]) => routes.test(name) && textOf(suite).includes(says.replace('{last}', last)),
    ).map(([, suite]) => fileOf(suite));
    return { name, suites: [...new Set(suites)] };
  });
}

function fileOf(suite: string): string {
  const end = suite === '../docs/openapi' ? '.spec.ts' : '.e2e.spec.ts';
  return join(DASHBOARD, `${suite}${end}`);
}

function textOf(suite: string): string {
  return readFileSync(join(ROOT, fileOf(suite)), 'utf8');
}
