import { openPorts } from '#app/adapters.js';
import { createApplication } from '#app/application.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import type { Edition, OpenApiDocument } from '#web/openapi/document.js';
import { OpenApi } from '#web/openapi/openapi.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The service's description of itself. */
export interface DescribedService {
  /** v2 and the operator API. */
  readonly document: OpenApiDocument;
  readonly earlier: OpenApiDocument;
}

/** The service as it is now. It is started without the client, whose types are made of the description. */
export async function describedService(): Promise<DescribedService> {
  const folder = await temporaryFolder();
  const environment = readEnvironment({ DATA_DIR: folder.path, LOG_LEVEL: 'error' });
  const { application } = await createApplication(await openPorts(environment));
  const openApi = application.get(OpenApi, { strict: false });
  const read = (edition: Edition) => JSON.parse(openApi.served(edition).content.text) as OpenApiDocument;
  const described = { document: read('current'), earlier: read('earlier') };
  await application.close();
  await folder.remove();
  return described;
}
