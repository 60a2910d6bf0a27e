import { Injectable } from '@nestjs/common';
import { invalidField } from '#kernel/errors/api-error.js';
import { FOREIGN_TEST_NUMBER, isTestNumber, SandboxPhones } from '#domain/tenants/index.js';
import type { ReadEntry } from './bulk-entries.js';

/** Refuses entries whose tenant has a test number of another company (decisions §5). */
@Injectable()
export class EntryPhones {
  constructor(private readonly phones: SandboxPhones) {}

  /** @throws StoreUnavailableError */
  async withoutForeignNumbers(
    company_id: string,
    entries: readonly ReadEntry[],
  ): Promise<readonly ReadEntry[]> {
    const refused = new Set<string>();
    for (const phone of new Set(entries.map(testNumberOf))) {
      if (phone !== undefined && !(await this.phones.mayRecord(company_id, phone))) refused.add(phone);
    }
    if (refused.size === 0) return entries;
    return entries.map((entry) => {
      if (!refused.has(testNumberOf(entry) ?? '')) return entry;
      const { crm_unit_id, path } = entry;
      const fault = invalidField(`${path}.tenant.phone`, 'not_allowed', FOREIGN_TEST_NUMBER);
      return { crm_unit_id, path, fault };
    });
  }
}

function testNumberOf(entry: ReadEntry): string | undefined {
  const phone = 'state' in entry ? entry.state.arrival?.person?.phone : undefined;
  return phone !== undefined && phone !== null && isTestNumber(phone) ? phone : undefined;
}
