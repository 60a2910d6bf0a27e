import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = join(__dirname, '..', '..', '..');

const described = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

it('a place that names the version names that of package.json', () => {
  const { version } = described('package.json');
  const { packages } = described('package-lock.json');
  const here = [packages[''], packages['packages/client'], described('packages/client/package.json')];
  expect(here.map((one) => one.version)).toEqual([version, version, version]);
  for (const path of ['docs/install.md', 'deploy/kubernetes/embedded.yml', 'deploy/kubernetes/servers.yml']) {
    const named = readFileSync(join(ROOT, path), 'utf8').matchAll(
      /service[:-](\d+\.\d+\.\d+(?:-[a-z0-9.]+?)?)(?:\.tgz|\s|$)/gm,
    );
    const versions = [...named].map(([, one]) => one);
    expect([path, versions]).toEqual([path, versions.map(() => version)]);
    expect(versions).not.toEqual([]);
  }
});

it('the list of parts has every package that is installed without development, and no other', async () => {
  const folder = await temporaryFolder();
  try {
    execFileSync(process.execPath, ['scripts/release.mjs', '--only-parts', folder.path], { cwd: ROOT });
    const [file] = readdirSync(folder.path);
    const { bomFormat, components } = JSON.parse(readFileSync(join(folder.path, file!), 'utf8'));
    expect(bomFormat).toBe('CycloneDX');
    const packages = Object.entries<{ version: string; dev?: true; link?: true; optional?: true }>(
      described('package-lock.json').packages,
    );
    const shipped = packages.flatMap(([path, { version, dev, link }]) =>
      !path.startsWith('node_modules/') || dev === true || link === true
        ? []
        : [`${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`],
    );
    const listed = components.map(
      ({ group, name, version }: Record<string, string>) =>
        `${group === undefined ? '' : `${group}/`}${name}@${version}`,
    );
    expect(new Set(listed)).toEqual(new Set(shipped));
  } finally {
    await folder.remove();
  }
});
