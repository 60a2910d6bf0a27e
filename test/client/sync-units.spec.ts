import type { BulkEntry } from 'storage-access-client';
import { shiftIndex } from '../../packages/client/src/core/bulk-result.js';
import { refusal, ScriptedService, type SentRequest, success } from './support/scripted-service.js';

const entries = (count: number): BulkEntry[] =>
  Array.from({ length: count }, (_, place) => ({ crm_unit_id: `U-${place}`, occupied: false }));

const sizeOf = ({ body }: SentRequest) => (body as { units: unknown[] }).units.length;

/** As the service answers a bulk of which some entries, by their place in the request, are at fault. */
const result =
  (synced_at: string, faulty: readonly number[] = []) =>
  (request: SentRequest) => {
    const total = sizeOf(request);
    return success({
      synced_at,
      total,
      created: 1,
      updated: 2,
      unchanged: total - 3 - faulty.length,
      errors: faulty.map((place) => ({
        crm_unit_id: `at ${place}`,
        code: 'validation_failed',
        error: `units.${place}.move_in_date: The units.1. is no place here.`,
        errors: { [`units.${place}.move_in_date`]: ['It is missing.'] },
        details: [{ field: `units.${place}.move_in_date`, code: 'required', message: 'It is missing.' }],
      })),
    });
  };

describe('the place of an entry', () => {
  it('is that in the whole, where a text begins with one', () => {
    const told = ['units.12.unit_name', 'units.12', 'units.3: Bad.'].map((text) => shiftIndex(text, 500));
    expect(told).toEqual(['units.512.unit_name', 'units.512', 'units.503: Bad.']);
    for (const other of ['The units.3. is bad.', 'units.3x', 'units.'])
      expect(shiftIndex(other, 500)).toBe(other);
  });
});

describe('a bulk of any size', () => {
  it('goes in requests of 500, each under a key of its own, and has one result', async () => {
    const service = new ScriptedService(result('first', [3]), result('second'), result('third', [0, 9]));
    const { errors, ...counts } = await service.client().syncUnits(entries(1_203));
    expect(service.requests.map(sizeOf)).toEqual([500, 500, 203]);
    expect(service.requests.map(({ key }) => key)).toEqual(['key-1 1', 'key-1 2', 'key-1 3']);
    expect(counts).toEqual({ synced_at: 'third', total: 1_203, created: 3, updated: 6, unchanged: 1_191 });
    const places = errors.map(({ crm_unit_id, errors: fields, details }) => [
      crm_unit_id,
      ...Object.keys(fields!),
      ...details!.map(({ field }) => field),
    ]);
    expect(places).toEqual([
      ['at 3', 'units.3.move_in_date', 'units.3.move_in_date'],
      ['at 0', 'units.1000.move_in_date', 'units.1000.move_in_date'],
      ['at 9', 'units.1009.move_in_date', 'units.1009.move_in_date'],
    ]);
    // The place at its beginning, and nothing that only looks like one.
    expect(errors[2]!.error).toBe('units.1009.move_in_date: The units.1. is no place here.');
  });

  it('gathers warnings, and passes on that it is a dry run', async () => {
    const warned = (code: string) => (request: SentRequest) => {
      const warnings = [{ crm_unit_id: 'U', code, message: code }];
      const counts = { total: sizeOf(request), created: 0, updated: 0, unchanged: 0 };
      return success({ synced_at: 'now', ...counts, errors: [], warnings, dry_run: true });
    };
    const service = new ScriptedService(warned('one'), warned('two'));
    const synced = await service.client().syncUnits(entries(501), { dry_run: true });
    expect(service.requests.map(({ line }) => line)).toEqual(
      Array(2).fill('PATCH /api/v2/units?dry_run=true'),
    );
    expect([synced.dry_run, synced.warnings!.map(({ code }) => code)]).toEqual([true, ['one', 'two']]);
  });

  it('takes entries as they come, no further than they are sent, under a key that was given', async () => {
    let read = 0;
    async function* source() {
      for (const entry of entries(700)) {
        read++;
        yield await Promise.resolve(entry);
      }
    }
    const readBefore: number[] = [];
    const seen = (request: SentRequest) => {
      readBefore.push(read);
      return result('now')(request);
    };
    const service = new ScriptedService(seen, seen);
    await service.client().syncUnits(source(), { idempotency_key: 'night 7' });
    expect(readBefore).toEqual([500, 700]);
    expect(service.requests.map(({ key }) => key)).toEqual(['night 7 1', 'night 7 2']);
  });

  it('tells of a refused part by places in the whole, with what was done before', async () => {
    const errors = { 'units.7.crm_unit_id': ['The crm unit id field has a duplicate value.'], units: ['…'] };
    const details = [{ field: 'units.7.crm_unit_id', code: 'duplicate', message: '…' }];
    const refused = refusal(422, 'validation_failed', { errors, details });
    const service = new ScriptedService(result('first'), refused);
    const failing = service.client().syncUnits(entries(1_100));
    await expect(failing).rejects.toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: { 'units.507.crm_unit_id': errors['units.7.crm_unit_id'], units: ['…'] },
      details: [{ ...details[0], field: 'units.507.crm_unit_id' }],
      synced: { total: 500, created: 1 },
    });
    expect(service.requests).toHaveLength(2);
  });

  it('tells that nothing was done where the first part is refused', async () => {
    const service = new ScriptedService(refusal(403, 'forbidden'));
    await expect(service.client().syncUnits(entries(2))).rejects.toMatchObject({ synced: null });
  });

  it('of nothing asks nothing', async () => {
    const service = new ScriptedService();
    expect(await service.client().syncUnits([])).toEqual({
      synced_at: '2026-01-01T12:00:00.000Z',
      total: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      errors: [],
    });
  });
});
