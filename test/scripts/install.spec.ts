import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripts } from '../../package.json';

const ROOT = join(__dirname, '..', '..');

it('no package runs a script at installation, and no script of ours waits for a hook that this silences', () => {
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
  expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
});
