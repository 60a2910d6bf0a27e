import { join } from 'node:path';
import type { OpenApiDocument } from '../../src/http/openapi/document.js';
import { OpenApi } from '../../src/http/openapi/openapi.controller.js';
import { startApplication } from '../isolation/support/running-application.js';
import { clientTypes } from './client-types.js';
import { firstSteps } from './first-steps.js';
import { type PageCoverage, pageCoverage } from './page-coverage.js';
import { postmanCollection } from './postman-collection.js';
import { routeCoverage } from './route-coverage.js';

const ROOT = join(__dirname, '..', '..');

/** A committed file that is made of the service's own description, or of what else stands written already. */
export interface Contract {
  readonly file: string;
  readonly make: (document: OpenApiDocument, pages: readonly PageCoverage[]) => Promise<string>;
}

/** What `npm run contracts` writes, and a test holds to the description. */
export const CONTRACTS: readonly Contract[] = [
  { file: join(ROOT, 'src', 'client', 'generated', 'openapi.ts'), make: clientTypes },
  { file: join(ROOT, 'docs', 'postman_collection.json'), make: postmanCollection },
  { file: join(ROOT, 'docs', 'first-steps.sh'), make: () => Promise.resolve(firstSteps()) },
];

/** Written with the others, but right for as long as what it says is so: which suites call a route most changes by the hour. */
export const ROUTES: Contract = { file: join(ROOT, 'docs', 'routes.md'), make: routeCoverage };

/** What the service says of itself. */
export interface DescribedService {
  readonly document: OpenApiDocument;
  /** What is in no description. */
  readonly pages: readonly PageCoverage[];
}

/** The service as it is now. */
export async function describedService(): Promise<DescribedService> {
  const running = await startApplication();
  const { text } = running.application.get(OpenApi, { strict: false }).served();
  const pages = pageCoverage(running.application);
  await running.close();
  return { document: JSON.parse(text) as OpenApiDocument, pages };
}
