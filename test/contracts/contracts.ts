import { join } from 'node:path';
import type { OpenApiDocument } from '#web/openapi/document.js';
import { firstSteps } from './first-steps.js';
import { postmanCollection } from './postman-collection.js';
import { reference } from './reference.js';

const ROOT = join(__dirname, '..', '..');

/** A file that is made of the service's own description, or of the README. */
export interface Contract {
  readonly file: string;
  readonly make: (document: OpenApiDocument) => Promise<string>;
}

/** Committed. `npm run contracts` writes them, and a test holds them to the description. */
export const CONTRACTS: readonly Contract[] = [
  { file: join(ROOT, 'docs', 'api.md'), make: (document) => Promise.resolve(reference(document)) },
];

/** Not committed: a release has them, and `npm run contracts -- FOLDER` makes them. */
export const EXTRAS: readonly Contract[] = [
  { file: 'postman_collection.json', make: postmanCollection },
  { file: 'first-steps.sh', make: () => Promise.resolve(firstSteps()) },
];
