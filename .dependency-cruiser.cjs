const features = ['access', 'history', 'locks', 'operator', 'pull', 'push', 'sites', 'tenants', 'units'];
const ground = ['http', 'eventing', 'documents', 'config'];
const folders = (names) => `^src/(${names.join('|')})/`;

// Arrows point one way (docs/design.md): who may import whom, by folder.
const allowed = {
  units: [...ground],
  sites: [...ground],
  tenants: [...ground, 'sites'],
  locks: [...ground, 'sites'],
  access: [...ground, 'units', 'sites', 'tenants', 'locks'],
  push: [...ground, 'units', 'sites', 'tenants', 'locks', 'access', 'history'],
  history: [...ground, 'units', 'sites', 'tenants', 'locks', 'access'],
  operator: [...ground, 'units', 'sites', 'tenants', 'locks', 'access', 'history', 'push'],
  pull: [...ground, 'units', 'sites', 'tenants', 'locks', 'access', 'push'],
};

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
    ...features.map((feature) => ({
      name: `${feature}-imports-downwards`,
      severity: 'error',
      from: { path: `^src/${feature}/` },
      to: { path: '^src/', pathNot: [folders([feature, ...allowed[feature]]), '^src/[^/]+$'] },
    })),
    {
      name: 'features-meet-at-the-index',
      comment: 'A feature is entered through its index.ts, its module or its pure core types.',
      severity: 'error',
      from: { path: folders(features), pathNot: '/core/' },
      to: {
        path: folders(features),
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^src/[^/]+/core/' },
      to: { pathNot: '^src/[^/]+/core/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
