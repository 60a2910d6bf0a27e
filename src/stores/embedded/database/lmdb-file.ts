import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function dataFile(folder: string): string {
  return join(folder, 'data.mdb');
}

const lmdbMagic = 0xbeefc0de;
const magicOffset = 24;

/**
 * Checks the store's file before lmdb opens it: lmdb ends the process for a file of another kind or one that is too
 * short.
 */
export function probeFile(folder: string): 'absent' | 'lmdb' | 'foreign' | 'damaged' {
  const path = dataFile(folder);
  if (!existsSync(path)) return 'absent';
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  const length = readSync(file, header);
  closeSync(file);
  if (length === 0) return 'absent';
  const isLmdb = [header.readUInt32LE(magicOffset), header.readUInt32BE(magicOffset)].includes(lmdbMagic);
  if (!isLmdb) return 'foreign';
  return endsEarly(path, header) && !isReadableElsewhere(path) ? 'damaged' : 'lmdb';
}

const headerBytes = 160;
const pageSizeOffset = 48;
const lastPageOffset = 144;

/** True if the file is shorter than its first page says. It may still be complete: lmdb need not write the last pages. */
function endsEarly(path: string, header: Buffer): boolean {
  const { size } = statSync(path);
  const pages = Number(header.readBigUInt64LE(lastPageOffset)) + 1;
  return size < header.readUInt32LE(pageSizeOffset) * pages;
}

const readEverything = `
  const { open } = require(process.argv[1]);
  const binary = { encoding: 'binary', keyEncoding: 'binary' };
  const root = open({ path: process.argv[2], noSubdir: true, readOnly: true, maxDbs: 24, ...binary });
  for (const name of [...root.getKeys()].map(String)) {
    for (const entry of root.openDB({ name, ...binary }).getRange()) entry.value.length;
  }`;

/** Reads the whole file in a child process, which lmdb ends if a page is missing. */
function isReadableElsewhere(path: string): boolean {
  const parameters = ['-e', readEverything, require.resolve('lmdb'), path];
  return spawnSync(process.execPath, parameters, { stdio: 'ignore' }).status === 0;
}
