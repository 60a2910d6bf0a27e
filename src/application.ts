import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { BackgroundWork } from './background-work.js';
import { configureApplication } from './http/index.js';
import { FirstOperator } from './operator/index.js';
import type { Ports } from './ports.js';

export interface StartedApplication {
  readonly application: INestApplication;
  /** Who signs in first; the password only where it was made up just now. */
  readonly operator: { readonly email: string; readonly password?: string };
}

/**
 * The whole service on given ports, ready to listen: its views hold the log and somebody can sign in. Used by the
 * process and by tests alike. Closing the application closes the ports' stores.
 * @throws StoreUnavailableError
 */
export async function createApplication(ports: Ports): Promise<StartedApplication> {
  const application = await NestFactory.create(AppModule.with(ports), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  configureApplication(application);
  await application.init();
  await application
    .get(BackgroundWork, { strict: false })
    .start(ports.idempotency.singleProcess, ports.lease_milliseconds);
  const operator = await application.get(FirstOperator, { strict: false }).ensure();
  return { application, operator };
}
