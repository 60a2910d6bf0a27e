import { Injectable } from '@nestjs/common';
import { isInScope, type OperatorScope, seesSite } from '#kernel/principals.js';
import { DamagedStreams, type StreamDamage } from '#eventsourcing/log/damaged-streams.js';
import { COMPANY_CATEGORY } from '#domain/companies/index.js';
import { LOCATION_CATEGORY, LocationDirectory } from '#domain/locations/index.js';
import { PASS_CATEGORY, PassDirectory } from '#domain/passes/index.js';
import { TENANT_CATEGORY, TenantAccounts } from '#domain/tenants/index.js';
import { UNIT_CATEGORY, UnitDirectory } from '#domain/units/index.js';

export const DAMAGED_KINDS = [
  'unit',
  'tenant',
  'location',
  'lock',
  'entry_point',
  'pass',
  'company',
] as const;

/** A thing of a company whose events somebody has damaged in the log. */
export interface DamagedHistory {
  readonly kind: (typeof DAMAGED_KINDS)[number];
  readonly id: string;
  /** Null if it is not known. */
  readonly name: string | null;
  /** The first revision that is not sound. */
  readonly revision: number;
}

/** A thing, and its location. Without one it belongs to the company as a whole. */
type Thing = Pick<DamagedHistory, 'kind' | 'id' | 'name'> & { readonly location_id?: string };
type Finder = (company_id: string, rest: string) => Promise<Thing | undefined>;

/** Finds whose the damaged streams are. Throws StoreUnavailableError. */
@Injectable()
export class DamagedHistories {
  constructor(
    private readonly damaged: DamagedStreams,
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccounts,
    private readonly locations: LocationDirectory,
    private readonly passes: PassDirectory,
  ) {}

  /** By the beginning of a stream's name. */
  readonly #finders: Readonly<Record<string, Finder>> = {
    [UNIT_CATEGORY]: (company_id, rest) => this.#unit(company_id, rest),
    [TENANT_CATEGORY]: async (company_id, tenant_id) => {
      const [account] = await this.tenants.byTenantId([tenant_id]);
      return isOf(account, company_id)
        ? { kind: 'tenant', id: tenant_id, name: account.name ?? null, location_id: account.location_id }
        : undefined;
    },
    [LOCATION_CATEGORY]: async (company_id, location_id) => {
      const location = await this.locations.location(location_id);
      return isOf(location, company_id)
        ? { kind: 'location', id: location_id, name: location.name, location_id }
        : undefined;
    },
    lock: async (company_id, lock_id) => {
      const lock = await this.locations.lock(lock_id);
      return isOf(lock, company_id)
        ? { kind: 'lock', id: lock_id, name: lock.name, location_id: lock.location_id }
        : undefined;
    },
    'entry-point': async (company_id, entry_point_id) => {
      const entryPoint = await this.locations.entryPoint(entry_point_id);
      if (!isOf(entryPoint, company_id)) return undefined;
      const { name, location_id } = entryPoint;
      return { kind: 'entry_point', id: entry_point_id, name, location_id };
    },
    [PASS_CATEGORY]: async (company_id, pass_id) => {
      const pass = await this.passes.pass(pass_id);
      return isOf(pass, company_id)
        ? { kind: 'pass', id: pass_id, name: null, location_id: pass.location_id }
        : undefined;
    },
    [COMPANY_CATEGORY]: (company_id, id) =>
      Promise.resolve(id === company_id ? { kind: 'company', id, name: null } : undefined),
  };

  /** Those of the company that the operator sees. */
  async listHistories(company_id: string, scope: OperatorScope): Promise<DamagedHistory[]> {
    const found = await Promise.all(
      this.damaged.listDamages().map((damage) => this.#find(company_id, damage)),
    );
    return found
      .flat()
      .filter(({ location_id }) => isSeen(scope, { company_id, location_id }))
      .map(({ kind, id, name, revision }) => ({ kind, id, name, revision }));
  }

  async #find(company_id: string, { stream, revision }: StreamDamage) {
    const [, category = '', rest = ''] = /^(entry-point|[a-z]+)-(.*)$/.exec(stream) ?? [];
    const thing = await this.#finders[category]?.(company_id, rest);
    return thing === undefined ? [] : [{ ...thing, revision }];
  }

  async #unit(company_id: string, rest: string): Promise<Thing | undefined> {
    if (!rest.startsWith(`${company_id}.`)) return undefined;
    const [unit] = await this.units.byStreams([`${UNIT_CATEGORY}-${rest}`]);
    return unit && { kind: 'unit', id: unit.unit_id, name: unit.unit_name, location_id: unit.location_id };
  }
}

function isSeen(
  scope: OperatorScope,
  { company_id, location_id }: { readonly company_id: string; readonly location_id: string | undefined },
): boolean {
  return location_id === undefined
    ? isInScope(scope, company_id)
    : seesSite(scope, { company_id, location_id });
}

function isOf<Thing extends { readonly company_id: string }>(
  thing: Thing | undefined,
  company_id: string,
): thing is Thing {
  return thing?.company_id === company_id;
}
