import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { transform } from '@swc/core';
import swcOptions from './swc-options.cjs';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');
const CACHE = join(ROOT, 'node_modules', '.cache', 'compiled-service');

let compiled: Promise<string> | undefined;

/** The `dist` folder of the service as it stands, compiled once for all processes that tests and campaigns start. */
export function compiledService(): Promise<string> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<string> {
  const names = (await readdir(SOURCE, { recursive: true }))
    .filter((name) => isSource(name) || isStatic(name))
    .sort();
  const texts = await Promise.all(names.map((name) => readFile(join(SOURCE, name), 'utf8')));
  const hash = createHash('sha256')
    .update(JSON.stringify([names, texts]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(CACHE, hash);
  const known: string[] = await readdir(CACHE).catch(() => []);
  if (!known.includes(hash)) {
    const building = `${folder}.${process.pid}`;
    await Promise.all(names.map((name, place) => compileFile(name, texts[place]!, join(building, 'dist'))));
    await cp(join(ROOT, 'package.json'), join(building, 'package.json'));
    // Another process may have been as quick: what it has put there is the same.
    await rename(building, folder).catch(() => rm(building, { recursive: true }));
  }
  return join(folder, 'dist');
}

const isSource = (name: string) => /\.tsx?$/.test(name);
/** What `npm run build` copies as it is. */
const isStatic = (name: string) => name.startsWith(join('dashboard', 'assets', 'static') + sep);

async function compileFile(name: string, text: string, output: string): Promise<void> {
  const target = join(output, name).replace(/\.tsx?$/, '.js');
  await mkdir(dirname(target), { recursive: true });
  if (isStatic(name)) return cp(join(SOURCE, name), target);
  const filename = join(SOURCE, name);
  const { code } = await transform(text, { filename, ...swcOptions(filename) });
  await writeFile(target, code);
}
