import { type Company, demand, type Service } from './service.js';

/** The location of a new company, with what a pass opens. */
export interface PassSite {
  readonly company: Company;
  readonly location_id: string;
  /** The entry point "North gate". */
  readonly gate: string;
  /** The vacant unit A-1. */
  readonly unit_id: string;
  /** On the unit. */
  readonly lock_id: string;
}

/** @param zone_name of a zone to which the gate leads; undefined: it leads to none */
export async function addPassSite(service: Service, zone_name?: string): Promise<PassSite> {
  const company = await service.company();
  const location_id = company.locations.get('MAIN')!;
  const add = async (things: 'zones' | 'entry-points' | 'locks', body: object) =>
    demand(201, await service.operator('post', `/locations/${location_id}/${things}`, body));
  const zone_ids =
    zone_name === undefined ? [] : [(await add('zones', { name: zone_name })).zone_id as string];
  const { entry_point_id } = await add('entry-points', { name: 'North gate', kind: 'gate', zone_ids });
  const { unit_id } = demand(201, await company.moveIn('A-1'));
  demand(200, await company.moveOut('A-1'));
  const { lock_id } = await add('locks', { name: 'Door' });
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  return { company, location_id, gate: entry_point_id as string, unit_id, lock_id: lock_id as string };
}

/** The instant so many hours from now, by the clock of the service. */
export function inHours(service: Service, hours: number): string {
  return new Date(service.manualClock.now() + hours * 3_600_000).toISOString();
}
