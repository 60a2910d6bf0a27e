import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PublicContent } from '#web/public-content.js';

const OWN = join(__dirname, 'static');
const HTMX = join(dirname(require.resolve('htmx.org')), 'htmx.min.js');

/** The licences of the font and of the icons lie beside them, in LICENSES.txt. */
const SOURCES = {
  'inter.woff2': [join(OWN, 'inter.woff2'), 'font/woff2'],
  'icons.svg': [join(OWN, 'icons.svg'), 'image/svg+xml'],
  'icon.svg': [join(OWN, 'icon.svg'), 'image/svg+xml'],
  'tokens.css': [join(OWN, 'tokens.css'), 'text/css; charset=utf-8'],
  'console.css': [join(OWN, 'console.css'), 'text/css; charset=utf-8'],
  'pictures.css': [join(OWN, 'pictures.css'), 'text/css; charset=utf-8'],
  'map.css': [join(OWN, 'map.css'), 'text/css; charset=utf-8'],
  'unit.css': [join(OWN, 'unit.css'), 'text/css; charset=utf-8'],
  'dashboard.js': [join(OWN, 'dashboard.js'), 'text/javascript; charset=utf-8'],
  'pictures.js': [join(OWN, 'pictures.js'), 'text/javascript; charset=utf-8'],
  'map.js': [join(OWN, 'map.js'), 'text/javascript; charset=utf-8'],
  'htmx.min.js': [HTMX, 'text/javascript; charset=utf-8'],
} as const satisfies Readonly<Record<string, readonly [path: string, type: string]>>;

export type AssetName = keyof typeof SOURCES;

const assets = new Map<string, PublicContent>();
const served = new Map<string, string>();

for (const [name, [path, type]] of Object.entries(SOURCES)) {
  const content = new PublicContent(type, name.endsWith('.css') ? styleSheet(path) : readFileSync(path));
  const servedName = name.replace('.', `.${content.fingerprint.slice(0, 12)}.`);
  assets.set(servedName, content);
  served.set(name, servedName);
}

/** A style sheet that names other files as they are served. They stand above it in `SOURCES`. */
function styleSheet(path: string): string {
  return readFileSync(path, 'utf8').replace(
    /url\('([^']+)'\)/g,
    (_, name: string) => `url('${served.get(name)!}')`,
  );
}

/** The path of a file. It changes with the content. */
export function assetPath(name: AssetName): string {
  return `/dashboard/assets/${served.get(name)!}`;
}

/** The file of a name with its fingerprint; undefined if there is none. */
export function assetNamed(name: string): PublicContent | undefined {
  return assets.get(name);
}
