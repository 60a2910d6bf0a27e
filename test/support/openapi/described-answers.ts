import type { INestApplication } from '@nestjs/common';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DescribedRoutes } from '#web/openapi/described-routes.js';
import { OpenApi } from '#web/openapi/openapi.js';
import { type Edition, editionOf, type OpenApiDocument } from '#web/openapi/document.js';
import type { Answer, Method, Parsed } from '../http-client.js';

type Schemas = Record<string, Parsed>;

interface DescribedOperation {
  readonly method: string;
  readonly pattern: RegExp;
  /** How many segments are fixed: `/units/logs` goes before `/units/{id}`. */
  readonly fixed: number;
  readonly template: string;
}

const known = new Map<string, EveryEdition>();
const ofApplications = new WeakMap<INestApplication, EveryEdition>();

/** The check of a running service's answers; made once for each set of routes, which is all that a document is made of. */
export function describedAnswers(application: INestApplication): EveryEdition {
  const answers = ofApplications.get(application) ?? answersOf(application);
  ofApplications.set(application, answers);
  return answers;
}

function answersOf(application: INestApplication): EveryEdition {
  const routes = application.get(DescribedRoutes, { strict: false }).all();
  const key = routes.map(({ method, path, description }) => `${method} ${path} ${description.id}`).join('\n');
  let answers = known.get(key);
  if (answers === undefined) {
    const served = application.get(OpenApi, { strict: false });
    const read = (edition: Edition) => JSON.parse(served.served(edition).content.text) as OpenApiDocument;
    known.set(key, (answers = new EveryEdition(read)));
  }
  return answers;
}

/** The documents of a service; the earlier one is read once a suite asks for one of its paths. */
export class EveryEdition {
  readonly #documents = new Map<Edition, DescribedAnswers>();

  constructor(private readonly read: (edition: Edition) => OpenApiDocument) {}

  /** The faults of an answer. Empty if there are none, or the path is not one of the service. */
  faultsOf(method: Method, path: string, answer: Answer): string[] {
    const [target = ''] = path.split('?');
    return this.#about(target).faultsOf(method, target, answer);
  }

  /** The headers that the document tells of an answer, and those that it has. */
  headersOf(method: Method, path: string, answer: Answer) {
    const [target = ''] = path.split('?');
    return this.#about(target).headersOf(method, target, answer);
  }

  #about(target: string): DescribedAnswers {
    return this.of(editionOf(target.toLowerCase()));
  }

  of(edition: Edition): DescribedAnswers {
    const document = this.#documents.get(edition) ?? new DescribedAnswers(this.read(edition));
    this.#documents.set(edition, document);
    return document;
  }
}

/** Headers that HTTP gives their meaning, whatever the interface. */
const OF_HTTP: ReadonlySet<string> = new Set([
  ...['cache-control', 'connection', 'content-encoding', 'content-length', 'content-type', 'date'],
  ...['keep-alive', 'strict-transport-security', 'transfer-encoding', 'vary', 'x-content-type-options'],
]);

/**
 * Holds answers to what the service says of itself: their status and headers must be described, their body be of the described
 * shape, whole.
 */
export class DescribedAnswers {
  // Most validators look at a few answers: what makes them quicker takes longer than they do.
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
  });
  readonly #validators = new Map<string, ValidateFunction | undefined>();
  readonly #operations: readonly DescribedOperation[];

  constructor(private readonly document: OpenApiDocument) {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(closed(document) as object, 'openapi');
    this.#operations = Object.entries(document.paths)
      .flatMap(([template, methods]) => Object.keys(methods).map((method) => operationOf(template, method)))
      .sort((one, other) => other.fixed - one.fixed);
  }

  /** The faults of an answer. Empty if there are none, or the path is not one of the service. */
  faultsOf(method: Method, path: string, { status, body, headers }: Answer): string[] {
    const operation = this.#operationOf(method, path);
    if (operation === undefined) return [];
    const where = `${method.toUpperCase()} ${operation.template} ${status}`;
    const responses = this.#member(['paths', operation.template, method, 'responses']) as Schemas;
    const response = responses[status];
    if (response === undefined) return [`${where} is not described: ${JSON.stringify(body)}`];
    const { told, sent } = this.headersOf(method, path, { status, headers });
    const untold = sent.filter((name) => !told.includes(name));
    if (untold.length > 0) return [`${where} does not describe ${untold.join(', ')}`];
    const [type] = (headers['content-type'] ?? '').split(';');
    const named = this.#namedCodes([operation.template, method, String(status)]);
    if (status >= 400 && !named.includes(body?.code)) {
      return [`${where} does not name its code: ${JSON.stringify(body)}`];
    }
    return this.#bodyFaults([operation.template, method, String(status)], type!, body).map(
      (fault) => `${where}: ${fault}`,
    );
  }

  /** The headers that the document tells of an answer, and those that it has, without those of HTTP itself. */
  headersOf(method: Method, path: string, { status, headers }: Pick<Answer, 'status' | 'headers'>) {
    const { template } = this.#operationOf(method, path)!;
    const pointer = this.#resolved(['paths', template, method, 'responses', String(status)]);
    const told = Object.keys((this.#member(pointer) as { headers?: object }).headers ?? {});
    const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase()).sort();
    return { told: lower(told), sent: lower(Object.keys(headers)).filter((name) => !OF_HTTP.has(name)) };
  }

  #operationOf(method: Method, path: string): DescribedOperation | undefined {
    return this.#operations.find((one) => one.method === method && one.pattern.test(path));
  }

  /** What is wrong with a value that the document gives for one of its schemas. */
  faultsAt(pointer: readonly string[], value: unknown): string[] {
    return this.#faults(pointer, value);
  }

  #bodyFaults([template, method, status]: readonly string[], type: string, body: unknown): string[] {
    const pointer = this.#resolved(['paths', template!, method!, 'responses', status!]);
    const content = (this.#member(pointer) as { content?: Schemas }).content;
    if (content === undefined) return body === undefined ? [] : ['has a body that is not described'];
    if (content[type] === undefined) return [`is of the type ${type}`];
    return type === 'application/json' ? this.#faults([...pointer, 'content', type, 'schema'], body) : [];
  }

  /** The codes that an answer of a refusal may carry: those that it gives examples of. */
  #namedCodes([template, method, status]: readonly string[]): string[] {
    const pointer = this.#resolved(['paths', template!, method!, 'responses', status!]);
    const { content } = this.#member(pointer) as { content?: Schemas };
    return Object.keys(content?.['application/json']?.examples ?? {});
  }

  #faults(pointer: readonly string[], value: unknown): string[] {
    const fragment = pointer
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    if (!this.#validators.has(fragment)) {
      this.#validators.set(fragment, this.#ajv.getSchema(`openapi#/${fragment}`));
    }
    const validate = this.#validators.get(fragment);
    if (validate === undefined) return [`nothing is described at ${fragment}`];
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  #resolved(pointer: readonly string[]): readonly string[] {
    const { $ref } = this.#member(pointer) as { $ref?: string };
    return $ref === undefined ? pointer : $ref.slice(2).split('/');
  }

  #member(pointer: readonly string[]): Parsed {
    return pointer.reduce((found: Parsed, part) => found?.[part], this.document);
  }
}

function operationOf(template: string, method: string): DescribedOperation {
  const parts = template.split('/');
  const pattern = parts
    .map((part) => (part === '{path}' ? '.+' : part.replace(/\{\w+\}/, '[^/]+').replaceAll('.', '\\.')))
    .join('/');
  return {
    method,
    template,
    pattern: new RegExp(`^${pattern}/?$`, 'i'),
    fixed: parts.filter((part) => !part.startsWith('{')).length * 100 - parts.length,
  };
}

/** The document with every object of an answer closed: what is not described must not be there. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isObject = members['type'] === 'object' && typeof members['properties'] === 'object';
  return isObject ? { additionalProperties: false, ...members } : members;
}
