import { gzipSync } from 'node:zlib';
import type { ValidRequest } from '../isolation/support/valid-requests.js';
import {
  CONTENT_TYPES,
  HEADERS,
  hostileBodies,
  METHODS,
  NAMES,
  nested,
  QUERIES,
  SEGMENTS,
  VALUES,
} from './hostile-values.js';
import type { Random } from './random.js';

/** A request, before it is bytes. */
export interface HostileRequest {
  readonly route: string;
  /** The fault of the request. */
  readonly what: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer;
  /** No route may take it. */
  readonly refused?: boolean;
}

const JSON_TYPE: readonly [string, string] = ['Content-Type', 'application/json'];

/** A request as HTTP/1.1 sends it, faults and all. */
export function toBytes({ method, target, headers, body }: HostileRequest): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost'];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}

/** A good request of a route under a credential: what mutations begin with. */
export function baseOf({ route, path, body }: ValidRequest, token: string | undefined): HostileRequest {
  const credential = token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const];
  return {
    route: route.name,
    what: 'as it should be',
    method: route.method.toUpperCase(),
    target: path,
    headers: body === undefined ? credential : [...credential, JSON_TYPE],
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
  };
}

// Packing the bombs takes longer than refusing them.
const BODIES = hostileBodies();

/** Requests of a route that must be refused, each for one reason. */
export function refusedRequests(base: HostileRequest): HostileRequest[] {
  const refused = { ...base, refused: true };
  const credential = base.headers.filter(([name]) => name === 'Authorization');
  const hostile = BODIES.filter(({ object }) => object !== true || base.body !== undefined);
  const bodies = hostile.map(({ name, bytes, headers = {} }) => ({
    ...refused,
    what: name,
    headers: [...credential, JSON_TYPE, ...Object.entries(headers)],
    body: bytes,
  }));
  const types = CONTENT_TYPES.map((type) => ({
    ...refused,
    what: `the type ${type.slice(0, 60)}`,
    headers: [...credential, ['Content-Type', type] as const],
    body: base.body ?? Buffer.from('{}'),
  }));
  return [...bodies, ...types];
}

type Mutation = (random: Random, request: HostileRequest) => HostileRequest;

/** One change each of a request that was good. */
const MUTATIONS: readonly Mutation[] = [
  atMember((random, text) => ({ what: 'a value', text, value: random.pick(VALUES) })),
  atMember((random, text) => ({ what: 'a value', text, value: random.pick(VALUES) })),
  atMember((random, text) => ({ what: 'a value', text, value: random.pick(VALUES) })),
  atMember((_random, text) => ({ what: 'a missing member', text, value: undefined })),
  (random, request) => {
    const name = JSON.stringify(random.pick(NAMES));
    const member = `${name}:${random.pick(VALUES)}`;
    return withBody(request, `one more member ${name.slice(0, 40)}`, (text) =>
      withMember(random, text, member),
    );
  },
  (random, request) =>
    withBody(request, 'a member twice', (text) => {
      const [name] = random.pick(Object.entries(JSON.parse(text) as object));
      return withMember(random, text, `${JSON.stringify(name)}:${random.pick(VALUES)}`);
    }),
  (random, request) =>
    withBody(request, 'a deep member', (text) =>
      withMember(random, text, `"zz":${nested('[', ']', random.pick([10, 100, 1_000]))}`),
    ),
  (random, request) => withBody(request, 'cut off', (text) => text.slice(0, random.below(text.length))),
  (random, request) => ({ ...request, what: 'a changed byte', body: flipped(random, request.body) }),
  (random, request) => ({ ...request, what: 'another body', body: Buffer.from(random.pick(VALUES)) }),
  (_random, request) => ({
    ...request,
    what: 'packed',
    headers: [...request.headers, ['Content-Encoding', 'gzip']],
    body: gzipSync(request.body ?? Buffer.from('{}')),
  }),
  (random, request) => {
    const [name, value] = random.pick(HEADERS);
    return {
      ...request,
      what: `${name}: ${value.slice(0, 40)}`,
      headers: [...request.headers, [name, value]],
    };
  },
  (random, request) => {
    const [name, value] = random.pick(HEADERS);
    return {
      ...request,
      what: `twice ${name}`,
      headers: [...request.headers, [name, value], [name, 'again']],
    };
  },
  (random, request) => {
    const type = random.pick(CONTENT_TYPES);
    const headers = request.headers.filter(([name]) => name !== 'Content-Type');
    return {
      ...request,
      what: `the type ${type.slice(0, 40)}`,
      headers: [...headers, ['Content-Type', type]],
    };
  },
  (random, request) => {
    const method = random.pick(METHODS);
    return { ...request, what: `the method ${method}`, method };
  },
  (random, request) => {
    const parts = request.target.split('/');
    parts[1 + random.below(parts.length - 1)] = random.pick(SEGMENTS);
    return { ...request, what: 'a segment', target: parts.join('/') };
  },
  (random, request) => {
    const target = random.pick(TARGETS)(request.target);
    return { ...request, what: 'a target', target };
  },
  (random, request) => {
    const separator = request.target.includes('?') ? '&' : '?';
    return { ...request, what: 'a query', target: `${request.target}${separator}${random.pick(QUERIES)}` };
  },
  (_random, request) => ({
    ...request,
    what: 'no credential',
    headers: request.headers.filter(([name]) => name !== 'Authorization'),
  }),
];

/** A good request with one thing wrong, sometimes two. */
export function mutated(random: Random, base: HostileRequest): HostileRequest {
  const once = random.pick(MUTATIONS)(random, base);
  if (!random.chance(0.2)) return once;
  const twice = random.pick(MUTATIONS)(random, once);
  return { ...twice, what: `${once.what} and ${twice.what}` };
}

const TARGETS: readonly ((target: string) => string)[] = [
  (target) => `${target}/`,
  (target) => `/${target}`,
  (target) => target.replaceAll('/', '//'),
  (target) => `${target}/../..`,
  (target) => target.replace('/api', '/api/./x/..'),
  (target) => target.replace('/api', '/%61pi'),
  (target) => target.toUpperCase(),
  (target) => `${target}%00`,
  (target) => `${target};jsessionid=1`,
  (target) => `http://evil.example${target}`,
  (target) => `${target}#fragment`,
  (target) => `${target}/${'x'.repeat(6_000)}`,
  (target) => `${target}${'/a'.repeat(3_000)}`,
  () => '*',
  () => '/',
  () => '//',
  () => '/..',
  () => '/%',
  () => '/.env',
  () => '/api/v2/__proto__/constructor',
];

function withBody(request: HostileRequest, what: string, change: (text: string) => string): HostileRequest {
  // A mutation that has gone before may have left no object to change.
  const text = request.body?.toString('utf8') ?? '{}';
  const whole = isObject(text) ? text : '{"zz":1}';
  const headers = request.headers.some(([name]) => name === 'Content-Type')
    ? request.headers
    : [...request.headers, JSON_TYPE];
  return { ...request, what, headers, body: Buffer.from(change(whole)) };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  } catch {
    return false;
  }
}

function withMember(random: Random, text: string, member: string): string {
  const rest = text.slice(1, -1).trim();
  if (rest === '') return `{${member}}`;
  return random.chance(0.5) ? `{${member},${rest}}` : `{${rest},${member}}`;
}

/** Changes one member of the body, at any depth, in its text: a value may be one that no object could hold. */
function atMember(
  change: (random: Random, name: string) => { what: string; text: string; value: string | undefined },
): Mutation {
  const mark = 'member-that-is-changed';
  return (random, request) => {
    let told = '';
    const mutate = (text: string): string => {
      const root = JSON.parse(text) as Container;
      const [holder, name] = random.pick(members(root));
      const { what, value } = change(random, name);
      told = `${what} of ${name}: ${value?.slice(0, 40)}`;
      if (value === undefined) delete (holder as Record<string, unknown>)[name];
      else (holder as Record<string, unknown>)[name] = mark;
      return JSON.stringify(root).replace(`"${mark}"`, () => value ?? '');
    };
    const mutant = withBody(request, '', mutate);
    return { ...mutant, what: told };
  };
}

type Container = Record<string, unknown> | unknown[];

/** Every member of a JSON value, with what holds it. */
function members(root: Container): [Container, string][] {
  const found: [Container, string][] = [];
  const waiting: Container[] = [root];
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    for (const [name, value] of Object.entries(holder)) {
      found.push([holder, name]);
      if (typeof value === 'object' && value !== null) waiting.push(value as Container);
    }
  }
  return found;
}

function flipped(random: Random, body: Buffer = Buffer.from('{}')): Buffer {
  const bytes = Buffer.from(body);
  if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}
