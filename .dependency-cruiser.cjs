/**
 * The rooms of the house, the lowest first. A file imports from its own room and from lower ones (docs/design.md).
 * The pages of `pull` and its entries stand between the two API rooms that they need and that need them.
 */
const ROOMS = [
  'kernel',
  'eventsourcing/log',
  'eventsourcing/documents',
  'eventsourcing/proof',
  'eventsourcing/writing',
  'eventsourcing/projecting',
  'web',
  'domain/companies',
  'domain/locations',
  'domain/tenants',
  'domain/locks',
  'domain/units',
  'domain/passes',
  'domain/access',
  'domain/sharing',
  'domain/history',
  'domain/operators',
  'domain/sign-on',
  'domain/announcements',
  'domain/notices',
  'domain/webhooks',
  'domain/summaries',
  'api/shapes',
  'api/history',
  'api/push',
  'pull',
  'api/tenant',
  'api/operator',
  'api/metrics',
  'dashboard',
  'stores',
  'app',
  'cli',
];
const FEATURES = ROOMS.filter((room) => /^(domain|api|pull|dashboard)\b/.test(room));
const within = (rooms) => `^src/(${rooms.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycle-between-folders',
      comment:
        'Of two folders, one is below the other. What both need goes into a folder below them. A folder and its own subfolders may import each other.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    ...ROOMS.map((room, place) => ({
      name: `${room.replace('/', '-')}-imports-downwards`,
      severity: 'error',
      from: { path: within([room]) },
      to: { path: '^src/', pathNot: [within(ROOMS.slice(0, place + 1))] },
    })),
    {
      name: 'stores-know-the-ports-alone',
      severity: 'error',
      from: { path: within(['stores']) },
      to: { path: '^src/', pathNot: '^src/(stores|eventsourcing|kernel)/' },
    },
    {
      name: 'stores-are-chosen-by-the-app',
      comment: 'Everybody else knows the two ports, not their adapters.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(stores|app|cli)/', '^src/[^/]+$'] },
      to: { path: '^src/stores/' },
    },
    ...FEATURES.map((feature) => ({
      name: `${feature.replace('/', '-')}-has-one-door`,
      comment: 'A feature is entered through its index.ts. A core may enter a core, as both are pure.',
      severity: 'error',
      from: { path: '^src/', pathNot: [within([feature]), '/core/'] },
      to: { path: within([feature]), pathNot: '/index\\.ts$' },
    })),
    {
      name: 'domain-does-not-know-http',
      comment: 'What it needs of a request it states as an interface, which `web` or `api` implements.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: ['^src/web/', '(^|/)node_modules/(@types/)?express'] },
    },
    {
      name: 'controllers-are-called-by-requests-alone',
      comment: 'A module registers a controller. What others need of it is a service (docs/design.md).',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.module\\.ts$' },
      to: { path: '^src/.*\\.controllers?\\.ts$' },
    },
    {
      name: 'core-is-pure',
      comment: 'A core imports cores. Of other files it knows types.',
      severity: 'error',
      from: { path: '/core/' },
      to: { pathNot: '/core/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'demo-knows-only-the-api',
      comment:
        'It stands for those who call the service from outside, with the client of the package; it starts one, and reads what that prints.',
      severity: 'error',
      from: { path: '^tools/demo/' },
      to: { path: '^src/', pathNot: '^src/kernel/announcement\\.ts$' },
    },
    {
      name: 'client-stands-alone',
      comment:
        'It runs where the service does not: of it, it knows the types that are made of its description.',
      severity: 'error',
      from: { path: '^packages/client/' },
      to: { pathNot: ['^packages/client/src/', '(^|/)node_modules/openapi-fetch/'] },
    },
    {
      name: 'client-is-entered-by-its-index',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^packages/client/', pathNot: '^packages/client/src/index\\.ts$' },
    },
    {
      name: 'client-is-for-others',
      comment: 'The service does not call itself.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/' },
    },
    {
      name: 'tools-are-not-shipped',
      comment: 'The benchmark and the demo stand beside the service.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^tools/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
