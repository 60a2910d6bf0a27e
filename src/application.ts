import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { BackgroundWork } from './background-work.js';
import { configureApplication } from './http/configure-application.js';
import { Draining } from './http/server-lifecycle.js';
import { ServiceAdapter } from './http/service-adapter.js';
import { FirstOperator } from './operator/index.js';
import { ViewsRebuild } from './projecting/views-rebuild.js';
import { PullScheduler } from './pull/index.js';
import type { Ports } from './adapters.js';

export interface StartedApplication {
  readonly application: INestApplication;
  /** The first operator; the password only if it was made just now. */
  readonly operator: { readonly email: string; readonly password?: string };
}

/** The address to listen on. Port 0 takes a free one. */
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
  const application = await NestFactory.create(AppModule.with(ports), new ServiceAdapter(), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  configureApplication(application);
  created(application);
  await application.init();
  // Callers get 503 until the start is complete: a first fill of the views may take a while.
  const operator = await application.get(Draining).whileStarting(async () => {
    if (address !== undefined) await application.listen(address.port, address.host);
    return start(application, ports);
  });
  return { application, operator };
}

/** @returns who signs in first: one that the environment names can do so from the first request on */
async function start(
  application: INestApplication,
  { embedded, lease_milliseconds }: Ports,
): Promise<StartedApplication['operator']> {
  const part = <T>(type: Type<T>) => application.get(type, { strict: false });
  await part(BackgroundWork).start(embedded, lease_milliseconds);
  part(ViewsRebuild).start();
  await part(PullScheduler).start(embedded, lease_milliseconds);
  return part(FirstOperator).ensure();
}
