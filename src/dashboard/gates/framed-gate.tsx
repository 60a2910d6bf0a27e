import { Injectable } from '@nestjs/common';
import { LocationAdministration } from '#api/operator/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import type { OperatorContext } from '#web/request-context.js';
import { FramedLocation } from '../frame/framed-location.js';
import { GatePassages } from '../hours/gate-passages.js';
import { mayDo } from '../parts/roles.js';
import { GateListReader } from './gate-list.reader.js';
import { GateNav } from './gate-nav.js';

/** A gate with all that its pages show around their content. */
@Injectable()
export class FramedGate {
  constructor(
    private readonly framed: FramedLocation,
    private readonly directory: LocationDirectory,
    private readonly locations: LocationAdministration,
    private readonly passages: GatePassages,
    private readonly gates: GateListReader,
  ) {}

  /**
   * A gate, all zones of its location, whether its hours let somebody pass now, and the company's gates beside it.
   * @throws ApiError 404, StoreUnavailableError
   */
  async read(id: string, principal: OperatorContext['principal']) {
    const gate = await this.directory.entryPoint(id);
    if (gate === undefined) throw errorOf('entry_point_not_found');
    const zones = await this.locations.listZones(gate.location_id);
    const framed = await this.framed.readLocation(gate.location_id);
    const { timezone: zone } = framed.location;
    const { now, passageOf } = await this.passages.readPassages(framed.location);
    const { company_id } = gate;
    const sites = await this.gates.readSites(await this.gates.listLocations(company_id, principal));
    const { role } = principal;
    const mayAdd = mayDo(role, 'manager');
    const beside = <GateNav {...{ company_id, sites, entry_point_id: id, now, mayAdd }} />;
    return { framing: { gate, zones, zone, passage: passageOf(gate), role }, framed, now, beside };
  }
}
