import { Inject, Injectable, Optional } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OWNERS, UNOWNED } from './operator-access.js';
import { routeOptions } from './route-options.js';
import type { OnModuleInit, Type } from '@nestjs/common';
import type { Owners } from './operator-access.js';

/** Nest's own metadata key of a route's path; its constant is not part of the public interface. */
const PATH = 'path';

/** Reads the options of every route at start, so that a route without access control stops the start. */
@Injectable()
export class RouteAudit implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    /** Optional, for tests of parts of the service. */
    @Optional() @Inject(OWNERS) private readonly owners?: Owners,
  ) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype === 'function') this.#audit(metatype as Type<Record<string, unknown>>);
    }
  }

  #audit(controller: Type<Record<string, unknown>>): void {
    const prototype = controller.prototype as Record<string, unknown>;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH, handler)) continue;
      const { admitted } = routeOptions(controller, handler as (...given: never[]) => unknown);
      if (admitted.includes('operator')) this.#assertOwners(controller, handler);
    }
  }

  /** Every id in an operator's path must have an owner, so that the operator's companies can be checked. */
  #assertOwners(controller: Type, handler: object): void {
    if (this.owners === undefined) return;
    const paths = [controller, handler].flatMap((one) => Reflect.getMetadata(PATH, one) as string | string[]);
    for (const [, parameter] of paths.join('/').matchAll(/:(\w+)/g)) {
      if (parameter! in this.owners || UNOWNED.includes(parameter!)) continue;
      throw new Error(`${controller.name}: the owner of ${parameter} is not declared.`);
    }
  }
}
