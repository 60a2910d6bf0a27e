/** Keeps a store of the version in package.json, which all later versions must read. */
import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { keepStore } from './kept-store.js';

async function main(folder = join(__dirname, version)): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} is there: the store of a release is kept once.`);
  await keepStore(folder);
}

void main(process.argv[2]);
