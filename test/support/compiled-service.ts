import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { transform } from '@swc/core';
import { makeModulePack, PACK_LOADER } from './module-pack-maker.js';
import swcOptions from '../../scripts/swc-options.cjs';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');
const CACHE = join(ROOT, 'node_modules', '.cache', 'compiled-service');
/** Milliseconds: no run takes as long. */
const WEEK = 7 * 24 * 60 * 60 * 1000;

/** What makes these folders, and what is put into them beside the sources. */
const MAKERS = [
  ...['compiled-service.ts', 'module-pack.cjs', 'module-pack-maker.ts'].map((name) => join(__dirname, name)),
  join(ROOT, 'scripts', 'swc-options.cjs'),
  join(ROOT, 'node_modules', '.package-lock.json'),
];

/** The programs of the service, and the package that Nest looks for by a name that it is given. */
const PROGRAMS = ['main.js', 'cli.js'];
const NAMED = ['@nestjs/platform-express'];

export interface CompiledService {
  /** The `dist` folder. */
  readonly dist: string;
  /** Arguments of Node, before the program's name: so it loads far quicker, and the same (module-pack.cjs). */
  readonly packed: readonly string[];
}

let compiled: Promise<CompiledService> | undefined;

/** The service as it stands, compiled once for all processes that tests and campaigns start. */
export function compiledService(): Promise<CompiledService> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<CompiledService> {
  const names = (await readdir(SOURCE, { recursive: true }))
    .filter((name) => isSource(name) || isStatic(name))
    .sort();
  const texts = await Promise.all(names.map((name) => readFile(join(SOURCE, name), 'utf8')));
  const makers = await Promise.all(MAKERS.map((name) => readFile(name, 'utf8')));
  const hash = createHash('sha256')
    .update(JSON.stringify([names, texts, makers]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(CACHE, hash);
  const known: string[] = await readdir(CACHE).catch(() => []);
  if (!known.includes(hash)) {
    const building = `${folder}.${process.pid}`;
    await Promise.all(names.map((name, place) => compileFile(name, texts[place]!, join(building, 'dist'))));
    await cp(join(ROOT, 'package.json'), join(building, 'package.json'));
    const programs = PROGRAMS.map((name) => join(building, 'dist', name));
    await makeModulePack(building, programs, NAMED);
    // Another process may have been as quick: what it has put there is the same.
    await rename(building, folder).catch(() => rm(building, { recursive: true }));
    await Promise.all(known.map((name) => removeOutdated(join(CACHE, name))));
  }
  return { dist: join(folder, 'dist'), packed: ['-r', join(folder, PACK_LOADER)] };
}

async function removeOutdated(folder: string): Promise<void> {
  const changed = await stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    // Another process was as quick in this as well.
    () => Infinity,
  );
  if (changed < Date.now() - WEEK) await rm(folder, { recursive: true, force: true });
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
