import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApiDocument } from '#web/openapi/document.js';
import { operationsOf } from '../../contracts/described-operations.js';
import type { Call } from './calls.js';
import { drive, type Generator, type MadeClient, type Played, run } from './generator.js';

const MODULES = join(__dirname, '..', '..', '..', 'node_modules');
const COMPILER = [
  '--strict',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--types',
  'node',
];

/** Types of the document, used by openapi-fetch. The compiler reads the calls, then the answers that came. */
export const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  async make(file, folder): Promise<MadeClient> {
    await symlink(MODULES, join(folder, 'node_modules'));
    const { stdout, stderr } = await run(
      join(MODULES, '.bin', 'openapi-typescript'),
      [file, '-o', 'schema.ts'],
      folder,
    );
    const types = await readFile(join(folder, 'schema.ts'), 'utf8');
    const document = JSON.parse(await readFile(file, 'utf8')) as OpenApiDocument;
    return {
      warnings: `${stdout}\n${stderr}`.split('\n').filter((line) => /warn|error/i.test(line)),
      has: (operation) => new RegExp(`^ {4}${operation}: \\{$`, 'm').test(types),
      async play(baseUrl, calls) {
        const placed = calls.map((call) => ({ ...call, ...placeOf(document, call) }));
        await compile(folder, 'calls', callsText(baseUrl, placed));
        const played = await drive(process.execPath, ['calls.js'], folder, {});
        await compile(folder, 'answers', answersText(placed, played));
        return played;
      },
    };
  },
};

interface Placed extends Call {
  readonly method: string;
  readonly path: string;
}

function placeOf(document: OpenApiDocument, call: Call): Pick<Placed, 'method' | 'path'> {
  const all = operationsOf(document);
  const { method, path } = all.find(({ operation }) => operation.operationId === call.operation)!;
  return { method, path };
}

/** @throws Error with what the compiler says */
async function compile(folder: string, name: string, text: string): Promise<void> {
  await writeFile(join(folder, `${name}.ts`), text);
  await run(join(MODULES, '.bin', 'tsc'), [...COMPILER, `${name}.ts`], folder).catch(
    (error: { stdout: string }) => {
      throw new Error(`The types do not fit:\n${error.stdout}`);
    },
  );
}

function callsText(baseUrl: string, calls: readonly Placed[]): string {
  const told = calls.map(
    (call) =>
      `  [${JSON.stringify(call.operation)}, () => client.${call.method.toUpperCase()}('${call.path}', ${requestOf(call)})],\n`,
  );
  return `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths>({ baseUrl: ${JSON.stringify(baseUrl)} });
const calls: [string, () => Promise<{ data?: unknown; error?: unknown; response: Response }>][] = [
${told.join('')}];

void (async () => {
  for (const [operation, call] of calls) {
    const { data, error, response } = await call();
    const raw = data ?? error ?? null;
    console.log(JSON.stringify({ operation, status: response.status, raw, read: raw, thrown: null }));
  }
})();
`;
}

function requestOf({ path, parameters, body, token }: Placed): string {
  const isInPath = ([name]: [string, unknown]) => path.includes(`{${name}}`);
  const all = Object.entries(parameters);
  const inPath = Object.fromEntries(all.filter(isInPath));
  const query = Object.fromEntries(all.filter((one) => !isInPath(one)));
  const params = {
    ...(Object.keys(inPath).length === 0 ? {} : { path: inPath }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
  };
  return JSON.stringify({
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(body === null ? {} : { body }),
    ...(token === null ? {} : { headers: { Authorization: `Bearer ${token}` } }),
  });
}

function answersText(calls: readonly Placed[], played: readonly Played[]): string {
  const told = calls.map(({ path, method }, place) => {
    const { status, raw } = played[place]!;
    if (raw === null) return '';
    const type = `paths['${path}']['${method}']['responses'][${status}]['content']['application/json']`;
    return `export const answer${place}: ${type} = ${JSON.stringify(raw)};\n`;
  });
  return `import type { paths } from './schema.js';\n\n${told.join('')}`;
}
