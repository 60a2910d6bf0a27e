import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { BackgroundWork } from './background-work.js';
import { configureApplication } from '#web/configure-application.js';
import { Draining } from '#web/server-lifecycle.js';
import { ServiceAdapter } from '#web/service-adapter.js';
import { FirstOperator, OperatorAdministration } from '#domain/operators/index.js';
import { DamageWatch } from '#eventsourcing/projecting/damage-watch.js';
import { ViewsRebuild } from '#eventsourcing/projecting/views-rebuild.js';
import { PullScheduler } from '#pull/index.js';
import type { Ports } from './adapters.js';

export interface StartedApplication {
  readonly application: INestApplication;
  /** The first operator. `password` is set only if it was made just now. */
  readonly operator: { readonly email: string; readonly password?: string };
}

/** The address to listen on. Port 0 takes a free one. */
export interface Address {
  readonly port: number;
  readonly host: string;
}

/**
 * Creates and starts the whole service on given ports, for the process and for tests. Its views are filled, and an operator
 * exists. Closing the application closes the ports' stores.
 * @param address absent: the application does not listen
 * @param created called before the application listens
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
  // Callers get 503 until the start is complete, because a first fill of the views may take long.
  const operator = await application.get(Draining).whileStarting(async () => {
    if (address !== undefined) await application.listen(address.port, address.host);
    return start(application, ports);
  });
  return { application, operator };
}

const LOCKED_OUT =
  'OIDC_ONLY is set, and no admin of all companies is linked to a person at the provider. Run storage-access operators reset: its password works until the admin signs on. Then link the admin on the page Operators.';

/** @returns the first operator */
async function start(
  application: INestApplication,
  { embedded, lease_milliseconds, logger }: Ports,
): Promise<StartedApplication['operator']> {
  const part = <T>(type: Type<T>) => application.get(type, { strict: false });
  await part(BackgroundWork).start(embedded, lease_milliseconds);
  await part(DamageWatch).start(embedded);
  part(ViewsRebuild).start();
  await part(PullScheduler).start(embedded, lease_milliseconds);
  const operator = await part(FirstOperator).ensure();
  if (await part(OperatorAdministration).areAdminsLockedOut()) logger.warn({}, LOCKED_OUT);
  return operator;
}
