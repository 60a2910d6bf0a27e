import 'reflect-metadata';
import { IN_CAMPAIGN } from '../../support/campaign.js';
import { NO_FAULTS } from './faults.js';
import { playSteps } from './run.js';
import type { PlannedCall, Step } from './step.js';

/** Seeds of a single server, of embedded stores and of several processes. */
const SEEDS = ['1', '2', '3'];
/** After so many turns of the world every process ends. One of these is between the two appends. */
const TURNS = IN_CAMPAIGN ? Array.from({ length: 40 }, (_, turn) => turn) : [12, 15, 18];

const step = (id: number, over: Partial<Step>): Step => {
  const quiet = { faults: NO_FAULTS, crash: null, calls: [], inTurn: false, flow: null };
  return { id, wait: 10, ...quiet, ...over };
};
const call = (op: string, args: object): PlannedCall => ({ op, args, key: null, twin: false });
const register = (crm_unit_id: string) =>
  call('register_standalone', { company: 0, place: 'P0', crm_unit_id });
const arrival = { pms_tenant_id: 't-1', move_in_date: '2025-01-01' };

const FACILITY: readonly Step[] = [
  step(1, { calls: [register('S-1'), register('S-2'), register('S-3')] }),
  step(2, { calls: [call('write_standalone', { unit: '0/S-1', arrival })] }),
  step(3, { calls: [call('write_standalone', { unit: '0/S-1', facts: { balance_due: 25 } })] }),
];

const MANY = Array.from({ length: 100 }, (_, place) => 4 + place);

describe('a transfer while every process ends', () => {
  it.each(SEEDS)('moves the tenant once, wherever it was interrupted (seed %s)', async (seed) => {
    const faults: string[] = [];
    for (const turn of TURNS) {
      // Without a key, the repeat is a new command.
      const key = turn % 2 === 1 ? `k-${turn}` : null;
      const flow = { name: 'transfer', args: { from: '0/S-1', to: '0/S-2', key } };
      const crash = { turn, views: 'kept', all: true } as const;
      const fault = await playSteps(seed, [...FACILITY, step(4, { crash, flow })]);
      if (fault !== undefined) faults.push(`after ${turn} turns: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});

it('two transfers of a tenant at once, by several processes, do not leave him with both units', async () => {
  const faults: string[] = [];
  // The number of a step decides its order of events.
  for (const id of IN_CAMPAIGN ? MANY : [9, 14]) {
    const flow = { name: 'rival_transfers', args: { from: '0/S-1', to: ['0/S-2', '0/S-3'] } };
    const fault = await playSteps('3', [
      ...FACILITY,
      step(id, { flow, faults: { ...NO_FAULTS, delay: 0.6 } }),
    ]);
    if (fault !== undefined) faults.push(`step ${id}: ${fault}`);
  }
  expect(faults).toEqual([]);
});
