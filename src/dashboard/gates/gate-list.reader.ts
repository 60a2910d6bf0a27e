import { Injectable } from '@nestjs/common';
import { LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import { type OperatorScope, seesSite } from '#kernel/principals.js';
import { type GatePassage, GatePassages } from '../hours/gate-passages.js';

export interface ListedGate {
  readonly entry_point_id: string;
  readonly name: string;
  readonly in_service: boolean;
  readonly passage: GatePassage;
}

export interface SiteOfGates {
  readonly location_id: string;
  readonly name: string;
  readonly timezone: string;
  readonly gates: readonly ListedGate[];
}

/** Reads the gates of a company by site, and whether the hours of each let somebody pass. Throws StoreUnavailableError. */
@Injectable()
export class GateListReader {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly passages: GatePassages,
  ) {}

  /** The locations that the operator sees. */
  async listLocations(company_id: string, scope: OperatorScope): Promise<readonly LocationDocument[]> {
    const all = await this.locations.locationsOfCompany(company_id);
    return all.filter(({ _id: location_id }) => seesSite(scope, { company_id, location_id }));
  }

  /** Sites without a gate are left out. */
  async readSites(locations: readonly LocationDocument[]): Promise<SiteOfGates[]> {
    const withGates = locations.filter(({ entry_points }) => entry_points.length > 0);
    return Promise.all(
      withGates.map(async ({ _id, company_id, name, policy: { timezone }, access_hours, entry_points }) => {
        const hours = { location_id: _id, company_id, access_hours, timezone };
        const { passageOf } = await this.passages.readPassages(hours);
        const gates = entry_points.map((gate) => {
          const { entry_point_id, name: gate_name, in_service } = gate;
          return { entry_point_id, name: gate_name, in_service, passage: passageOf(gate) };
        });
        return { location_id: _id, name, timezone, gates };
      }),
    );
  }
}
