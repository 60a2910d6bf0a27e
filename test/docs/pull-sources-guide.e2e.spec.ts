import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PullScheduler } from '#pull/index.js';
import { json, SourceServer } from '../pull/support/source-server.js';
import { Service } from '../support/service.js';
import { fencedBlocks, Walkthrough } from './walkthrough.js';

const ROOT = join(__dirname, '..', '..');
const PASSWORD = 'of the guide, our own';
const SHOWN = 'https://pms.example.com';

let service: Service;
let source: SourceServer;

beforeAll(async () => {
  const OPERATOR = { OPERATOR_EMAIL: 'operator@localhost', OPERATOR_PASSWORD: PASSWORD };
  service = await Service.start({ environment: { ...OPERATOR, PULL_ALLOW_PRIVATE: 'true' } });
  source = await SourceServer.start();
});
afterAll(async () => {
  await service.close();
  await source.close();
});

it('the guide of pull sources shows a PMS and a mapping that work, and what is answered', async () => {
  const url = `http://127.0.0.1:${service.port}`;
  const walkthrough = new Walkthrough({ url, data_dir: service.path, password: PASSWORD });
  await walkthrough.play(fencedBlocks(await readFile(join(ROOT, 'README.md'), 'utf8')));
  const guide = await readFile(join(ROOT, 'docs/guides/pull-sources.md'), 'utf8');
  const blocks = fencedBlocks(guide.replaceAll(`"${SHOWN}`, `"${new URL(source.url()).origin}`));
  const pages = blocks.filter(({ language }) => language === 'http').map(({ text }) => text.split('\n\n'));
  source.next(...pages.map(([, document]) => json(JSON.parse(document!))));
  const before = walkthrough.steps.length;
  for (const block of blocks) {
    await service.part(PullScheduler).settled();
    await walkthrough.play([block]);
  }
  const steps = walkthrough.steps.slice(before);
  expect(steps.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(steps.length).toBeGreaterThan(5);
  expect(source.asked.map(({ path }) => `GET ${SHOWN}${path}`)).toEqual(pages.map(([asked]) => asked));
  expect(source.asked.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill('Bearer a-credential-of-the-pms'),
  );
});
