import { RequestMethod, type INestApplication, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { FieldErrors } from '../../src/http/index.js';
import { shapeOf } from './api-reference.js';

/** Nest's own keys of the parameters of a handler and of its status. */
const PARAMETERS = '__routeArguments__';
const STATUS = '__httpCode__';

interface Parameter {
  readonly index: number;
  readonly factory?: (data: undefined, context: object) => unknown;
}

/** What a route does with a body and with query parameters, found by trying and not by reading types. */
export class RouteInput {
  constructor(
    private readonly parameters: readonly Parameter[],
    /** Of success, where the handler sets no other. */
    readonly status: number,
  ) {}

  /** The fields that the body's validator looks at; undefined where no validator reads the body. */
  bodyFields(): string[] | undefined {
    const seen = new Set<string>();
    const body = new Proxy({}, { get: (_, name) => void seen.add(String(name)) });
    this.bodyErrors(body);
    return seen.size === 0 ? undefined : [...seen];
  }

  bodyErrors(body: object): FieldErrors {
    return this.#errors({ body, query: {} });
  }

  /** Which of some names the route takes as query parameters: those it wants to be given once only. */
  queryParameters(candidates: readonly string[]): string[] {
    const query = Object.fromEntries(candidates.map((name) => [name, ['1', '2']]));
    const errors = Object.entries(this.#errors({ body: {}, query }));
    return errors.filter(([, [message]]) => message?.endsWith('given only once.')).map(([name]) => name);
  }

  #errors(request: { readonly body: object; readonly query: object }): FieldErrors {
    const found: FieldErrors = {};
    const context = { switchToHttp: () => ({ getRequest: () => request }) };
    for (const { factory } of this.parameters) {
      try {
        factory?.(undefined, context);
      } catch (refusal) {
        Object.assign(found, (refusal as { errors?: FieldErrors }).errors);
      }
    }
    return found;
  }
}

/** The inputs of every route, by `GET /api/v2/units/{}`. */
export function routeInputs(application: INestApplication): Map<string, RouteInput> {
  const discovery = application.get(DiscoveryService, { strict: false });
  const scanner = application.get(MetadataScanner, { strict: false });
  const inputs = new Map<string, RouteInput>();
  for (const { metatype } of discovery.getControllers()) {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, object>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const parameters = Reflect.getMetadata(PARAMETERS, controller, name) as object | undefined;
      for (const route of routeNames(controller, prototype[name]!)) {
        const usual = route.startsWith('POST ') ? 201 : 200;
        const status = (Reflect.getMetadata(STATUS, prototype[name]!) as number | undefined) ?? usual;
        inputs.set(route, new RouteInput(Object.values(parameters ?? {}) as Parameter[], status));
      }
    }
  }
  return inputs;
}

function routeNames(controller: Type, handler: object): string[] {
  const ends = Reflect.getMetadata('path', handler) as string | string[] | undefined;
  if (ends === undefined) return [];
  const method = RequestMethod[Reflect.getMetadata('method', handler) as number]!;
  const bases = [Reflect.getMetadata('path', controller) as string | string[]].flat();
  return bases.flatMap((base) =>
    [ends].flat().map((end) => {
      const parts = [...base.split('/'), ...end.split('/')].filter((part) => part !== '');
      return `${method} ${shapeOf(`/${parts.join('/')}`)}`;
    }),
  );
}
