import { ENVIRONMENT, IDS } from '#kernel/injection-tokens.js';
import { configureServer } from './server-lifecycle.js';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import type { Ids } from '#kernel/ids.js';
import { connectionLimits, boundConnections, boundUnread } from './connection-bounds.js';
import { corsOptions } from './cors.js';
import { openRequests } from './open-requests.js';

/**
 * Configures the whole application, for the service and for tests. Create the application with `{ bodyParser: false }`,
 * because bodies are read after authentication. Call this before `init` or `listen`.
 */
export function configureApplication(application: INestApplication): void {
  const express = application.getHttpAdapter().getInstance() as Express;
  express.disable('x-powered-by');
  // Express would hash every body. Routes that need an ETag set their own.
  express.set('etag', false);
  // `simple` makes `a[b]=1` a parameter with the name `a[b]`, which validation refuses.
  express.set('query parser', 'simple');
  const { trusted_proxies, cors_origins } = application.get<Environment>(ENVIRONMENT);
  // CORS comes first, so that a page can also read a refusal that comes before any route.
  if (cors_origins.length > 0) application.enableCors(corsOptions(cors_origins));
  express.use(openRequests(application));
  const ids = application.get<Ids>(IDS);
  const server = application.getHttpServer() as Server;
  configureServer(server, () => ids.ulid());
  boundConnections(server, connectionLimits(trusted_proxies));
  boundUnread(server);
}
