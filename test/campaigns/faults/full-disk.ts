import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from '../../support/http-client.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Campaign, NotPlayed } from '../campaign.js';
import { ServiceProcess, type Setup, setUpCompany } from '../../support/service-process.js';

/** Observations on the full disk. */
interface FullDiskFigures {
  readonly refused: number;
  readonly readsMeanwhile: number;
  readonly retried: number;
  readonly units: number;
}

const WRITES = 200;

export const diskFull: Campaign = {
  name: 'disk-full',
  about: 'a small disk filled under the service, and emptied again',
  async play() {
    const disk = await temporaryFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk.path], {
      encoding: 'utf8',
    });
    try {
      if (mounted.status !== 0)
        throw new NotPlayed(`No small disk can be mounted. ${mounted.stderr ?? ''}`.trim());
      return JSON.stringify(await fillDisk(disk.path));
    } finally {
      if (mounted.status === 0) spawnSync('umount', [disk.path]);
      await disk.remove();
    }
  },
};

/**
 * Fills the disk under the running service, with a file of its own, and makes space again. Writes must be refused with
 * 503 and `Retry-After`, reads must go on, and every refused write must be done once when it is sent again.
 * @param folder empty, on a small file system of its own
 * @throws Error naming what is otherwise
 */
async function fillDisk(folder: string): Promise<FullDiskFigures> {
  const data = join(folder, 'data');
  await mkdir(data);
  const service = await ServiceProcess.start(data);
  try {
    const setup = await setUpCompany(service);
    for (let write = 0; write < WRITES; write += 1)
      demandStatus(await moveIn(service, setup, `before-${write}`), 201);
    demandStatus(await readUnit(service, setup, 'before-0'), 200);
    await fill(folder);
    const refused = await writeUntilRefused(service, setup);
    await rm(join(folder, 'filler'));
    for (const unit of refused) demandStatus(await moveIn(service, setup, unit), 201);
    const units = await countUnits(service, setup);
    const status = await service.stop();
    if (status !== 0) throw new Error(`The service ended with ${status}: ${service.complaints.join('\n')}`);
    return { refused: refused.length, readsMeanwhile: refused.length, retried: refused.length, units };
  } catch (error) {
    await Promise.race([service.ended, pause(2_000)]);
    service.demandAlive();
    throw error;
  } finally {
    await service.kill();
    await rm(data, { recursive: true, force: true });
  }
}

/** Leaves no byte free. */
async function fill(folder: string): Promise<void> {
  for (let size = 1_048_576; size >= 512; size /= 2) {
    const chunk = Buffer.alloc(size, 'x');
    for (let fits = true; fits;) {
      fits = await writeFile(join(folder, 'filler'), chunk, { flag: 'a' }).then(
        () => true,
        () => false,
      );
    }
  }
}

/** Pages that are free within the store's file may still take some writes. */
async function writeUntilRefused(service: ServiceProcess, setup: Setup): Promise<string[]> {
  const refused: string[] = [];
  for (let write = 0; refused.length < WRITES && write < 100 * WRITES; write += 1) {
    const unit = `full-${write}`;
    const answer = await moveIn(service, setup, unit);
    if (answer.status === 201) continue;
    demandStatus(answer, 503);
    if (!(Number(answer.headers['retry-after']) > 0)) throw new Error('A 503 came without Retry-After.');
    refused.push(unit);
    demandStatus(await readUnit(service, setup, 'before-0'), 200);
  }
  if (refused.length === 0) throw new Error('The disk never became full.');
  return refused;
}

function moveIn({ client }: ServiceProcess, { token }: Setup, unit: string): Promise<Answer> {
  const body = { pms_tenant_id: `t of ${unit}`, move_in_date: '2025-01-01', pms_location_code: 'A' };
  const headers = { 'Idempotency-Key': unit };
  return client.call('put', `/api/v2/units/${unit}/tenancy`, { body, token, headers, mayFail: true });
}

function readUnit({ client }: ServiceProcess, { token }: Setup, unit: string): Promise<Answer> {
  return client.call('get', `/api/v2/units/${unit}`, { token, mayFail: true });
}

async function countUnits({ client }: ServiceProcess, { token }: Setup): Promise<number> {
  let units = 0;
  for (let cursor = ''; ;) {
    const { body } = await client.call('get', `/api/v2/units?limit=500${cursor}`, { token });
    units += Number(body.data.units.length);
    if (body.data.next_cursor === null) return units;
    cursor = `&cursor=${encodeURIComponent(body.data.next_cursor)}`;
  }
}

function demandStatus({ status, text }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`Answered with ${status} instead of ${wanted}: ${text}`);
}
