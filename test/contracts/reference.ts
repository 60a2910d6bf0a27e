import { ERRORS, type ErrorCode, FIXES } from '#kernel/errors/error-codes.js';
import type { JsonSchema } from '#web/validation/json-schema.js';
import type { OpenApiDocument } from '#web/openapi/document.js';
import {
  type Content,
  type Described,
  messagesOf,
  operationsOf,
  type PlacedOperation,
} from './described-operations.js';

const HEAD = `<!-- Made from the OpenAPI document by \`npm run contracts\`: change the descriptions in src. -->

# API reference

Every operation, field and error of \`/api/v2/openapi.json\`. What holds for all of them: [conventions](conventions.md).
A first walk: [README](../README.md#first-steps).
`;

/** docs/api.md: the description of the service as a page. */
export function reference(document: OpenApiDocument): string {
  const operations = operationsOf(document);
  const tags = document['tags'] as readonly { readonly name: string; readonly description: string }[];
  const messages = messagesOf(document);
  const used = tags.filter(({ name }) => operations.some(({ operation }) => operation.tags[0] === name));
  const schemas = document.components['schemas'] as Readonly<Record<string, JsonSchema>>;
  const named = tags.filter(({ name }) =>
    [...operations, ...messages].some(({ operation }) => operation.tags[0] === name),
  );
  const contents = [...named.map(({ name }) => name), 'Schemas', 'Errors'].map(
    (name) => `[${name}](#${anchor(name)})`,
  );
  return [
    HEAD,
    `${contents.join(' · ')}\n`,
    ...used.map((tag) =>
      tagSection(
        document,
        tag,
        operations.filter(({ operation }) => operation.tags[0] === tag.name),
      ),
    ),
    ...tags
      .filter(({ name }) => messages.some(({ operation }) => operation.tags[0] === name))
      .flatMap((tag) => [`## ${tag.name}\n`, `${tag.description}\n`, ...messages.map(messageSection)]),
    '## Schemas\n\nA field is optional unless its rule begins with "required".\n',
    ...Object.entries(schemas)
      .filter(([name]) => !name.endsWith('Answer'))
      .flatMap(([name, schema]) => schemaSection(name, schema)),
    errorSection(),
  ].join('\n');
}

function tagSection(
  document: OpenApiDocument,
  { name, description }: { readonly name: string; readonly description: string },
  operations: readonly PlacedOperation[],
): string {
  const rows = operations.map(({ method, path, operation }) => [
    `\`${method.toUpperCase()} ${path}\``,
    `[${operation.summary}](#${anchor(operation.operationId)})`,
  ]);
  const table = tableOf(['Request', 'What it does'], rows);
  return [
    `## ${name}\n`,
    `${description}\n`,
    table,
    ...operations.map((one) => operationSection(document, one)),
  ].join('\n');
}

function operationSection(document: OpenApiDocument, { method, path, operation }: PlacedOperation): string {
  const { operationId, description, parameters = [], requestBody, responses } = operation;
  const body = refOf(requestBody?.content);
  const answers = Object.entries(responses as Readonly<Record<string, Answer>>);
  const good = answers.filter(([, { $ref }]) => $ref === undefined);
  const refused = answers.flatMap(([status, { $ref }]) =>
    $ref === undefined ? [] : codesOf(document, status, $ref),
  );
  return [
    `### ${operationId}\n`,
    `\`${method.toUpperCase()} ${path}\`\n`,
    `${description ?? ''}\n`,
    ...(parameters.length === 0
      ? []
      : [
          tableOf(
            ['Parameter', 'In', 'Rule'],
            parameters.map((one) => [`\`${one.name}\``, one.in, ruleOf(one)]),
          ),
        ]),
    [
      ...(body === undefined ? [] : [`Body: ${link(body)}.`]),
      ...good.map(([status, { content }]) => `${status}: ${answerOf(document, content)}.`),
      ...(refused.length === 0 ? [] : [`Refused: ${refused.join(', ')}.`]),
    ].join(' '),
    '',
  ].join('\n');
}

/** A request that the service sends. */
function messageSection({ operation }: PlacedOperation): string {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  return [
    `### ${operationId}\n`,
    `${summary}. ${description}\n`,
    tableOf(
      ['Header', 'What it holds'],
      parameters.map(({ name, description: meaning = '' }) => [`\`${name}\``, meaning]),
    ),
    `Body: ${link(refOf(requestBody?.content)!)}.\n`,
    tableOf(
      ['Answer', 'What it means'],
      Object.entries(responses).map(([status, answer]) => [status, answer.description ?? '']),
    ),
  ].join('\n');
}

/** Statuses of which the conventions tell for all operations. */
const OF_ANY = new Set(['400', '401', '405', '408', '413', '415', '417', '429', '431', '500', '503']);

function codesOf({ components }: OpenApiDocument, status: string, ref: string): string[] {
  if (OF_ANY.has(status)) return [];
  const { content } = components['responses']![ref.split('/').at(-1)!] as Answer;
  const { examples = {} } = (content?.['application/json'] ?? {}) as { readonly examples?: object };
  return Object.keys(examples).map((code) => `${status} \`${code}\``);
}

interface Answer {
  readonly $ref?: string;
  readonly content?: Content;
}

/** An answer is a message with its data: the data's schema says all. */
function answerOf({ components }: OpenApiDocument, content: Content | undefined): string {
  const name = refOf(content);
  if (name !== undefined) {
    const { data } = (components['schemas']![name] as JsonSchema).properties ?? {};
    return data === undefined ? 'a message' : typeOf(data);
  }
  return content === undefined
    ? 'no body'
    : Object.keys(content)
        .map((type) => `\`${type}\``)
        .join(', ');
}

function refOf(content: Content | undefined): string | undefined {
  return content?.['application/json']?.schema?.$ref?.split('/').at(-1);
}

/** A parameter of a request. */
function ruleOf({ required, description, ...more }: NonNullable<Described['parameters']>[number]): string {
  const { schema } = more as { readonly schema?: JsonSchema };
  return [required === true ? 'required' : '', schema === undefined ? '' : typeOf(schema), description ?? '']
    .filter((part) => part !== '')
    .join('; ');
}

function schemaSection(name: string, schema: JsonSchema): string[] {
  const title = `### ${name}\n`;
  const told = schema.description === undefined ? [] : [`${schema.description}\n`];
  const { properties } = schema;
  if (properties === undefined) return [title, ...told, `${typeOf(schema)}\n`];
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(properties).map(([field, one]) => [
    `\`${field}\``,
    typeOf(one),
    [required.has(field) ? 'required' : '', one.description ?? ''].filter((part) => part !== '').join('; '),
  ]);
  return [title, ...told, tableOf(['Field', 'Type', 'Rule'], rows)];
}

/** The type in words, with its bounds. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return link(schema.$ref.split('/').at(-1)!);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${String(one)}\``).join(', ');
  const types = [schema.type ?? 'any'].flat().map(String);
  const named = types.map((type) =>
    type === 'array' && schema.items !== undefined ? `list of ${typeOf(schema.items)}` : type,
  );
  return [named.join(' or '), ...boundsOf(schema)].join(', ');
}

function boundsOf(schema: JsonSchema): string[] {
  const { format, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const between = (least: number | undefined, most: number | undefined, what: string) => {
    if (most === undefined) return least === undefined ? [] : [`from ${least}${what}`];
    return [least === undefined ? `up to ${most}${what}` : `${least} to ${most}${what}`];
  };
  return [
    ...(format === undefined ? [] : [format]),
    ...between(minLength, maxLength, ' characters'),
    ...between(minimum, maximum, ''),
    ...between(minItems, maxItems, ' entries'),
  ];
}

function errorSection(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((code) => [
    String(ERRORS[code].status),
    `\`${code}\``,
    ERRORS[code].message,
    FIXES[code],
  ]);
  return `## Errors\n\n${tableOf(['Status', '`code`', 'Message', 'What to do'], rows)}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

function link(name: string): string {
  return `[${name}](#${anchor(name)})`;
}

/** As the pages of a repository make it of a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(' ', '-')
    .replaceAll(/[^\w-]/g, '');
}
