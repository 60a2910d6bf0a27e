import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { BackgroundWork } from './background-work.js';
import { configureApplication, Draining } from './http/index.js';
import { SearchBackfill } from './tenants/index.js';
import { FirstOperator } from './operator/index.js';
import { SharedViews } from './projecting/rebuild/index.js';
import { PullScheduler } from './pull/index.js';
import type { Ports } from './adapters.js';

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
 * @param address listened at, if given
 * @param created called before anything is listened at
 * @throws StoreUnavailableError
 */
export async function createApplication(
  ports: Ports,
  address?: Address,
  created: (application: INestApplication) => void = () => undefined,
): Promise<StartedApplication> {
  const application = await NestFactory.create(AppModule.with(ports), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  configureApplication(application);
  created(application);
  await application.init();
  await application
    .get(BackgroundWork, { strict: false })
    .start(ports.idempotency.singleProcess, ports.lease_milliseconds);
  application.get(SharedViews, { strict: false }).start();
  application.get(SearchBackfill, { strict: false }).start();
  await application
    .get(PullScheduler, { strict: false })
    .start(ports.idempotency.singleProcess, ports.lease_milliseconds);
  const firstOperator = application.get(FirstOperator, { strict: false });
  // One that the environment names can sign in from the first request on. A password that is made up and shown only once
  // must not be lost to a port that is taken.
  const named = ports.environment.operator === undefined ? undefined : await firstOperator.ensure();
  const operator = await application.get(Draining).whileStarting(async () => {
    if (address !== undefined) await application.listen(address.port, address.host);
    return named ?? (await firstOperator.ensure());
  });
  return { application, operator };
}
