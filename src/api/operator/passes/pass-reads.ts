import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import {
  opensUnit,
  PassDirectory,
  type PassDocument,
  type PassRecord,
  PassRecords,
  standingOf,
} from '#domain/passes/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import { found } from '../facility.refusals.js';
import { KeysOutstanding } from '../keys-outstanding.js';
import type { PassListQuery } from './passes.dto.js';

/** A pass as the operator API shows it in a list. */
export type ShownPass = ResultOf<PassReads['present']>[number];
export type ShownPassDetail = ResultOf<PassReads['readPass']>;

/** What the passes of an answer name. */
interface Named {
  readonly records: ReadonlyMap<string, PassRecord>;
  /** By account. */
  readonly phones: ReadonlyMap<string, string | null>;
  readonly names: ReadonlyMap<string, string>;
  readonly units: ReadonlyMap<string, UnitDocument>;
}

/** Passes as operators see them (decisions §13). Every method throws ApiError 404. */
@Injectable()
export class PassReads {
  constructor(
    private readonly directory: PassDirectory,
    private readonly records: PassRecords,
    private readonly accounts: TenantAccounts,
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly keys: KeysOutstanding,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws InvalidCursorError */
  async listOfLocation(
    location_id: string,
    { standing = 'present', limit = USUAL_PAGE, cursor }: PassListQuery,
  ) {
    const { company_id } = found(await this.locations.location(location_id), 'location_not_found');
    const now = await this.clocks.now(company_id);
    const ends = standing === 'present' ? { after: now } : { before: now };
    const page = await this.directory.pageOfLocation(location_id, { limit, cursor, ...ends });
    return { passes: await this.present(page.documents, now), next_cursor: page.next_cursor };
  }

  /** The passes of an account that have not ended. */
  async listOfHolder({ tenant_id, company_id }: { readonly tenant_id: string; readonly company_id: string }) {
    const now = await this.clocks.now(company_id);
    const passes = await this.directory.endingAfter('by_tenant', tenant_id, now);
    return this.present(
      passes.filter((pass) => pass.tenant_id === tenant_id),
      now,
    );
  }

  async readPass(pass_id: string) {
    const pass = found(await this.directory.pass(pass_id), 'pass_not_found');
    const now = await this.clocks.now(pass.company_id);
    const [[shown], keys_outstanding] = await Promise.all([
      this.present([pass], now),
      this.keys.ofPass(pass.ever_tenant_ids, pass),
    ]);
    return { ...shown!, keys_outstanding };
  }

  /** @param now milliseconds, by the clock of the passes' company */
  async present(passes: readonly PassDocument[], now: number) {
    const named = await this.#named(passes);
    return passes.map((pass) => presentPass(pass, named, now));
  }

  async #named(passes: readonly PassDocument[]): Promise<Named> {
    const tenant_ids = passes.map(({ tenant_id }) => tenant_id);
    const [records, accounts, names, units] = await Promise.all([
      this.records.recordsOf(passes.map(({ pass_id }) => pass_id)),
      this.accounts.byTenantId(tenant_ids),
      this.locations.equipmentNames(passes.flatMap(({ entry_point_ids }) => entry_point_ids)),
      this.units.byUnitIds(passes.flatMap(({ units: of }) => of.map(({ unit_id }) => unit_id))),
    ]);
    return {
      records,
      phones: new Map(tenant_ids.map((tenant_id, index) => [tenant_id, accounts[index]?.phone ?? null])),
      names,
      units: new Map(units.map((unit) => [unit.unit_id, unit])),
    };
  }
}

function presentPass(pass: PassDocument, { records, phones, names, units }: Named, now: number) {
  const { pass_id, company_id, location_id, tenant_id, reason, hours } = pass;
  const record = records.get(pass_id);
  return {
    pass_id,
    company_id,
    location_id,
    tenant_id,
    name: record?.name ?? null,
    phone: phones.get(tenant_id) ?? null,
    standing: standingOf(pass, now),
    reason,
    from: toTimestamp(pass.from),
    until: toTimestamp(pass.until),
    ended_at: timestampOrNull(pass.ended_at),
    issued_at: toTimestamp(pass.issued_at),
    hours,
    note: record?.note ?? null,
    entry_points: pass.entry_point_ids.map((entry_point_id) => ({
      entry_point_id,
      name: names.get(entry_point_id) ?? null,
    })),
    units: pass.units.flatMap((one) => {
      const unit = units.get(one.unit_id);
      if (unit === undefined) return [];
      return [{ unit_id: one.unit_id, unit_name: unit.unit_name, opens: opensUnit(one, unit) }];
    }),
  };
}
