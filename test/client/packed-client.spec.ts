import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fencedBlocks } from '../docs/walkthrough.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(__dirname, '..', '..');
const TYPESCRIPT = require.resolve('typescript/bin/tsc');
const NEEDED = 'openapi-fetch';

const run = promisify(execFile);

/** What a compiler says of files of the project; empty where it has nothing to say. */
async function complaints(project: string, types: string[], lib: string[], files: string[]): Promise<string> {
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', lib, types, noEmit: true };
  const path = join(project, 'tsconfig.json');
  await writeFile(
    path,
    // Declarations are checked, the client's among them; those that TypeScript brings itself are not.
    JSON.stringify({
      compilerOptions: { ...compilerOptions, skipLibCheck: false, skipDefaultLibCheck: true },
      files,
    }),
  );
  return run(process.execPath, [TYPESCRIPT, '-p', path]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe('the client, packed by itself and put into an empty project', () => {
  let folder: TemporaryFolder;
  let project: string;
  let installed: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    project = join(folder.path, 'project');
    const modules = join(project, 'node_modules');
    installed = join(modules, 'storage-access-client');
    await mkdir(installed, { recursive: true });
    await run(process.execPath, ['scripts/pack-client.mjs', folder.path], { cwd: ROOT });
    const [file] = (await readdir(folder.path)).filter((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', join(folder.path, file!), '-C', installed, '--strip-components=1']);
    await symlink(join(ROOT, 'node_modules', NEEDED), join(modules, NEEDED));
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', type: 'module' }));
    for (const name of ['push-units.ts', 'tenant-app.ts'])
      await copyFile(join(ROOT, 'docs', 'examples', name), join(project, name));
    const [shown] = fencedBlocks(await readFile(join(installed, 'README.md'), 'utf8'));
    await writeFile(join(project, 'readme.ts'), shown!.text);
  });
  afterAll(() => folder.remove());

  const filesOf = async (ending: string) => {
    const names = await readdir(installed, { recursive: true });
    return Promise.all(
      names.filter((name) => name.endsWith(ending)).map((name) => readFile(join(installed, name), 'utf8')),
    );
  };

  it('brings one package that it imports, of the version that is tested here, and nothing of the service', async () => {
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const ours = await read(join(ROOT, 'package.json'));
    const { dependencies, version } = await read(join(installed, 'package.json'));
    expect([version, dependencies]).toEqual([
      ours['version'],
      { [NEEDED]: (ours['dependencies'] as Record<string, string>)[NEEDED] },
    ]);
    const required = (await filesOf('.js')).flatMap((text) => [
      ...text.matchAll(/require\("([^."][^"]*)"\)/g),
    ]);
    expect([...new Set(required.map(([, name]) => name))]).toEqual([NEEDED]);
    expect((await filesOf('.d.ts')).filter((text) => text.includes(NEEDED))).toEqual([]);
  });

  it('compiles without the types of a browser and of Node, and with either', async () => {
    const examples = ['push-units.ts', 'tenant-app.ts'];
    expect(await complaints(project, [], ['es2023'], examples)).toBe('');
    expect(await complaints(project, [], ['es2023', 'dom'], [...examples, 'readme.ts'])).toBe('');
    await symlink(join(ROOT, 'node_modules', '@types'), join(project, 'node_modules', '@types'));
    await symlink(join(ROOT, 'node_modules', 'undici-types'), join(project, 'node_modules', 'undici-types'));
    expect(await complaints(project, ['node'], ['es2023'], [...examples, 'readme.ts'])).toBe('');
  });

  it('is imported, and required', async () => {
    await writeFile(
      join(project, 'both.mjs'),
      `import { createRequire } from 'node:module';
      import { connect } from 'storage-access-client';
      const required = createRequire(import.meta.url)('storage-access-client');
      console.log(typeof connect({ baseUrl: 'http://service.test' }).call, required.connect === connect);`,
    );
    const { stdout } = await run(process.execPath, ['both.mjs'], { cwd: project });
    expect(stdout).toBe('function true\n');
  });
});
