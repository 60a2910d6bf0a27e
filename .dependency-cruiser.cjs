const features = [
  'access',
  'companies',
  'dashboard',
  'history',
  'locations',
  'locks',
  'metrics',
  'operator',
  'pull',
  'push',
  'tenants',
  'units',
];
/** What the rest of the features stands on. */
const places = ['companies', 'locations'];
const ground = ['base', 'config', 'documents', 'http', 'log', 'projecting', 'storage', 'writing'];
const folders = (names) => `^src/(${names.join('|')})/`;

// Arrows point one way (docs/design.md): who may import whom, by folder.
const allowed = {
  storage: ['base', 'config'],
  log: ['base', 'config', 'storage'],
  documents: ['base', 'config', 'storage', 'log'],
  writing: ['base', 'config', 'storage', 'log', 'documents'],
  projecting: ['base', 'config', 'storage', 'log', 'documents', 'writing'],
  companies: [...ground],
  locations: [...ground, 'companies'],
  units: [...ground, ...places, 'tenants'],
  tenants: [...ground, ...places],
  locks: [...ground, ...places],
  access: [...ground, ...places, 'units', 'tenants', 'locks'],
  metrics: [...ground, 'tenants', 'access', 'pull'],
  push: [...ground, ...places, 'units', 'tenants', 'locks', 'access', 'history'],
  pull: [...ground, ...places, 'units', 'push'],
  history: [...ground, ...places, 'units', 'tenants', 'locks', 'access'],
  operator: [...ground, ...places, 'units', 'tenants', 'locks', 'access', 'history', 'push', 'pull'],
  dashboard: [
    ...ground,
    ...places,
    'units',
    'tenants',
    'locks',
    'access',
    'history',
    'push',
    'pull',
    'operator',
  ],
};

// What a core may take of other features' cores, which are pure as well.
const lentCores = [
  '^src/units/core/(unit\\.(facts|events|state)|(fact|override)-catalogue)\\.ts$',
  '^src/(companies|locations)/core/',
  '^src/access/core/',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'ground-knows-no-feature',
      severity: 'error',
      from: { path: folders(ground) },
      to: { path: folders(features) },
    },
    ...Object.entries(allowed).map(([folder, below]) => ({
      name: `${folder}-imports-downwards`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: [folders([folder, ...below]), '^src/[^/]+$'] },
    })),
    {
      name: 'features-meet-at-the-index',
      comment: 'A feature is entered through its index.ts; cores have a rule of their own.',
      severity: 'error',
      from: { path: folders(features), pathNot: '/core/' },
      to: {
        path: folders(features),
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'core-borrows-from-lent-cores',
      comment:
        'A core enters another feature through its index.ts (types alone) or a core that is named as lent.',
      severity: 'error',
      from: { path: `${folders(features)}core/` },
      to: {
        path: folders(features),
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', ...lentCores],
      },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^src/[^/]+/core/' },
      to: { pathNot: '^src/[^/]+/core/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'demo-knows-only-the-api',
      comment:
        'It stands for those who call the service from outside, with the client of the package; it starts one, and reads what that prints.',
      severity: 'error',
      from: { path: '^tools/demo/' },
      to: { path: '^src/', pathNot: ['^src/client/index\\.ts$', '^src/config/announcement\\.ts$'] },
    },
    {
      name: 'client-stands-alone',
      comment:
        'It runs where the service does not: of it, it knows the types that are made of its description.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { pathNot: ['^src/client/', '(^|/)node_modules/openapi-fetch/'] },
    },
    {
      name: 'client-is-for-others',
      comment: 'The service does not call itself.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/client/' },
      to: { path: '^src/client/' },
    },
    {
      name: 'tools-are-not-shipped',
      comment: 'The benchmark and the demo stand beside the service.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^tools/' },
    },
    {
      name: 'cli-is-a-program',
      severity: 'error',
      from: { pathNot: ['^src/cli/', '^src/cli\\.ts$'] },
      to: { path: '^src/cli/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
