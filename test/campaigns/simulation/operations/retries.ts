import type { Call } from '../injected-request.js';
import { demand, flow } from './operation.js';
import { operationNamed } from './registry.js';

/** A key stands for a day; as much less as a client may have to try. */
const SURELY_KNOWN = 24 * 3_600_000 - 5 * 60_000;

/** A command that was answered, sent again under its key: the same answer, byte for byte, and nothing happens. */
export const replay = flow<{ readonly key: string }>({
  name: 'replay',
  weight: 4,
  beside: false,
  plan(world, random) {
    const keys = [...world.keyed.keys()].slice(-20);
    return keys.length === 0 ? undefined : { key: random.pick(keys) };
  },
  async play({ key }, world, client) {
    const known = world.keyed.get(key);
    if (known === undefined || world.now >= known.since + SURELY_KNOWN) return;
    const call = operationNamed(known.op).call(known.args, world);
    const reply = await client.definite({ ...call, headers: { 'idempotency-key': known.key } });
    demand(
      reply.status === known.status,
      () => `${key} again: ${reply.status} ${reply.text}, not ${known.status}`,
    );
    demand(reply.text === known.text, () => `${key} again: ${reply.text}, not ${known.text}`);
    demand(reply.headers['idempotency-replayed'] === 'true', () => `${key} again is not called a replay`);
  },
});

type Otherwise = 'body' | 'query' | 'unit';

/** A key used for another request. */
export const reuse = flow<{ readonly key: string; readonly otherwise: Otherwise }>({
  name: 'reuse',
  weight: 2,
  beside: false,
  plan(world, random) {
    const keys = [...world.keyed.keys()].slice(-20);
    if (keys.length === 0) return undefined;
    return { key: random.pick(keys), otherwise: random.pick(['body', 'query', 'unit'] as const) };
  },
  async play({ key, otherwise }, world, client) {
    const known = world.keyed.get(key);
    if (known === undefined || world.now >= known.since + SURELY_KNOWN) return;
    const call = changed(operationNamed(known.op).call(known.args, world), otherwise);
    const reply = await client.definite({ ...call, headers: { 'idempotency-key': known.key } });
    demand(
      reply.status === 409,
      () => `${key} for another ${otherwise} was answered ${reply.status} ${reply.text}`,
    );
    const { message } = reply.body;
    demand(message === 'Idempotency-Key reused with a different request.', () => `Not ${message}`);
  },
});

/** Another request that differs in one thing. */
function changed(call: Call, otherwise: Otherwise): Call {
  const [path = '', query] = call.path.split('?');
  if (otherwise === 'query' && query === undefined) return { ...call, path: `${path}?dry_run=false` };
  const elsewhere = path.replace(/\/units\/[^/]+/, '/units/somewhere%20else');
  if (otherwise === 'unit' && elsewhere !== path) return { ...call, path: elsewhere };
  return { ...call, body: { pms_status_raw: 'another request' } };
}
