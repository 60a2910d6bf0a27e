import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engines, scripts } from '../../package.json';
import { packages } from '../../package-lock.json';

interface Semver {
  readonly minVersion: (range: string) => object;
  readonly satisfies: (version: object, range: string) => boolean;
}

const ROOT = join(__dirname, '..', '..');

it('no package runs a script at installation, and no script of ours waits for a hook that this silences', () => {
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
  expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
});

it('no package refuses the oldest Node.js of ours, so that npm ci warns of none', () => {
  const { minVersion, satisfies } = jest.requireActual<Semver>('semver');
  const oldest = minVersion(engines.node);
  const locked = Object.entries(packages as Record<string, { engines?: { node?: string } }>);
  const refusing = locked.filter(([, { engines: own }]) => !satisfies(oldest, own?.node ?? '*'));
  expect(refusing.map(([path]) => path)).toEqual([]);
});
