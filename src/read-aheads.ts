import type { QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { ReadUnit, type TenantHoldingsReader } from './access/index.js';
import type { Principal, ReadAheads } from './http/index.js';
import type { LocationDirectory } from './locations/index.js';
import type { UnitDirectory, UnitDocument } from './units/index.js';

interface Readers {
  readonly units: UnitDirectory;
  readonly locations: LocationDirectory;
  readonly holdings: TenantHoldingsReader;
  readonly queries: QueryBus;
}

/** No identifier of a unit is longer; a path that names one is refused by its handler. */
const LONGEST_KEY = 512;

/** What the handlers of single units and of a tenant's access read in any case, for stores that are a network away. */
export function readAheads({ units, locations, holdings, queries }: Readers): ReadAheads {
  const unit = (request: Request, principal: Principal): Promise<UnitDocument | undefined> => {
    const key = keyIn(request);
    if (principal.kind !== 'api_token' || key === undefined) return Promise.resolve(undefined);
    return units.byPathKey(principal.company_id, key);
  };
  const named = (_request: Request, principal: Principal) =>
    principal.kind === 'api_token'
      ? locations.locationsOfCompany(principal.company_id)
      : Promise.resolve(undefined);
  return {
    unit: async (request, principal) => {
      const key = keyIn(request);
      if (principal.kind === 'api_token' && key !== undefined)
        await queries.execute(new ReadUnit(principal.company_id, key));
    },
    move_in: (request, principal) => Promise.all([unit(request, principal), named(request, principal)]),
    bulk: named,
    facts: async (request, principal) => {
      const found = await unit(request, principal);
      if (found !== undefined) await locations.locations([found.location_id]);
    },
    move_out: unit,
    tenant_access: async (_request, principal) => {
      if (principal.kind === 'tenant') await holdings.read(principal);
    },
  };
}

function keyIn({ params }: Request): string | undefined {
  const key = params['crm_unit_id'];
  return typeof key === 'string' && key.length <= LONGEST_KEY ? key : undefined;
}
