/**
 * Imported before anything of the service: with `--mutant NAME`, the fault is put into its file as the file is loaded.
 * Nothing on the disk changes.
 */
import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { mutantNamed, mutate } from './mutants.js';

const place = process.argv.indexOf('--mutant');
if (place !== -1) install(process.argv[place + 1] ?? '');

function install(name: string): void {
  const mutant = mutantNamed(name);
  const target = resolve(join(__dirname, '..', '..', '..', '..', mutant.file));
  const mutated = mutate(mutant, fs.readFileSync(target, 'utf8'));
  const read = fs.readFileSync.bind(fs);
  // The loader that compiles TypeScript reads each file through this very function.
  const patched = (path: fs.PathOrFileDescriptor, options?: BufferEncoding): string | Buffer =>
    path === target ? mutated : read(path, options);
  Object.defineProperty(fs, 'readFileSync', { value: patched });
}
