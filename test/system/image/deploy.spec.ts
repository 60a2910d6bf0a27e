import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { SECRET_VARIABLES } from '#kernel/environment/secret-files.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const ROOT = join(__dirname, '..', '..', '..');
const TLS = join(__dirname, '..', '..', 'support', 'tls');
const WORKFLOWS = ['check', 'release'].map((name) => `.github/workflows/${name}.yml`);
const MANIFESTS = ['embedded', 'servers'].map((name) => `deploy/kubernetes/${name}.yml`);

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const whole = (paths: readonly string[]) => paths.map((path) => join(ROOT, path));

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/** Runs a checker; the test's name says where it is missing. */
function checkedBy(program: string, what: string, parameters: () => readonly string[]): void {
  const isThere = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  it(`${program} accepts ${what}${isThere ? '' : ': not run, as it is missing'}`, () => {
    if (!isThere) return expect(isThere).toBe(false);
    const { status, stdout, stderr } = spawnSync(program, parameters(), { encoding: 'utf8' });
    expect(status === 0 ? '' : `${status} ${stdout}${stderr}`).toBe('');
  });
}

checkedBy('systemd-analyze', 'the unit', () => {
  const path = join(folder.path, 'storage-access.service');
  const unit = read('deploy/systemd/storage-access.service').replace('/usr/bin/node', process.execPath);
  writeFileSync(path, unit);
  return ['verify', '--man=no', path];
});

checkedBy('nginx', 'the example', () => {
  const server = read('deploy/nginx/storage-access.conf')
    .replace('listen 443', 'listen 8443')
    .replace('/etc/ssl/access.example.com.pem', join(TLS, 'server.pem'))
    .replace('/etc/ssl/private/access.example.com.key', join(TLS, 'server-key.pem'));
  const path = join(folder.path, 'nginx.conf');
  // Everything that belongs to root is in the folder of this test.
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder.path}/${kind};`).join('\n');
  const main = `pid ${folder.path}/pid;\nevents {}\nhttp {\naccess_log off;\n${places}\n${server}}\n`;
  writeFileSync(path, main);
  return ['-t', '-q', '-e', join(folder.path, 'error.log'), '-c', path];
});

checkedBy('caddy', 'the example', () => [
  ...['validate', '--adapter', 'caddyfile', '--config'],
  ...whole(['deploy/caddy/Caddyfile']),
]);
checkedBy('actionlint', 'the workflows', () => whole(WORKFLOWS));
checkedBy('kubernetes-validate', 'the manifests', () => ['--strict', ...whole(MANIFESTS)]);

it('the workflows and the settings for updates are YAML', () => {
  for (const path of [...WORKFLOWS, '.github/dependabot.yml'])
    expect(parse(read(path))).toEqual(expect.any(Object));
});

it.each(['deploy/caddy/Caddyfile', 'deploy/nginx/storage-access.conf'])('%s hides the metrics', (path) => {
  expect(read(path)).toContain('/metrics');
});

describe.each(MANIFESTS)('%s', (path) => {
  const kinds = parseAllDocuments(read(path)).map((one) => one.toJS());
  const pod = kinds.find(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind)).spec.template.spec;
  const [container] = pod.containers;

  it('runs as nobody special, and writes to its volumes only', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('is asked whether it serves and whether it can work, and has time to end', () => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'];
    const asked = probes.map((probe) => container[probe].httpGet.path);
    expect(asked).toEqual(['/health', '/health', '/health/ready']);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(15);
  });

  it('takes every secret from a file that is mounted', () => {
    const names: string[] = container.env.map(({ name }: { name: string }) => name);
    expect(names.filter((name) => (SECRET_VARIABLES as readonly string[]).includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['KEY_MASTER_SECRET_FILE', 'OPERATOR_PASSWORD_FILE']));
  });
});
