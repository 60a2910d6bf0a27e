import type { HttpClient, Parsed } from '../../support/http-client.js';

/** A unit of one writer: what its balance was set to last, and what that was acknowledged. */
interface Written {
  readonly unit: string;
  sent: number;
  acknowledged: number;
}

export interface Load {
  /** Writes acknowledged and reads checked so far. */
  readonly writes: number;
  readonly reads: number;
  /** Ends it. Rejects with the first answer that was not as it must be. */
  stop(): Promise<void>;
}

/** Where the units of the load are, so that a list of them is short. */
const LOAD_LOCATION = 'B';

/**
 * Writes to some units without a pause, each write a higher balance, and reads them by every way, alone and in lists. A
 * read must show what was acknowledged before it was sent, and nothing that was not sent before it was answered.
 */
export async function startLoad(client: HttpClient, token: string, units: number): Promise<Load> {
  const written = Array.from({ length: units }, (_, number): Written => ({
    unit: `L-${number}`,
    sent: 0,
    acknowledged: 0,
  }));
  const call = async (method: 'get' | 'put' | 'patch', path: string, body?: object): Promise<Parsed> => {
    const answer = await client.call(method, `/api/v2/units${path}`, { token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}`);
    return answer.body.data;
  };
  const moveIn = { pms_tenant_id: 'the one', move_in_date: '2025-12-01', pms_location_code: LOAD_LOCATION };
  for (const { unit } of written) await call('put', `/${unit}/tenancy`, moveIn);
  const told = { writes: 0, reads: 0 };
  let isEnding = false;

  async function write(one: Written): Promise<void> {
    while (!isEnding) {
      one.sent += 1;
      await call('patch', `/${one.unit}`, { balance_due: one.sent });
      one.acknowledged = one.sent;
      told.writes += 1;
    }
  }
  async function read(one: Written): Promise<void> {
    while (!isEnding) {
      const before = one.acknowledged;
      check(one, before, await call('get', `/${one.unit}`));
      told.reads += 1;
    }
  }
  async function list(query: string): Promise<void> {
    while (!isEnding) {
      const before = written.map(({ acknowledged }) => acknowledged);
      const { units: found } = await call('get', `?pms_location_code=${LOAD_LOCATION}&limit=100${query}`);
      written.forEach((one, place) => {
        check(
          one,
          before[place]!,
          (found as Parsed[]).find(({ crm_unit_id }) => crm_unit_id === one.unit),
        );
      });
      told.reads += 1;
    }
  }
  const ways = [...written.map(write), ...written.map(read), list('')];
  // The first fault ends the others, and is what `stop` rejects with.
  const all = Promise.all(ways.map((way) => way.finally(() => (isEnding = true))));
  all.catch(() => undefined);
  return {
    get writes() {
      return told.writes;
    },
    get reads() {
      return told.reads;
    },
    async stop() {
      isEnding = true;
      await all;
    },
  };
}

function check({ unit, sent }: Written, acknowledged: number, found: Parsed): void {
  const balance = (found?.facts.balance_due ?? -1) as number;
  if (balance >= acknowledged && balance <= sent) return;
  throw new Error(`${unit} was read as ${balance} after ${acknowledged} was acknowledged; ${sent} was sent.`);
}
