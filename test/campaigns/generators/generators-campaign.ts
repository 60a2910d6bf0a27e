import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument } from '#web/openapi/document.js';
import { operationsOf } from '../../contracts/described-operations.js';
import { differences } from '../../docs/shown.js';
import { ServiceProcess } from '../../support/service-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { Campaign, Round } from '../campaign.js';
import { type Call, callsOf } from './calls.js';
import type { Generator, Played } from './generator.js';
import { openapiGeneratorJava, openapiGeneratorPython } from './openapi-generator.js';
import { openapiPythonClient } from './openapi-python-client.js';
import { openapiTypescript } from './openapi-typescript.js';
import { prepare } from './prepared-service.js';
import { playQuickStart } from './quick-start.js';

const GENERATORS: readonly Generator[] = [
  openapiPythonClient,
  openapiGeneratorPython,
  openapiGeneratorJava,
  openapiTypescript,
];

export const generators: Campaign = {
  name: 'generators',
  about: 'clients made of the OpenAPI document by others (Python 3, Java 17, Maven, package registries)',
  onlyByName: true,
  async play(round) {
    const folder = await temporaryFolder();
    const told: string[] = [];
    const faults: string[] = [];
    try {
      const trials: [string, (own: string) => Promise<string>][] = [
        ['quick start', playQuickStart],
        ...GENERATORS.map((one): (typeof trials)[0] => [one.name, (own) => tried(one, own, round)]),
      ];
      for (const [name, play] of trials) {
        await play(join(folder.path, name.replaceAll(/\W+/g, '-'))).then(
          (line) => told.push(line),
          (error: Error) => faults.push(`${name}: ${error.message}`),
        );
      }
      if (faults.length > 0) throw new Error(faults.join('\n'));
      return told.join('; ');
    } finally {
      await folder.remove();
    }
  },
};

/** Makes a client and has it call every operation of a service of its own. @throws Error that names every fault */
async function tried(generator: Generator, folder: string, { say }: Round): Promise<string> {
  const [data, client] = [join(folder, 'data'), join(folder, 'client')];
  for (const one of [data, client]) await mkdir(one, { recursive: true });
  const service = await ServiceProcess.start(data, {
    environment: { PULL_ALLOW_PRIVATE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  try {
    const answer = await service.client.call('get', '/api/v2/openapi.json');
    const document = answer.body as OpenApiDocument;
    const file = join(folder, 'openapi.json');
    await writeFile(file, answer.text);
    const made = await generator.make(file, client, say);
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    const calls = callsOf(document, await prepare(service, data));
    const played = await made.play(`http://127.0.0.1:${service.port}`, calls);
    const faults = [
      ...made.warnings.map((line) => `warns: ${line}`),
      ...ids.filter((id) => !made.has(id)).map((id) => `has no ${id}`),
      ...played.flatMap((one, place) => faultsOf(one, calls[place]!, generator.dropsEmpty ?? false)),
      ...(played.length === calls.length ? [] : [`played ${played.length} of ${calls.length} calls`]),
    ];
    if (faults.length > 0) throw new Error(`\n  ${faults.join('\n  ')}`);
    service.demandAlive();
    return `${generator.name}: ${calls.length} calls of ${ids.length} operations`;
  } finally {
    await service.kill();
  }
}

function faultsOf(
  { operation, status, raw, read, thrown }: Played,
  { expected }: Call,
  dropsEmpty: boolean,
): string[] {
  if (thrown !== null) return [`${operation} ${status} throws ${thrown} for ${JSON.stringify(raw)}`];
  if (!expected.includes(status)) return [`${operation} is answered with ${status}: ${JSON.stringify(raw)}`];
  const [came, kept] = [raw, read].map((one) => normal(one, dropsEmpty));
  if (isDeepStrictEqual(came, kept)) return [];
  return differences(came, kept).map((one) => `${operation} ${status} is read otherwise: ${one}`);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The same value in one spelling: instants as the service writes them. */
function normal(value: unknown, dropsEmpty: boolean): unknown {
  if (typeof value === 'string' && INSTANT.test(value)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map((one) => normal(one, dropsEmpty));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, one]) => !(dropsEmpty && isEmpty(one)));
  return Object.fromEntries(members.map(([name, one]) => [name, normal(one, dropsEmpty)]));
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
