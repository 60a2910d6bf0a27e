import type { Request } from 'express';
import { Reply } from '../reply.js';
import { contextOf } from '../request-context.js';
import { Answer, type HeaderValues, JSON_TYPE } from './answer.js';

const CREATED = 201;

/** The answer that a handler's value makes. @param status of the route */
export function makeAnswer(value: unknown, status: number, request: Request): Answer {
  const reply = value instanceof Reply ? value : new Reply(value);
  const body: unknown = reply.body;
  const own = reply.status ?? status;
  if (body === undefined || body === null) return new Answer(own, reply.headers, undefined);
  if (typeof body === 'string' || Buffer.isBuffer(body)) return new Answer(own, reply.headers, body);
  const location = own === CREATED ? locationOf(body, request) : {};
  return new Answer(own, { ...JSON_TYPE, ...location, ...reply.headers }, JSON.stringify(body));
}

/** `Location` of what was created, if the route says where that is. */
function locationOf(envelope: object, request: Request): HeaderValues {
  const template = contextOf(request)?.created;
  if (template === undefined) return {};
  const { data } = envelope as { readonly data: object };
  const known: Readonly<Record<string, unknown>> = { ...request.params, ...data };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(known[name])),
  );
  return { Location: path };
}
