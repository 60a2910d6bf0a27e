import { SetMetadata } from '@nestjs/common';
import type { HEADERS } from './parts.js';
import type { ErrorCode } from '../error-codes.js';
import type { JsonSchema } from '../validation/json-schema.js';

/** The parts of a description that a route's code does not tell. */
export interface RouteDescription {
  /** The `operationId`: a plain verb, `moveIn`. On an earlier surface the surface is appended. */
  readonly id: string;
  /** One line, what a caller does it for. */
  readonly summary: string;
  /** Its rules: what it takes, what leaving out means, when it is refused. */
  readonly description: string;
  /** The `message` of its answer where it is another than `Request successful.`. */
  readonly message?: string;
  /** The `data` of its answer; left out where there is none. */
  readonly data?: JsonSchema;
  /** Statuses of success besides the handler's own, with the same body; 304 has none. */
  readonly also?: readonly number[];
  /** The codes of its own refusals; those of credential, body, query and limit are known from the decorators. */
  readonly errors?: readonly ErrorCode[];
  /** The body that a refusal with one of these codes may have in place of an error's. */
  readonly refused?: { readonly codes: readonly ErrorCode[]; readonly schema: JsonSchema };
  /** Set if the handler reads its body by itself. */
  readonly body?: JsonSchema;
  /** Headers of answers of success, besides those of the decorators. */
  readonly headers?: readonly (keyof typeof HEADERS)[];
  /** A limit that the handler counts by itself: told with each answer, or where it refuses. */
  readonly quota?: 'answers' | 'refusals';
  /** Set if the answer is not JSON in an envelope. */
  readonly content?: { readonly type: string; readonly schema: JsonSchema };
}

const DESCRIPTION = Symbol('RouteDescription');

/**
 * Describes a route in OpenAPI. Path, query, body, credential, key, limit and their errors are read from the other decorators;
 * a test names every route without it, and holds every answer that a test of this service gets to what it says.
 */
export const Answers = (description: RouteDescription) => SetMetadata(DESCRIPTION, description);

export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as RouteDescription | undefined;
}
