import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledService } from '../support/compiled-service.js';

/** The files that a command was made of, and what it printed before. */
async function loadedBy(...parameters: string[]): Promise<{ printed: string; files: string[] }> {
  const { dist } = await compiledService();
  const script = `
    const { runCommandLine } = require(${JSON.stringify(join(dist, 'cli', 'command-line.js'))});
    runCommandLine(${JSON.stringify(parameters)}, {}, process).then(() =>
      process.stdout.write('\\0' + JSON.stringify(Object.keys(require.cache))));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  const [printed, files] = stdout.split('\0');
  return { printed: printed!, files: JSON.parse(files!) as string[] };
}

describe('a command that needs no store', () => {
  it.each([
    ['--version', /^\d+\.\d+\.\d+(-[\w.]+)?\n$/],
    ['help', /^Usage: storage-access COMMAND/],
  ])('%s loads no package but the one that reads the command line', async (command, text) => {
    const { printed, files } = await loadedBy(command);
    expect(printed).toMatch(text);
    expect(files.map((file) => file.split('/dist/')[1])).toContain('cli/command-line.js');
    const packages = files.filter((file) => !file.includes('/dist/'));
    expect(packages.filter((file) => !file.includes('/node_modules/commander/'))).toEqual([]);
  });
});
