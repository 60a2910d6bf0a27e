import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '#app/app.module.js';
import type { Environment } from '#kernel/environment/environment.js';
import { commandPorts, openReaders } from './stores.js';

/** Runs `work` with the parts of the service that only read. It works beside a running service. @throws StoreUnavailableError */
export async function withService(
  environment: Environment,
  work: (context: INestApplicationContext) => Promise<void>,
): Promise<void> {
  const ports = commandPorts(environment, await openReaders(environment));
  const context = await NestFactory.createApplicationContext(AppModule.with(ports), {
    logger: false,
    abortOnError: false,
  });
  try {
    await work(context);
  } finally {
    await context.close();
  }
}
