import type { components, paths } from './generated/openapi.js';

type Schemas = components['schemas'];

export type BulkEntry = Schemas['BulkEntry'];
export type BulkResult = Schemas['BulkResult'];
export type TenantAccess = Schemas['TenantAccess'];
export type ServiceErrorBody = Schemas['Error'];
export type FieldFault = Schemas['FieldFault'];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that have a method, for example `/api/v2/units/{crm_unit_id}`. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: Lowercase<M> extends keyof paths[P] ? P : never;
}[keyof paths];

/** The description of a route. */
export type Operation<M extends Method, P extends keyof paths> =
  Lowercase<M> extends keyof paths[P] ? paths[P][Lowercase<M>] : never;

type Parameters<O, Kind extends string> = O extends { parameters: infer All }
  ? Kind extends keyof All
    ? NonNullable<All[Kind]>
    : never
  : never;

type Body<O> = O extends { requestBody?: infer Described }
  ? NonNullable<Described> extends { content: { 'application/json': infer Json } }
    ? Json
    : never
  : never;

/** Optional if the route can do without it; absent if the route does not take it. */
type Member<Name extends string, T> = [T] extends [never]
  ? unknown
  : Partial<T> extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T };

/** Path parameters, query and body of a route. */
export type Inputs<O> = Member<'path', Parameters<O, 'path'>> &
  Member<'query', Parameters<O, 'query'>> &
  Member<'body', Body<O>>;

type Json<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;
type Successes<O> = O extends { responses: infer All } ? Json<All[keyof All & (200 | 201 | 202)]> : never;
type Enveloped<Body> = Body extends { data?: infer Data } ? Data : undefined;

/** The type of `data` in a route's successful answer. */
export type Data<O> = Enveloped<Successes<O>>;
