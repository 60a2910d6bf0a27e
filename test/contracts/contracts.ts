import { join } from 'node:path';
import type { Edition, OpenApiDocument } from '../../src/http/openapi/document.js';
import { OpenApi } from '../../src/http/openapi/openapi.controller.js';
import { Service } from '../support/service.js';
import { clientTypes } from './client-types.js';
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
  { file: join(ROOT, 'src', 'client', 'generated', 'openapi.ts'), make: clientTypes },
  { file: join(ROOT, 'docs', 'api.md'), make: (document) => Promise.resolve(reference(document)) },
];

/** Not committed: a release has them, and `npm run contracts -- FOLDER` makes them. */
export const EXTRAS: readonly Contract[] = [
  { file: 'postman_collection.json', make: postmanCollection },
  { file: 'first-steps.sh', make: () => Promise.resolve(firstSteps()) },
];

/** The service's description of itself. */
export interface DescribedService {
  /** v2 and the operator API. */
  readonly document: OpenApiDocument;
  readonly earlier: OpenApiDocument;
}

/** The service as it is now. */
export async function describedService(): Promise<DescribedService> {
  const running = await Service.start();
  const openApi = running.part(OpenApi);
  const read = (edition: Edition) => JSON.parse(openApi.served(edition).content.text) as OpenApiDocument;
  const [document, earlier] = [read('current'), read('earlier')];
  await running.close();
  return { document, earlier };
}
