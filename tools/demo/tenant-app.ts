import type { TenantAccessShown } from './answers.js';
import { stateOf, table } from './format.js';
import type { Stage, Tenant } from './stage.js';

/** Reads the tenant's access as the app does, and prints it. */
export async function readAccess(stage: Stage, { app }: Tenant): Promise<TenantAccessShown> {
  const { data } = await stage.ask(app, ['GET', '/api/v2/tenant/access'], {});
  const units = data.units.map((unit) => [unit.unit_name, stateOf(unit), keysOf(unit.locks)]);
  const entryPoints = data.entry_points.map((point) => [point.name, point.state, keysOf([point])]);
  stage.narrator.shows(...table([['Ada sees', 'state', 'key'], ...units, ...entryPoints]));
  return data;
}

function keysOf(openings: readonly { readonly key?: string }[]): string {
  return openings.every(({ key }) => key !== undefined) ? 'yes' : 'no';
}
