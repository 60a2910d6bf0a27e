import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PublicContent } from '#web/public-content.js';

const OWN = join(__dirname, 'static');
const HTMX = join(dirname(require.resolve('htmx.org')), 'htmx.min.js');

const SOURCES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  'dashboard.css': [join(OWN, 'dashboard.css'), 'text/css; charset=utf-8'],
  'dashboard.js': [join(OWN, 'dashboard.js'), 'text/javascript; charset=utf-8'],
  'pictures.css': [join(OWN, 'pictures.css'), 'text/css; charset=utf-8'],
  'pictures.js': [join(OWN, 'pictures.js'), 'text/javascript; charset=utf-8'],
  'htmx.min.js': [HTMX, 'text/javascript; charset=utf-8'],
  'icon.svg': [join(OWN, 'icon.svg'), 'image/svg+xml'],
};

const assets = new Map<string, PublicContent>();
const paths = new Map<string, string>();

for (const [name, [path, type]] of Object.entries(SOURCES)) {
  const content = new PublicContent(type, readFileSync(path));
  const served = name.replace('.', `.${content.fingerprint.slice(0, 12)}.`);
  assets.set(served, content);
  paths.set(name, `/dashboard/assets/${served}`);
}

/** The path of a file. It changes with the content. */
export function assetPath(name: keyof typeof SOURCES): string {
  return paths.get(name)!;
}

/** The file of a name with its fingerprint; undefined if there is none. */
export function assetNamed(served: string): PublicContent | undefined {
  return assets.get(served);
}
