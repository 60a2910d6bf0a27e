import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { routeOptions } from './route-options.js';
import type { OnModuleInit, Type } from '@nestjs/common';

/** Nest's own metadata key of a route's path; its constant is not part of the public interface. */
const PATH = 'path';

/** Reads the options of every route at start, so that one left unguarded by accident stops the start. */
@Injectable()
export class RouteAudit implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype === 'function') this.audit(metatype as Type<Record<string, unknown>>);
    }
  }

  private audit(controller: Type<Record<string, unknown>>): void {
    const prototype = controller.prototype as Record<string, unknown>;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH, handler)) continue;
      routeOptions(controller, handler as (...given: never[]) => unknown);
    }
  }
}
