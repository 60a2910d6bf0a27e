import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(__dirname, '..', '..');
const BUILD = join(ROOT, 'scripts/build.mjs');
const STATIC = 'dashboard/assets/static';

/** Makes of the project's one source what the compiler makes of it, and leaves alone what lies where it puts it. */
const STAND_IN = `const { mkdirSync, writeFileSync } = require('node:fs');
const outDir = process.argv[process.argv.indexOf('--outDir') + 1];
mkdirSync(outDir, { recursive: true });
writeFileSync(outDir + '/main.js', 'exports.build = 1');`;

const run = promisify(execFile);

describe('a build', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'src', STATIC), { recursive: true });
    await writeFile(join(folder.path, 'src', STATIC, 'page.css'), 'a {}');
    await place('src/main.ts', 'export const build = 1;');
    await place('dist/main.js', 'what runs');
    await place('dist/gone.js', 'what was there before');
  });
  afterEach(() => folder.remove());

  async function place(path: string, text: string): Promise<void> {
    await mkdir(join(folder.path, path, '..'), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }

  async function withCompiler(): Promise<void> {
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    // As little for it to read as there can be: what is tested is where it puts what it makes.
    const little = { types: [], lib: ['es5'], skipLibCheck: true };
    const compilerOptions = { rootDir: 'src', module: 'nodenext', ...little, outDir: 'dist' };
    await place('tsconfig.build.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  }

  const withStandIn = () => place('node_modules/typescript/bin/tsc', STAND_IN);

  const build = () => run(process.execPath, [BUILD], { cwd: folder.path });
  const dist = async () => (await readdir(join(folder.path, 'dist'), { recursive: true })).sort();
  const built = ['.built-from', 'dashboard', 'dashboard/assets', STATIC, `${STATIC}/page.css`, 'main.js'];
  const leftBeside = async () => (await readdir(folder.path)).filter((name) => name.startsWith('dist.'));

  it('takes the place of the one before as a whole, and leaves nothing beside it', async () => {
    await withCompiler();
    expect(await build()).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^Building: .*\n$/) as string,
    });
    expect(await dist()).toEqual(built);
    expect(await readFile(join(folder.path, 'dist/main.js'), 'utf8')).toContain('exports.build = 1');
    expect(await leftBeside()).toEqual([]);
  });

  it('that does not compile leaves what runs where it is', async () => {
    await withCompiler();
    await place('src/main.ts', 'export const build: string = 1;');
    await expect(build()).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining('TS2322') });
    expect(await dist()).toEqual(['gone.js', 'main.js']);
    expect(await leftBeside()).toEqual([]);
  });

  it('compiles nothing if no source has changed since the one before', async () => {
    await withStandIn();
    await build();
    await place('dist/main.js', 'what was built before');
    expect(await build()).toEqual({ stdout: '', stderr: '' });
    expect(await readFile(join(folder.path, 'dist/main.js'), 'utf8')).toBe('what was built before');
  });

  it.each([
    'src/main.ts',
    'src/new.ts',
    `src/${STATIC}/page.css`,
    'package-lock.json',
    'tsconfig.build.json',
  ])('compiles again after a change of %s', async (source) => {
    await withStandIn();
    await build();
    await place('dist/main.js', 'what was built before');
    await place(source, 'another text');
    await build();
    expect(await readFile(join(folder.path, 'dist/main.js'), 'utf8')).toBe('exports.build = 1');
  });

  it('takes nothing of one that was ended, and leaves alone what another one is at', async () => {
    await withStandIn();
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    const atWork = `dist.${process.pid}`;
    for (const left of [`dist.${gone}`, `dist.${gone}.old`, atWork, 'dist.kept'])
      await place(`${left}/x`, '');
    // Puts what is stale where the build that follows in this process will compile to.
    const stale = `require('node:fs').mkdirSync('dist.' + process.pid + '/stale', { recursive: true })`;
    await place('stale.cjs', stale);
    await run(process.execPath, ['--require', './stale.cjs', BUILD], { cwd: folder.path });
    expect(await dist()).toEqual(built);
    expect((await leftBeside()).sort()).toEqual([atWork, 'dist.kept'].sort());
  });

  it('stands another one at the same time', async () => {
    await withStandIn();
    await Promise.all([build(), build(), build()]);
    expect(await dist()).toEqual(built);
    expect(await leftBeside()).toEqual([]);
  });
});

it.each(['start', 'demo'])(
  'npm run %s ends with its last command, which takes the place of the shell',
  async (name) => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts[name]).toMatch(/ && exec node [^&;|]+$/);
  },
);
