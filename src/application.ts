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

/** Where to listen; port 0 takes a free one. */
export interface Address {
  readonly port: number;
  readonly host: string;
}

/**
 * The whole service on given ports: its views hold the log and somebody can sign in. Used by the process and by tests
 * alike. Closing the application closes the ports' stores.
 * @param address listened at, if given, before the first operator is made: a password that is made up and shown only
 *   once must not be lost to a port that is taken.
 * @throws StoreUnavailableError
 */
export async function createApplication(ports: Ports, address?: Address): Promise<StartedApplication> {
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
  if (address !== undefined) await application.listen(address.port, address.host);
  const operator = await application.get(FirstOperator, { strict: false }).ensure();
  return { application, operator };
}
