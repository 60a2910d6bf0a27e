import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Method } from '../../../support/http-client.js';
import { routeOptions, type RouteOptions } from '#web/route-options.js';

/** A route of the running application, with what it asks of whoever calls it. */
export interface Route extends RouteOptions {
  readonly method: Method;
  /** As the router has it: `/api/v2/units/:crm_unit_id`. */
  readonly path: string;
  /** `GET /api/v2/units/:crm_unit_id`. */
  readonly name: string;
}

interface Layer {
  readonly route?: { readonly path: string | readonly string[]; readonly methods: Record<string, boolean> };
}

/** Every route of the API by which a controller can be reached, those that only say so apart, the dashboard's pages, and what the router answers without one. */
export function routesOf(application: INestApplication): {
  routes: Route[];
  notImplemented: Route[];
  pages: Route[];
  bare: string[];
} {
  const all = controllerRoutes(application);
  const known = new Set(all.map(({ name }) => name));
  const pages = all.filter(({ isPage }) => isPage);
  const routes = all.filter(({ implemented, isPage }) => implemented && !isPage);
  const notImplemented = all.filter(({ implemented }) => !implemented);
  const bare = routerRoutes(application).filter((name) => !known.has(name));
  return { routes, notImplemented, pages, bare };
}

/** Names of all routes of the router itself, so that one which no controller has cannot hide. */
export function routerRoutes(application: INestApplication): string[] {
  const express = application.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return express.router.stack.flatMap(({ route }) => {
    if (route === undefined) return [];
    const paths = [route.path].flat();
    const methods = Object.keys(route.methods).filter((method) => route.methods[method]);
    return paths.flatMap((path) => methods.map((method) => `${method.toUpperCase()} ${path}`));
  });
}

function controllerRoutes(application: INestApplication): Route[] {
  const discovery = application.get(DiscoveryService, { strict: false });
  const scanner = application.get(MetadataScanner, { strict: false });
  return discovery.getControllers().flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, object>;
    return scanner
      .getAllMethodNames(prototype)
      .flatMap((name) => handlerRoutes(controller, prototype[name] as (...given: never[]) => unknown));
  });
}

function handlerRoutes(controller: Type, handler: (...given: never[]) => unknown): Route[] {
  const ends = Reflect.getMetadata('path', handler) as string | string[] | undefined;
  if (ends === undefined) return [];
  const method = RequestMethod[Reflect.getMetadata('method', handler) as number]!.toLowerCase() as Method;
  const bases = [Reflect.getMetadata('path', controller) as string | string[]].flat();
  const options = routeOptions(controller, handler);
  return bases.flatMap((base) =>
    [ends].flat().map((end) => {
      const path = `/${[...base.split('/'), ...end.split('/')].filter((part) => part !== '').join('/')}`;
      return { ...options, method, path, name: `${method.toUpperCase()} ${path}` };
    }),
  );
}

/** The first of the routes that are alike in all that the pipeline is told of them: what it refuses at one, it refuses at each. */
export function firstOfEachKind(routes: readonly Route[]): Set<Route> {
  const first = new Map<string, Route>();
  const told = (name: string, value: unknown) => {
    if (name === 'path' || name === 'name') return undefined;
    return name === 'ahead' ? value !== undefined : value;
  };
  for (const route of routes) {
    const kind = JSON.stringify(route, told);
    if (!first.has(kind)) first.set(kind, route);
  }
  return new Set(first.values());
}

/** The parameters of a path with their values; throws for one that `values` does not know. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  const parts = path.split('/');
  return parts
    .map((part, index) => {
      if (!part.startsWith(':')) return part;
      // `:id` alone says nothing: the segment before it does.
      const value = values[`${parts[index - 1]}/${part}`] ?? values[part];
      if (value === undefined)
        throw new Error(`What is ${part} of ${path}? Tell test/system/isolation/support/world.ts.`);
      return encodeURIComponent(value);
    })
    .join('/');
}

/** For routes that are called one after another: a move-out, or a move-in of somebody else, would end the tenant's tenancy. */
export function tenantsFirst(routes: readonly Route[]): Route[] {
  const isTenants = ({ admitted }: Route) => Number(admitted.includes('tenant'));
  return [...routes].sort((one, other) => isTenants(other) - isTenants(one));
}
