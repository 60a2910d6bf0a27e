import { createParamDecorator, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { validationFailed } from '#kernel/errors/api-error.js';
import type { Request } from 'express';
import type { Dto } from './decorators.js';
import { type Plan, planOf } from './dto-plan.js';
import { validBody, fieldFault, REQUIRED, checkEntry } from './check.js';
import { validQuery } from './read-query.js';

const READS_BODY = Symbol('ReadsBody');
const READS_QUERY = Symbol('ReadsQuery');

const Body = createParamDecorator<undefined>((_data, execution: ExecutionContext): unknown => {
  return execution.switchToHttp().getRequest<Request>().body;
});

const Query = createParamDecorator<undefined>((_data, execution: ExecutionContext) => {
  return execution.switchToHttp().getRequest<Request>().query;
});

/** An absent body counts as `{}`. */
const objectPipe: PipeTransform<object | undefined, object> = { transform: (body) => body ?? {} };

const demandedPipe: PipeTransform<object | undefined, object> = {
  transform: (body) => {
    if (body === undefined) throw validationFailed([fieldFault('body', REQUIRED)]);
    return body;
  },
};

class BodyPipe implements PipeTransform<object | undefined> {
  constructor(private readonly plan: Plan) {}

  transform(body: object | undefined): unknown {
    return validBody(this.plan, body ?? {});
  }
}

class QueryPipe implements PipeTransform<Request['query']> {
  readonly #isDemanded: boolean;

  constructor(private readonly dto: Dto) {
    this.#isDemanded = checkEntry(dto, {}) !== undefined;
  }

  transform(query: Request['query']): unknown {
    return this.#isDemanded || Object.keys(query).length > 0 ? validQuery(this.dto, query) : {};
  }
}

/** A parameter decorator that also notes the DTO class (or null) in the handler's metadata. */
function marked(mark: symbol, dto: Dto | null, decorate: ParameterDecorator): ParameterDecorator {
  return (controller, name, index) => {
    if (name !== undefined) Reflect.defineMetadata(mark, dto, controller, name);
    decorate(controller, name, index);
  };
}

/** Parameter decorator: the request's body, valid against a DTO class. An absent body counts as `{}`. */
export const ValidBody = (dto: Dto): ParameterDecorator =>
  marked(READS_BODY, dto, Body(new BodyPipe(planOf(dto))));

/** As {@link ObjectBody}, but an absent body is 422, because `{}` has a meaning of its own. */
export const DemandedBody = (): ParameterDecorator => marked(READS_BODY, null, Body(demandedPipe));

/** Parameter decorator: the unchecked body, an object, for a handler that validates it itself. */
export const ObjectBody = (): ParameterDecorator => marked(READS_BODY, null, Body(objectPipe));

/** Parameter decorator: the query parameters, valid against a DTO class; unknown and repeated ones are refused. */
export const ValidQuery = (dto: Dto): ParameterDecorator =>
  marked(READS_QUERY, dto, Query(new QueryPipe(dto)));

/** Parameter decorator: the unchecked query parameters, for a page that ignores unknown ones. */
export const PlainQuery = (): ParameterDecorator => marked(READS_QUERY, null, Query());

/** Method decorator for a page that reads no query parameter. It is shown with any, where others are 422. */
export const IgnoresQuery = (): MethodDecorator => (controller, name) =>
  Reflect.defineMetadata(READS_QUERY, null, controller, name);

type Controller = { readonly prototype: object };

/** The DTO class of a handler's body. Null: the handler validates it itself. Undefined: it reads no body. */
export function bodyClass(controller: Controller, name: string): Dto | null | undefined {
  return Reflect.getMetadata(READS_BODY, controller.prototype, name) as Dto | null | undefined;
}

/** As {@link bodyClass}, for query parameters. */
export function queryClass(controller: Controller, name: string): Dto | null | undefined {
  return Reflect.getMetadata(READS_QUERY, controller.prototype, name) as Dto | null | undefined;
}

export function readsQuery(controller: Controller, name: string): boolean {
  return queryClass(controller, name) !== undefined;
}

export function readsBody(controller: Controller, name: string): boolean {
  return bodyClass(controller, name) !== undefined;
}
