import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { coreSpecs } from '../../../stryker.config.json';
import { temporaryFolder } from '../temporary-folder.js';

/** Has the runner play suites in a process of its own, as Stryker does, and answers what came of each. */
const PLAY = `
import { strykerPlugins } from ${JSON.stringify(path.resolve('test/support/mutants/core-runner.mjs'))};
const played = {};
for (const file of process.argv.slice(1)) {
  const runner = new strykerPlugins[0].injectableClass({ coreSpecs: [file] });
  await runner.init();
  const play = async (mutantActivation) => (await runner.mutantRun(
    { activeMutant: { id: '1' }, mutantActivation, reloadEnvironment: true, testFilter: ['passes'] })).status;
  const dry = await runner.dryRun().then(({ tests }) => tests.map(({ status }) => status), () => 'refused');
  played[file] = { dry, runtime: await play('runtime'), static: await play('static') };
}
console.log(JSON.stringify(played));
`;

const CIRCUS = `require(${JSON.stringify(path.resolve('node_modules/jest-circus'))})`;
const CLOSING = `
let open = 0;
afterEach(() => { open -= 1; });
test('fails', () => { open += 1; throw new Error(); });
test('passes', () => { expect(open).toBe(0); open += 1; });
`;
const FAULTY = `
if (globalThis.__stryker__.activeMutant) throw new Error('loaded with its fault');
test('passes', () => {});
`;
const REFUSED = [
  `${CIRCUS}.beforeAll(() => {}); test('passes', () => {});`,
  `${CIRCUS}.afterAll(() => {}); test('passes', () => {});`,
  `test.skip('other', () => {}); test('passes', () => {});`,
  `test.only('passes', () => {});`,
  `describe.skip('other', () => { test('another', () => {}); }); test('passes', () => {});`,
  `test.failing('other', () => { throw new Error(); }); test('passes', () => {});`,
];

it('runs what a failed test leaves to be closed, and counts no failure of its own as a kill', async () => {
  const folder = await temporaryFolder();
  try {
    const asserting = `test('passes', () => { expect.assertions(1); expect(1).toBe(1); });`;
    const suites = [CLOSING, FAULTY, asserting, ...REFUSED];
    const files = suites.map((_, place) => path.join(folder.path, `${place}.cjs`));
    await Promise.all(suites.map((suite, place) => writeFile(files[place]!, suite)));
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      PLAY,
      ...files,
    ]);
    const played = JSON.parse(stdout) as Record<string, unknown>;
    expect(files.map((file) => played[file])).toEqual([
      { dry: [1, 0], runtime: 'survived', static: 'survived' },
      { dry: [0], runtime: 'survived', static: 'killed' },
      { dry: [1], runtime: 'killed', static: 'killed' },
      ...REFUSED.map(() => ({ dry: 'refused', runtime: 'error', static: 'error' })),
    ]);
  } finally {
    await folder.remove();
  }
});

/** What stands round the cores, with stores under it. */
const OF_SHELLS = [
  'test/domain/access/tenant-access/tenant-access.views.spec.ts',
  'test/domain/locations/location.projector.spec.ts',
  'test/domain/locations/location.views.spec.ts',
  'test/domain/units/full-tenants.spec.ts',
  'test/domain/units/unit-preparation.spec.ts',
  'test/domain/units/unit.projector.spec.ts',
];

it('is given every suite of a core', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`);
  const suites = files.filter((file) => {
    if (!file.endsWith('.spec.ts') || file.endsWith('.e2e.spec.ts')) return false;
    const folder = path
      .dirname(file)
      .replace(/^test\//, '')
      .replace(/\/core$/, '');
    const text = readFileSync(file, 'utf8');
    return [`'#${folder}/core/`, `/packages/${folder}/src/core/`].some((core) => text.includes(core));
  });
  expect(suites.length).toBeGreaterThan(OF_SHELLS.length);
  const listed: readonly string[] = coreSpecs;
  expect(suites.filter((file) => !listed.includes(file) && !OF_SHELLS.includes(file))).toEqual([]);
});
