import {
  type Abstract,
  Global,
  Module,
  type INestApplication,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Test } from '@nestjs/testing';
import { configureApplication } from '#web/configure-application.js';
import { HttpModule } from '#web/http.module.js';
import { ServiceAdapter } from '#web/service-adapter.js';

/** What stands for a port, or for another part that the modules of a test take from elsewhere. */
export type Port = { readonly provide: symbol | Type | Abstract<unknown> } & (
  { readonly useValue: unknown } | { readonly useClass: Type }
);

/** Some modules of the service on the ports of a test, behind the real request pipeline, on a port of loopback. */
export async function startModules(
  ports: Port[],
  { imports = [], controllers = [] }: Pick<ModuleMetadata, 'imports' | 'controllers'>,
  overridden: readonly (readonly [Type, unknown])[] = [],
): Promise<INestApplication> {
  @Global()
  @Module({ providers: ports, exports: ports.map(({ provide }) => provide) })
  class PortsModule {}

  const building = Test.createTestingModule({
    imports: [PortsModule, { module: CqrsModule, global: true }, HttpModule, ...imports],
    controllers,
  });
  for (const [part, value] of overridden) building.overrideProvider(part).useValue(value);
  const options = { bodyParser: false, logger: false } as const;
  const application = (await building.compile()).createNestApplication(new ServiceAdapter(), options);
  configureApplication(application);
  await application.listen(0, '127.0.0.1');
  return application;
}
