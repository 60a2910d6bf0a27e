import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fencedBlocks } from '../../docs/walkthrough.js';
import { demand } from '../../support/service.js';
import { OPERATOR, ServiceProcess, setUpCompany } from '../../support/service-process.js';
import { run } from './generator.js';

const GUIDE = join(__dirname, '..', '..', '..', 'docs', 'guides', 'integrator.md');
const HEADING = '## And from Python?';

/** Plays the quick start of the integrator's guide, word for word. @throws Error if it prints something else than it says */
export async function playQuickStart(folder: string): Promise<string> {
  const [, section = ''] = (await readFile(GUIDE, 'utf8')).split(`${HEADING}\n`);
  const [commands, program] = fencedBlocks(section);
  const [data, client] = [join(folder, 'data'), join(folder, 'client')];
  for (const one of [data, client]) await mkdir(one, { recursive: true });
  const service = await ServiceProcess.start(data);
  try {
    const { company_id, token } = await setUpCompany(service);
    const post = async (path: string, body: object, session?: string) =>
      demand(201, await service.client.call('post', `/api/operator${path}`, { body, token: session }));
    const { token: session } = await post('/sessions', OPERATOR);
    const location = { pms_location_code: 'LAKE-ST', name: 'Lake Street', timezone: 'America/Chicago' };
    await post(`/companies/${company_id}/locations`, location, session as string);
    await writeFile(join(client, 'quick_start.py'), program!.text);
    const variables = { BASE: `http://127.0.0.1:${service.port}`, TOKEN: token };
    const { stdout } = await run('sh', ['-e', '-c', commands!.text], client, { variables });
    const said = [...program!.text.matchAll(/print\(.*\) {2}# (.*)$/gm)].map(([, line]) => line!);
    if (said.length === 0 || !stdout.endsWith(`${said.join('\n')}\n`))
      throw new Error(`The guide says ${JSON.stringify(said)}. Printed was:\n${stdout}`);
    return 'quick start in Python';
  } finally {
    await service.kill();
  }
}
