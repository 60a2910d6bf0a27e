/**
 * Writes the client as ES modules, which a browser can load: `node scripts/browser-client.mjs FOLDER`. The package that it
 * needs is written beside them, with its licence.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const SOURCE = join(import.meta.dirname, '..', 'packages', 'client', 'src');
const NEEDED = 'openapi-fetch';

const folder = resolve(process.argv[2]);
const write = (name, text) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const sources = readdirSync(SOURCE, { recursive: true }).filter((name) => name.endsWith('.ts'));
for (const name of sources) {
  const { outputText } = ts.transpileModule(readFileSync(join(SOURCE, name), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 },
  });
  write(name.replace(/ts$/, 'js'), outputText.replaceAll(`'${NEEDED}'`, `'./${NEEDED}.js'`));
}
write('package.json', '{ "type": "module" }\n');
const needed = createRequire(import.meta.url).resolve(`${NEEDED}/dist/index.mjs`);
write(`${NEEDED}.js`, readFileSync(needed, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''));
cpSync(join(dirname(needed), '..', 'LICENSE'), join(folder, `${NEEDED}.LICENSE`));
