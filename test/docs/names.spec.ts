import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SRC = join(ROOT, 'src');
const FILES = (readdirSync(SRC, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file));
const BASENAMES = new Set(FILES.map((file) => basename(file)));

/** Every word of the source without its comments, and of the scripts of package.json. */
const WORDS = new Set(
  [...FILES.map((file) => join(SRC, file)), join(ROOT, 'package.json')].flatMap((file) =>
    readFileSync(file, 'utf8')
      .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
      .match(/\w+/g)!,
  ),
);

function namesOf(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

function isThere(name: string): boolean {
  if (/^[\w.-]+\.tsx?$/.test(name)) return BASENAMES.has(name);
  if (/^[a-z][\w.-]*(?:\/[\w.-]*)+$/.test(name))
    return existsSync(join(ROOT, name)) || existsSync(join(SRC, name));
  return name.match(/\w+/g)!.every((word) => WORDS.has(word));
}

it.each(['docs/design.md', 'docs/glossary.md'])('%s names only what is in the source', (page) => {
  const names = namesOf(readFileSync(join(ROOT, page), 'utf8'));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

it('design.md lists every folder of the source, and no other', () => {
  const table = /## Folders\n([^]*?)\n\n[^|]/.exec(readFileSync(join(ROOT, 'docs/design.md'), 'utf8'))![1]!;
  const listed = [...table.matchAll(/^\| (`[^|]+)/gm)].flatMap(([, names]) => namesOf(names!));
  const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(listed.map((name) => name.split('/')[0]).sort()).toEqual(folders.map(({ name }) => name).sort());
});

it('finds a file, a folder and an identifier that are not there', () => {
  expect(['none.ts', 'src/none', 'decide(noState)'].some(isThere)).toBe(false);
});
