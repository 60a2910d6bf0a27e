import { SetMetadata } from '@nestjs/common';
import type { HEADERS } from './parts.js';
import type { ErrorCode } from '../error-codes.js';
import type { JsonSchema } from '../validation/json-schema.js';

/** The parts of a route's description that its code does not contain. */
export interface RouteDescription {
  /** The `operationId`: a plain verb, `moveIn`. The earlier API appends its version. */
  readonly id: string;
  /** One line: the purpose of the call. */
  readonly summary: string;
  /** The rules: parameters, defaults, refusals. */
  readonly description: string;
  /** The `message` of the answer; default `Request successful.`. */
  readonly message?: string;
  /** The schema of the answer's `data`; absent if there is none. */
  readonly data?: JsonSchema;
  /** Further statuses of success with the same body. */
  readonly also?: readonly number[];
  /** The codes of its own errors. Those of credential, body, query and limit follow from the decorators. */
  readonly errors?: readonly ErrorCode[];
  /** Another body that an error with one of these codes may have. */
  readonly refused?: { readonly codes: readonly ErrorCode[]; readonly schema: JsonSchema };
  /** Set if the handler validates its body itself. */
  readonly body?: JsonSchema;
  /** Headers of successful answers, besides those of the decorators. */
  readonly headers?: readonly (keyof typeof HEADERS)[];
  /** Set if the handler itself enforces a limit: its headers are in all answers, or only in refusals. */
  readonly quota?: 'answers' | 'refusals';
  /** Set if the answer is not JSON in an envelope. */
  readonly content?: { readonly type: string; readonly schema: JsonSchema };
}

const DESCRIPTION = Symbol('RouteDescription');

/**
 * Describes a route in OpenAPI. Path, query, body, credential, key, limit and their errors come from the other decorators. Tests
 * demand a description of every route, and compare all answers with it.
 */
export const Answers = (description: RouteDescription) => SetMetadata(DESCRIPTION, description);

export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as RouteDescription | undefined;
}
