import { SetMetadata } from '@nestjs/common';
import type { HEADERS } from './parts.js';
import type { ErrorCode } from '#kernel/errors/error-codes.js';
import type { Envelope } from '../envelope.js';
import type { Reply } from '../reply.js';
import type { JsonSchema } from '../validation/json-schema.js';
import type { Schema } from './schemas.js';
import type { UndescribedIn } from './undescribed.js';

/** A message that the service sends to another system. OpenAPI lists it under `webhooks`. */
export interface MessageDescription {
  /** Its name in the document, and its `operationId`. */
  readonly id: string;
  /** One line: when it is sent. */
  readonly summary: string;
  /** The rules for its receiver. */
  readonly description: string;
  readonly body: JsonSchema;
  /** Descriptions by header. */
  readonly headers: Readonly<Record<string, string>>;
  /** Descriptions by status of the receiver's answer, such as `2XX`. */
  readonly answers: Readonly<Record<string, string>>;
}

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
  /** Messages that the service sends because of this route. */
  readonly messages?: readonly MessageDescription[];
}

const DESCRIPTION = Symbol('RouteDescription');

/**
 * Describes a route in OpenAPI. Path, query, body, credential, key, limit and their errors come from the other decorators. Tests
 * demand a description of every route, and compare all answers with it.
 */
export function Answers<T>(description: RouteDescription & { readonly data: Schema<T> }): AnswersWith<T>;
export function Answers(description: RouteDescription): MethodDecorator;
export function Answers(description: RouteDescription): MethodDecorator {
  return SetMetadata(DESCRIPTION, description);
}

/** What a method may return. A reply has a status or headers of its own; without a body it is a 304. */
type Said<T> = Envelope<T> | Reply<Envelope<T> | undefined>;
type Answered<T> = Said<T> | Promise<Said<T>>;

/** Decorates a method that answers what the schema describes, all of it and nothing else. */
type AnswersWith<T> = <Method extends (...parameters: never[]) => Answered<T>>(
  controller: object,
  name: string | symbol,
  method: TypedPropertyDescriptor<Method> & NoOthers<UndescribedIn<DataOf<Method>, T>>,
) => void;

type DataOf<Method> = Method extends (...parameters: never[]) => infer Answer
  ? DataIn<Awaited<Answer>>
  : never;

type DataIn<Answer> =
  Answer extends Envelope<infer Data> ? Data : Answer extends Reply<infer Body> ? DataIn<Body> : never;

type NoOthers<Undescribed> = [Undescribed] extends [never] ? unknown : { readonly undescribed: Undescribed };

export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as RouteDescription | undefined;
}
