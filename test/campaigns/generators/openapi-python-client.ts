import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pythonPackages } from '../python-packages.js';
import { drive, type Generator, type MadeClient, run, snake } from './generator.js';

const PACKAGES = ['openapi-python-client==0.29.1'];

export const openapiPythonClient: Generator = {
  name: 'openapi-python-client',
  async make(file, folder, say): Promise<MadeClient> {
    const bin = await pythonPackages(PACKAGES, say);
    const client = join(folder, 'storage_access');
    const parameters = ['generate', '--path', file, '--output-path', client, '--meta', 'none'];
    // Its formatter is found beside it.
    const variables = { PATH: `${bin}:${process.env['PATH']}` };
    const { stdout, stderr } = await run(join(bin, 'openapi-python-client'), parameters, folder, {
      variables,
    });
    const files = await readdir(join(client, 'api'), { recursive: true });
    const made = new Set(files.map((name) => /(\w+)\.py$/.exec(name)?.[1]));
    return {
      warnings: `${stdout}${stderr}`
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('Generating ')),
      has: (operation) => made.has(snake(operation)),
      play: (baseUrl, calls) =>
        drive(
          join(bin, 'python'),
          [join(__dirname, 'drivers', 'openapi_python_client.py')],
          folder,
          {
            package: 'storage_access',
            baseUrl,
            calls,
          },
          { PYTHONPATH: folder },
        ),
    };
  },
};
