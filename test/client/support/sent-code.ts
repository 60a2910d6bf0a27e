import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../../support/service.js';

/** The login code that was sent last. */
export async function sentCode(service: Service): Promise<string> {
  const lines = (await readFile(join(service.path, 'sms-outbox.ndjson'), 'utf8')).trim().split('\n');
  const { body } = JSON.parse(lines.at(-1)!) as { body: string };
  return /\b\d{6}\b/.exec(body)![0];
}
