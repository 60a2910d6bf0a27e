import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { fencedBlocks } from '../docs/walkthrough.js';
import { Service } from '../support/service.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(__dirname, '..', '..');
const NEEDED = 'openapi-fetch';
const EXAMPLE = 'push-units.ts';

const run = promisify(execFile);

interface Package {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: { readonly '.': { readonly browser: string } };
}

async function packageOf(folder: string): Promise<Package> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Package;
}

/** As the compiler has read and parsed them: those of the language are the same in each project. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The compiler's errors in files of the project and the client's declarations. Empty if there are none. */
function complaints(project: string, types: string[], lib: string[], files: string[]): string {
  const options: ts.CompilerOptions = {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: lib.map((name) => `lib.${name}.d.ts`),
    types,
    typeRoots: [join(project, 'node_modules', '@types')],
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => project;
  host.getSourceFile = (name, ...how) => {
    if (!parsed.has(name)) parsed.set(name, read(name, ...how));
    return parsed.get(name);
  };
  const rootNames = files.map((name) => join(project, name));
  const program = ts.createProgram({ rootNames, options, host });
  // Declarations are checked, the client's among them; those that others bring are theirs to check.
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(project));
  expect(ours.some(({ isDeclarationFile }) => isDeclarationFile)).toBe(true);
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  return ts.formatDiagnostics(found, host);
}

describe('the client, packed by itself and put into an empty project', () => {
  let folder: TemporaryFolder;
  let project: string;
  let installed: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    // The compiler names files by where they really are.
    project = join(await realpath(folder.path), 'project');
    const modules = join(project, 'node_modules');
    installed = join(modules, 'storage-access-client');
    await mkdir(installed, { recursive: true });
    await run(process.execPath, ['scripts/pack-client.mjs', folder.path], { cwd: ROOT });
    const [file] = (await readdir(folder.path)).filter((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', join(folder.path, file!), '-C', installed, '--strip-components=1']);
    await symlink(join(ROOT, 'node_modules', NEEDED), join(modules, NEEDED));
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', type: 'module' }));
    await copyFile(join(ROOT, 'docs', 'examples', EXAMPLE), join(project, EXAMPLE));
    const [connecting, receiving] = fencedBlocks(await readFile(join(installed, 'README.md'), 'utf8'));
    await writeFile(join(project, 'readme.ts'), connecting!.text);
    await writeFile(join(project, 'webhooks.ts'), receiving!.text);
  });
  afterAll(() => folder.remove());

  const filesOf = async (ending: string) => {
    const names = await readdir(installed, { recursive: true });
    return Promise.all(
      names.filter((name) => name.endsWith(ending)).map((name) => readFile(join(installed, name), 'utf8')),
    );
  };

  describe('its modules for a browser', () => {
    let service: Service;
    beforeAll(async () => (service = await Service.start()));
    afterAll(() => service.close());

    it('are loaded as they are, with nothing installed beside them, and call a service', async () => {
      const { browser } = (await packageOf(installed)).exports['.'];
      const alone = join(folder.path, 'alone');
      await cp(join(installed, dirname(browser)), alone, { recursive: true });
      await writeFile(
        join(alone, 'page.js'),
        `import { connect, isServiceError } from './${basename(browser)}';
        const body = { email: 'ada@example.com', password: 'correct horse battery staple' };
        const service = connect({ baseUrl: 'http://127.0.0.1:${service.port}' });
        const { data } = await service.call('POST', '/api/operator/sessions', { body });
        const refused = await connect({ baseUrl: 'http://127.0.0.1:${service.port}', token: data.token }).call('GET', '/api/v2/company').catch((error) => error);
        console.log(typeof data.token, isServiceError(refused), refused.status);`,
      );
      const { stdout } = await run(process.execPath, ['page.js'], { cwd: alone });
      expect(stdout).toBe('string true 401\n');
      expect(await readFile(join(alone, `${NEEDED}.LICENSE`), 'utf8')).toContain('MIT License');
    });
  });

  it('brings one package that it imports, of the version that is tested here, and nothing of the service', async () => {
    const { dependencies } = await packageOf(installed);
    const tested = await packageOf(join(ROOT, 'node_modules', NEEDED));
    expect(dependencies).toEqual({ [NEEDED]: tested.version });
    const required = (await filesOf('.js')).flatMap((text) => [
      ...text.matchAll(/require\("([^."][^"]*)"\)/g),
    ]);
    expect([...new Set(required.map(([, name]) => name))]).toEqual([NEEDED]);
    expect((await filesOf('.d.ts')).filter((text) => text.includes(NEEDED))).toEqual([]);
  });

  it('compiles without the types of a browser and of Node, and with either', async () => {
    expect(complaints(project, [], ['es2023'], [EXAMPLE])).toBe('');
    expect(complaints(project, [], ['es2023', 'dom'], [EXAMPLE, 'readme.ts', 'webhooks.ts'])).toBe('');
    await symlink(join(ROOT, 'node_modules', '@types'), join(project, 'node_modules', '@types'));
    await symlink(join(ROOT, 'node_modules', 'undici-types'), join(project, 'node_modules', 'undici-types'));
    expect(complaints(project, ['node'], ['es2023'], [EXAMPLE, 'readme.ts', 'webhooks.ts'])).toBe('');
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
