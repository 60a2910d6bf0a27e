import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApplication } from '#app/application.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import { openPorts } from '#app/adapters.js';
import { runHere } from '../support/command-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { fencedBlocks, Walkthrough } from './walkthrough.js';

const ROOT = join(__dirname, '..', '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const INSTALL = readFileSync(join(ROOT, 'docs', 'install.md'), 'utf8');
/** Each goes on where the README ends; the last one signs the tenant out. */
const GUIDES = ['integrator', 'life-of-a-tenancy', 'auditor', 'app-builder'].map(
  (name) => `docs/guides/${name}.md`,
);

describe('the README', () => {
  it('shows requests that work and answers that are given, and so do the guides that go on from there', async () => {
    const folder = await temporaryFolder();
    const environment = readEnvironment({ DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
    const { application, operator } = await createApplication(await openPorts(environment));
    try {
      await application.listen(0, '127.0.0.1');
      const { port } = (application.getHttpServer() as Server).address() as AddressInfo;
      const scene = {
        url: `http://127.0.0.1:${port}`,
        data_dir: folder.path,
        password: operator.password!,
      };
      const walkthrough = new Walkthrough(scene);
      await walkthrough.play(fencedBlocks(README));
      expect(walkthrough.steps.filter(({ faults }) => faults.length > 0)).toEqual([]);
      expect(
        walkthrough.steps.filter(({ title }) => /^(GET|PUT|POST|PATCH)/.test(title)).length,
      ).toBeGreaterThan(15);
      for (const guide of GUIDES) {
        const read = walkthrough.steps.length;
        await walkthrough.play(fencedBlocks(readFileSync(join(ROOT, guide), 'utf8')));
        const steps = walkthrough.steps.slice(read);
        expect({ guide, faults: steps.filter(({ faults }) => faults.length > 0) }).toEqual({
          guide,
          faults: [],
        });
        expect(steps.length).toBeGreaterThan(3);
      }
    } finally {
      await application.close();
      await folder.remove();
    }
  });

  it('names only commands that there are', async () => {
    const told = [...README.matchAll(/storage-access (\w+(?: [a-z][\w-]*)?)(?=[ `\n])/g)].map(
      ([, name]) => name!,
    );
    expect(told.length).toBeGreaterThan(2);
    for (const name of told.filter((text) => !text.startsWith('help')))
      expect(await runHere(['help', ...name.split(' ')], {})).toMatchObject({ status: 0, stderr: '' });
  });
});

it('docs/install.md tells of every variable that the service reads, and of no other', () => {
  const folder = join(ROOT, 'src', 'kernel', 'environment');
  const source = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const read = new Set([...source.matchAll(/'([A-Z][A-Z\d]*(?:_[A-Z\d]+)*)'/g)].map(([, name]) => name!));
  const section = /## Configuration\n([\s\S]*?)\n## /.exec(INSTALL)![1]!;
  const told = new Set([...section.matchAll(/\b([A-Z][A-Z\d]+(?:_[A-Z\d]+)*)\b/g)].map(([, name]) => name!));
  expect([...read].filter((name) => !told.has(name))).toEqual([]);
  const columns = [...section.matchAll(/^\| (`[^|]+`)\s+\|/gm)].flatMap(([, names]) => names!.split(', '));
  expect(columns.map((name) => name.replace(/`/g, '').trim()).filter((name) => !read.has(name))).toEqual([]);
});
