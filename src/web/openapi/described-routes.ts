import { HttpStatus, Injectable, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { routeOptions, type RouteOptions } from '../route-options.js';
import { bodyClass, queryClass } from '../validation/parameters.js';
import { descriptionOf, type RouteDescription } from './answers.js';
import type { Dto } from '../validation/decorators.js';

/** Nest's own metadata keys; their constants are not part of the public interface. */
const PATH = 'path';
const METHOD = 'method';
const STATUS = '__httpCode__';

/** A route with the contents of its decorators. */
export interface DescribedRoute {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In the router's form: `/api/v2/units/:crm_unit_id`. */
  readonly path: string;
  readonly options: RouteOptions;
  /** The status of success, unless the handler sets another. */
  readonly status: number;
  /** Null: the handler validates its body itself. */
  readonly body: Dto | null | undefined;
  readonly query: Dto | undefined;
  readonly description: RouteDescription;
}

type Handler = (...given: never[]) => unknown;

/** Reads the routes with `Answers` from the metadata of controllers. */
@Injectable()
export class DescribedRoutes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  all(): DescribedRoute[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => this.#of(metatype as Type));
  }

  #of(controller: Type): DescribedRoute[] {
    const prototype = controller.prototype as Record<string, Handler>;
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name]!;
      const description = descriptionOf(handler);
      if (description === undefined) return [];
      const method = methodOf(handler);
      const route = {
        method,
        options: routeOptions(controller, handler),
        status:
          (Reflect.getMetadata(STATUS, handler) as number | undefined) ??
          (method === 'post' ? HttpStatus.CREATED : HttpStatus.OK),
        body: bodyClass(controller, name),
        query: queryClass(controller, name) ?? undefined,
        description,
      };
      return pathsOf(controller, handler).map((path) => ({ ...route, path }));
    });
  }
}

function methodOf(handler: Handler): DescribedRoute['method'] {
  const method = Reflect.getMetadata(METHOD, handler) as RequestMethod;
  return RequestMethod[method].toLowerCase() as DescribedRoute['method'];
}

function pathsIn(decorated: Type | Handler): string[] {
  return [Reflect.getMetadata(PATH, decorated) as string | string[]].flat();
}

function pathsOf(controller: Type, handler: Handler): string[] {
  return pathsIn(controller).flatMap((base) =>
    pathsIn(handler).map(
      (end) => `/${[...base.split('/'), ...end.split('/')].filter((part) => part !== '').join('/')}`,
    ),
  );
}
