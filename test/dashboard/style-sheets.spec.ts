import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const DASHBOARD = join(__dirname, '..', '..', 'src', 'dashboard');
const FILES = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' }).map((file) =>
  join(DASHBOARD, file),
);
/** Names that are put together from parts, and one that a library gives. */
const COMPOSED = ['heat-1', 'heat-2', 'heat-3', 'heat-4', 'payment-dot', 'htmx-request'];
/** A list of classes; other text has capitals or signs. */
const CLASSES = /^[a-z0-9_ -]+$/;

function classesIn(file: string): string[] {
  const css = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|url\([^)]*\)/gs, '');
  return [...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!);
}

/** Words of the strings that may be classes. */
function wordsIn(file: string): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false, kind);
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && CLASSES.test(node.text)) words.push(...node.text.split(' '));
    // Scripts name classes in selectors.
    if (isText && file.endsWith('.js')) words.push(...node.text.split(/[^\w-]/));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return words;
}

const named = new Set([...COMPOSED, ...FILES.filter((file) => /\.(?:tsx?|js)$/.test(file)).flatMap(wordsIn)]);

it.each(FILES.filter((file) => file.endsWith('.css')))(
  'a style sheet has no class that no page uses',
  (file) => {
    const unused = classesIn(file).filter((name) => !named.has(name));
    expect([...new Set(unused)]).toEqual([]);
  },
);
