import { access, copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pythonPackages } from '../python-packages.js';
import { drive, type Generator, type MadeClient, run, snake } from './generator.js';

const VERSION = '7.25.0';
const CACHE = join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'openapi-generator');
const JAR = join(CACHE, `openapi-generator-cli-${VERSION}.jar`);
/** What a client in Python imports. */
const PYTHON = [
  'urllib3==2.8.0',
  'python-dateutil==2.9.0.post0',
  'pydantic==2.14.4',
  'typing-extensions==4.16.0',
];

/** Warnings that no document of ours avoids. */
const UNAVOIDABLE = [
  /OpenAPI 3\.1 support is still in beta/,
  // For every document in Python, and in Java for `additionalProperties: false`.
  /Failed to get the schema name: null$/,
  // The parameter `from` of lists; it has a name that Python keeps for itself.
  /From \(reserved word\) cannot be used as model name/,
];

async function generate(
  language: 'python' | 'java',
  file: string,
  folder: string,
  say: (line: string) => void,
): Promise<string[]> {
  await fetchJar(say);
  const parameters = ['-jar', JAR, 'generate', '-i', file, '-g', language, '-o', folder];
  const { stdout, stderr } = await run('java', parameters, CACHE);
  return `${stdout}${stderr}`
    .split('\n')
    .filter((line) => /\b(WARN|ERROR)\b/.test(line) && !UNAVOIDABLE.some((known) => known.test(line)));
}

async function fetchJar(say: (line: string) => void): Promise<void> {
  const isThere = await access(JAR).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  say(`fetches openapi-generator ${VERSION} with Maven`);
  await mkdir(CACHE, { recursive: true });
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`;
  await run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${CACHE}`], CACHE);
}

/** The text of all files of a folder. */
async function textOf(folder: string): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

export const openapiGeneratorPython: Generator = {
  name: 'openapi-generator, Python',
  dropsEmpty: true,
  async make(file, folder, say): Promise<MadeClient> {
    const bin = await pythonPackages(PYTHON, say);
    const warnings = await generate('python', file, folder, say);
    const made = await textOf(join(folder, 'openapi_client', 'api'));
    return {
      warnings,
      has: (operation) => made.includes(`def ${snake(operation)}(`),
      play: (baseUrl, calls) =>
        drive(
          join(bin, 'python'),
          [join(__dirname, 'drivers', 'openapi_generator.py')],
          folder,
          { package: 'openapi_client', baseUrl, calls },
          { PYTHONPATH: folder },
        ),
    };
  },
};

export const openapiGeneratorJava: Generator = {
  name: 'openapi-generator, Java',
  dropsEmpty: true,
  async make(file, folder, say): Promise<MadeClient> {
    const warnings = await generate('java', file, folder, say);
    const source = join(folder, 'src', 'main', 'java');
    const made = await textOf(join(source, 'org', 'openapitools', 'client', 'api'));
    await copyFile(join(__dirname, 'drivers', 'Driver.java'), join(source, 'Driver.java'));
    const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'];
    await run('mvn', ['-q', '-B', '-Dmaven.compiler.parameters=true', ...goals], folder);
    const classpath = `target/classes:${await readFile(join(folder, 'classpath'), 'utf8')}`;
    return {
      warnings,
      has: (operation) => made.includes(` ${operation}(`),
      play: (baseUrl, calls) => drive('java', ['-cp', classpath, 'Driver'], folder, { baseUrl, calls }),
    };
  },
};
