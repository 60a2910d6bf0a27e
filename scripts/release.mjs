/**
 * Makes the files of a release: `npm run release [-- FOLDER]`. These are the package, the client, the files for the image, the
 * Postman collection, the script of the first steps, the list of all packages in it (CycloneDX), and the checksums. With
 * `--only-parts` it makes only the list.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const described = JSON.parse(readFileSync('package.json', 'utf8'));
const { name, version } = described;
const WORKSPACES = 'packages/';
const words = process.argv.slice(2);
const onlyParts = words[0] === '--only-parts';
const folder = resolve(words[onlyParts ? 1 : 0] ?? 'release');
const run = (program, parameters, options = {}) =>
  execFileSync(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', ...options });

if (!onlyParts && readdirSync('.').includes('.git') && run('git', ['status', '--porcelain']).trim() !== '')
  throw new Error('Commit your changes first: a release holds only committed files.');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const draft = mkdtempSync(join(tmpdir(), 'storage-access-release-'));
try {
  if (!onlyParts) {
    packService();
    run(process.execPath, ['scripts/pack-client.mjs', folder]);
    packImageContext();
    run('npm', ['run', '--silent', 'contracts', '--', folder]);
  }
  writeFileSync(join(folder, `${name}-${version}.cdx.json`), `${JSON.stringify(parts(), null, 2)}\n`);
  if (!onlyParts) writeFileSync(join(folder, 'SHA256SUMS'), checksums());
} finally {
  rmSync(draft, { recursive: true, force: true });
}
console.log(`${readdirSync(folder).join('\n')}\nare in ${folder}`);

/** The shrinkwrap file makes npm install the tested versions. */
function packService() {
  run(process.execPath, ['scripts/build.mjs']);
  for (const path of ['dist', 'deploy', 'README.md', 'CHANGELOG.md', 'LICENSE', '.env.example'])
    cpSync(path, join(draft, path), { recursive: true });
  writeFileSync(join(draft, 'npm-shrinkwrap.json'), JSON.stringify(versionsOfService(), null, 2));
  const files = ['dist', 'deploy', 'CHANGELOG.md', '.env.example', 'npm-shrinkwrap.json'];
  const left = { workspaces: undefined, scripts: undefined, devDependencies: undefined };
  const shipped = { ...described, files, ...left };
  writeFileSync(join(draft, 'package.json'), JSON.stringify(shipped, null, 2));
  run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: draft });
}

/** The lock file without the workspace of the client, which is a package of its own. */
function versionsOfService() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const isOfWorkspace = ([path, { link }]) => link === true || path.startsWith(WORKSPACES);
  const packages = Object.fromEntries(Object.entries(lock.packages).filter((one) => !isOfWorkspace(one)));
  return { ...lock, packages: { ...packages, '': { ...packages[''], workspaces: undefined } } };
}

/** Packs the files for `docker build` (those that .dockerignore allows) and for `docker compose`. */
function packImageContext() {
  const needed = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const beside = [
    '.dockerignore',
    '.env.example',
    'Dockerfile',
    'docker-compose.yml',
    'docker-compose.embedded.yml',
  ];
  const place = `storage-access-image-${version}`;
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  const target = join(folder, `${place}.tar.gz`);
  run('tar', [...same, `--transform=s,^,${place}/,`, '-czf', target, ...needed, ...beside]);
}

/** Reads the lock file, because `npm sbom --omit dev` leaves out packages that development needs as well, such as Express. */
function parts() {
  const options = ['--sbom-format', 'cyclonedx', '--package-lock-only', '--sbom-type', 'application'];
  const made = JSON.parse(run('npm', ['sbom', ...options], { maxBuffer: 64 * 1024 * 1024 }));
  const { packages } = versionsOfService();
  const shipped = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  // The first is the service itself.
  const names = shipped.map(
    ([path, { version: one }]) => `${path.split('node_modules/').at(-1) || name}@${one}`,
  );
  const isListed = (ref) => names.includes(ref);
  made.components = made.components.filter((component) => isListed(component['bom-ref']));
  made.dependencies = made.dependencies
    .filter(({ ref }) => isListed(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isListed) }));
  // npm has written the name of the folder.
  made.metadata.component.name = name;
  return made;
}

function checksums() {
  const lines = readdirSync(folder).map((file) => {
    const hash = createHash('sha256').update(readFileSync(join(folder, file)));
    return `${hash.digest('hex')}  ${file}\n`;
  });
  return lines.join('');
}
