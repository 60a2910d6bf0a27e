import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const PAGES = [
  ...readdirSync(ROOT),
  ...(readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[]).map((file) => join('docs', file)),
  join('packages', 'client', 'README.md'),
].filter((file) => file.endsWith('.md'));

/** A page without the code that it shows. */
function proseOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
}

/** Anchors that a link may name within a page. */
function anchorsOf(file: string): string[] {
  return [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isDead(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

it.each(PAGES)('%s leads somewhere with every link', (file) => {
  const links = [...proseOf(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!);
  expect(links.filter((link) => isDead(file, link))).toEqual([]);
});

it('finds a page and a heading that are not there', () => {
  expect(['docs/none.md', '#none', 'docs/design.md#none'].every((link) => isDead('README.md', link))).toBe(
    true,
  );
});
