import type { SyncShown } from '../answers.js';
import { expectEqual } from '../expect.js';
import { readFacility, toBulkEntry } from '../facility.js';
import { stateOf, table, tally } from '../format.js';
import { LOCATION_CODE, type Facility, type Stage } from '../stage.js';

const SIZE = 500;

/** The PMS sends all units, twice. */
export async function syncUnits(stage: Stage, { pms }: Facility): Promise<void> {
  const { narrator } = stage;
  await narrator.chapter('Five hundred units in one request');
  const units = readFacility().map((unit) => toBulkEntry(unit, LOCATION_CODE, stage.today));
  const sync = async (): Promise<SyncShown> => {
    const began = performance.now();
    const note = `${units.length} units`;
    const { data } = await stage.ask(pms, ['PATCH', '/api/v2/units'], { body: { units } }, { note });
    const { created, updated, unchanged, errors } = data;
    narrator.shows(
      `created ${created}, updated ${updated}, unchanged ${unchanged}, errors ${errors.length}` +
        ` (${Math.round(performance.now() - began)} ms)`,
    );
    return data;
  };

  await narrator.says('The PMS sends the whole facility. Every unit is decided before the answer leaves.');
  expectSync('the first sync', await sync(), { created: SIZE, unchanged: 0 });
  await narrator.says('The same again: no fact changed, so no event is stored.');
  expectSync('the second sync', await sync(), { created: 0, unchanged: SIZE });

  await narrator.says('What those facts come to, counted over the list of units:');
  const { data } = await stage.ask(pms, ['GET', '/api/v2/units'], { query: { limit: SIZE } });
  const counts = tally(data.units.map(({ access }) => stateOf(access)));
  narrator.shows(...table([['access', 'units'], ...counts.map(([label, count]) => [label, String(count)])]));
  expectEqual('access of the facility', Object.fromEntries(counts), EXPECTED);
}

/** The decisions for facility.ndjson under the default policy. They are the same on every day. */
const EXPECTED = {
  'tenant_permitted: active': 418,
  vacant: 48,
  'tenant_denied: delinquent': 14,
  unrentable: 12,
  'tenant_denied: future_move_in': 3,
  'tenant_denied: pms_lockout': 2,
  'tenant_permitted: pms_exempt': 2,
  auction: 1,
};

function expectSync(what: string, sync: SyncShown, { created, unchanged }: Partial<SyncShown>): void {
  const { total, errors } = sync;
  const counts = { total, created: sync.created, updated: sync.updated, unchanged: sync.unchanged, errors };
  expectEqual(what, counts, { total: SIZE, created, updated: 0, unchanged, errors: [] });
}
