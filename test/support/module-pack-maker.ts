import { copyFile, readFile, realpath, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { transform } from '@swc/core';

/** What a process preloads: it lies in the folder of the pack. */
export const PACK_LOADER = 'module-pack.cjs';

const REQUIRED = /\brequire\(\s*(['"])([^'"]+)\1\s*\)/g;

interface PackedModule {
  /** From the folder of the pack on: it is moved into place. */
  readonly file: string;
  readonly isEsm: boolean;
  /** What it requires, by the name that it says: the place in the pack. */
  readonly links: Readonly<Record<string, number>>;
}

/**
 * Puts all JavaScript that programs come to require into `folder`, for module-pack.cjs to load from there.
 * @param programs paths of the compiled programs
 * @param named packages that nothing requires by a name that can be read
 */
export async function makeModulePack(
  folder: string,
  programs: readonly string[],
  named: readonly string[],
): Promise<void> {
  const pack = new Pack(await realpath(folder));
  for (const program of programs) await pack.take(await realpath(program));
  const { resolve } = createRequire(await realpath(programs[0]!));
  for (const name of named) await pack.take(resolve(name));
  await writeFile(join(folder, 'pack.json'), JSON.stringify({ modules: pack.modules }));
  await writeFile(join(folder, 'pack.js'), `[\n${pack.functions.join(',\n')}\n]`);
  await copyFile(join(__dirname, PACK_LOADER), join(folder, PACK_LOADER));
}

class Pack {
  readonly modules: PackedModule[] = [];
  readonly functions: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #types = new Map<string, Promise<string>>();

  constructor(private readonly folder: string) {}

  /** @returns its place, once it and what it requires are there, or on the way there where they require each other */
  async take(file: string): Promise<number> {
    const known = this.#places.get(file);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(file, place);
    const isEsm = extname(file) === '.mjs' || (extname(file) === '.js' && (await this.#isOfEsm(file)));
    const text = (await readFile(file, 'utf8')).replace(/^#!/, '//');
    const code = isEsm ? await asCommonJs(text, file) : text;
    this.functions[place] = `function (exports, require, module, __filename, __dirname) {${code}\n}`;
    const links: Record<string, number> = {};
    for (const [name, required] of requiredIn(code, file)) links[name] = await this.take(required);
    this.modules[place] = { file: relative(this.folder, file), isEsm, links };
    return place;
  }

  async #isOfEsm(file: string): Promise<boolean> {
    return (await this.#typeIn(dirname(file))) === 'module';
  }

  #typeIn(folder: string): Promise<string> {
    const known = this.#types.get(folder) ?? this.#readType(folder);
    this.#types.set(folder, known);
    return known;
  }

  async #readType(folder: string): Promise<string> {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { type?: string }).type ?? 'commonjs';
    return folder === dirname(folder) ? 'commonjs' : this.#typeIn(dirname(folder));
  }
}

async function asCommonJs(text: string, filename: string): Promise<string> {
  const { code } = await transform(text, {
    filename,
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
    module: { type: 'commonjs' },
  });
  return code;
}

/** What is written out, and is JavaScript that is here: what is looked for and may be missing is left to Node. */
function requiredIn(code: string, file: string): Map<string, string> {
  const { resolve } = createRequire(file);
  const required = new Map<string, string>();
  for (const [, , name] of code.matchAll(REQUIRED)) {
    if (isBuiltin(name!)) continue;
    const found = resolved(resolve, name!);
    if (found !== undefined && /\.[cm]?js$/.test(found)) required.set(name!, found);
  }
  return required;
}

function resolved(resolve: (name: string) => string, name: string): string | undefined {
  try {
    return resolve(name);
  } catch {
    return undefined;
  }
}
