import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '#eventsourcing/log/hash-chain.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import { ChainCheck } from '#eventsourcing/proof/chain-check.js';
import {
  exportLog,
  ExportLineError,
  type ExportManifest,
  readLine,
} from '#eventsourcing/proof/export-log.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { verifyAll, verifyStream } from '#eventsourcing/proof/verify.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createHash } from 'node:crypto';
import { storeOf } from './small-log.js';

/** A sound log of some streams, their events taking turns. */
function soundLog(streams: number, eventsEach: number): RecordedEvent[] {
  const log: RecordedEvent[] = [];
  const last = new Map<string, string>();
  for (let revision = 0; revision < eventsEach; revision += 1) {
    for (let number = 0; number < streams; number += 1) {
      const stream = `unit-${number}`;
      const linked = {
        command_id: `command-${log.length}`,
        request_id: 'request',
        actor: { kind: 'system' as const, id: 'test' },
        occurred_at: '2026-01-01T00:00:00.000Z',
        schema: 1,
        part: { n: 1, of: 1 },
        previous_hash: last.get(stream) ?? NO_PREVIOUS_HASH,
      };
      const type = 'UnitRenamed';
      const data = { unit_name: `${number} ${revision}` };
      const id = `event-${log.length}`;
      const hash = hashEvent({ id, stream, revision, type, data, metadata: linked });
      last.set(stream, hash);
      log.push({
        id,
        stream,
        revision,
        position: BigInt(log.length * 7),
        type,
        data,
        metadata: { ...linked, hash },
      });
    }
  }
  return log;
}

describe('verifying the chain', () => {
  it('finds nothing wrong with what was written', async () => {
    const store = storeOf(soundLog(3, 800));
    const progress: string[] = [];
    const tell = (events: number, share: number) => progress.push(`${events} ${share.toFixed(2)}`);
    expect(await verifyAll(store, { progress: tell })).toEqual({
      ok: true,
      streams: 3,
      events: 2_400,
      fault: null,
    });
    expect(progress).toEqual(['1000 0.42', '2000 0.83', '2400 1.00']);
    expect(await verifyStream(storeOf(soundLog(1, 2_400)), 'unit-0')).toMatchObject({
      ok: true,
      events: 2_400,
    });
    expect(await verifyStream(store, 'unit-9')).toEqual({ ok: true, streams: 0, events: 0, fault: null });
  });

  it('reads the log once from one end to the other, and no stream by itself', async () => {
    const store = storeOf(soundLog(500, 5));
    const asked: string[] = [];
    const counted = {
      readAll: (options) => {
        asked.push(`all after ${options.after ?? 'none'}`);
        return store.readAll(options);
      },
      readStream: (stream, options) => {
        asked.push(stream);
        return store.readStream(stream, options);
      },
    } as EventStore;
    expect(await verifyAll(counted)).toMatchObject({ ok: true, streams: 500, events: 2_500 });
    const pages = ['none', 999 * 7, 1_999 * 7, 2_499 * 7].map((after) => `all after ${after}`);
    expect(asked).toEqual(pages);
  });

  it('names the first event whose data were changed', async () => {
    const log = soundLog(2, 10);
    const place = 9;
    log[place] = { ...log[place]!, data: { unit_name: 'forged' } };
    const fault = {
      stream: 'unit-1',
      revision: 4,
      event_id: 'event-9',
      type: 'UnitRenamed',
      problem: 'hash',
    };
    expect(await verifyAll(storeOf(log))).toMatchObject({ ok: false, events: 9, fault });
    expect(await verifyStream(storeOf(log), 'unit-1')).toMatchObject({ ok: false, events: 4, fault });
    expect(await verifyStream(storeOf(log), 'unit-0')).toMatchObject({ ok: true });
  });

  it.each([
    ['the events of another', { 'unit-0': 'unit-1' }, 10, 'revision 0 of unit-1', 0],
    ['fewer events', {}, 9, 'nothing', 9],
    ['none', { 'unit-0': 'nowhere' }, 10, 'nothing', 9],
  ])('names the stream that is read with %s than the log holds', async (_, led, each, found, revision) => {
    const [whole, read] = [storeOf(soundLog(2, 10)), storeOf(soundLog(2, each))];
    const ledTo = (stream: string) => (led as Record<string, string>)[stream] ?? stream;
    const misled = {
      readAll: (options) => whole.readAll(options),
      readStream: (stream, options) => read.readStream(ledTo(stream), options),
    } as EventStore;
    const fault = { stream: 'unit-0', revision, problem: 'stream', found };
    expect(await verifyAll(misled, { readsEachStream: true })).toMatchObject({ ok: false, fault });
  });

  it('names an event that a stream holds beyond the log, unless the log has it by then', async () => {
    const all = soundLog(2, 10);
    const written = storeOf(all);
    const [whole, rest] = [storeOf(all.slice(0, -2)), storeOf(all.slice(-2))];
    const readStream: EventStore['readStream'] = (...call) => written.readStream(...call);
    const phantom = { readStream, readAll: (options) => whole.readAll(options) } as EventStore;
    const fault = { stream: 'unit-0', revision: 9, event_id: 'event-18', problem: 'log' };
    expect(await verifyAll(phantom, { readsEachStream: true })).toMatchObject({ ok: false, fault });
    let passes = 0;
    const underWay = {
      readStream,
      // The first pass has ended when the append is committed.
      readAll: async (options) => {
        const events = await whole.readAll(options);
        if (events.length === 0) passes += 1;
        return events.length === 0 && passes > 1 ? rest.readAll(options) : events;
      },
    } as EventStore;
    expect(await verifyAll(underWay, { readsEachStream: true })).toMatchObject({ ok: true });
  });

  it('names the event of another that is read where a stream was asked for', async () => {
    const log = storeOf(soundLog(2, 10));
    const misled = { readStream: () => log.readStream('unit-1') } as unknown as EventStore;
    const fault = { stream: 'unit-0', revision: 0, problem: 'stream', found: 'revision 0 of unit-1' };
    expect(await verifyStream(misled, 'unit-0')).toMatchObject({ ok: false, fault });
  });

  it('names an event whose actor was changed', async () => {
    const log = soundLog(1, 3);
    log[1] = { ...log[1]!, metadata: { ...log[1]!.metadata, actor: { kind: 'operator', id: 'somebody' } } };
    expect((await verifyAll(storeOf(log))).fault).toMatchObject({ revision: 1, problem: 'hash' });
  });

  it('names the event after one that was forged with a hash of its own', async () => {
    const log = soundLog(1, 3);
    const { id, stream, revision, type, metadata } = log[1]!;
    const linked = metadata as unknown as EventMetadata;
    const { command_id, request_id, actor, occurred_at, schema, part, previous_hash } = linked;
    const unhashed = { command_id, request_id, actor, occurred_at, schema, part, previous_hash };
    const data = { unit_name: 'forged' };
    const hash = hashEvent({ id, stream, revision, type, data, metadata: unhashed });
    log[1] = { ...log[1]!, data, metadata: { ...metadata, hash } };
    expect((await verifyAll(storeOf(log))).fault).toMatchObject({ revision: 2, problem: 'previous_hash' });
  });

  it('names the event before which one is missing', async () => {
    const log = soundLog(1, 3).filter(({ revision }) => revision !== 1);
    expect((await verifyAll(storeOf(log))).fault).toMatchObject({
      revision: 2,
      problem: 'revision',
      expected: 1,
    });
  });

  it('names an event that carries no hash at all', async () => {
    const log = soundLog(1, 2).map((event) => ({ ...event, metadata: {} }));
    expect((await verifyAll(storeOf(log))).fault).toMatchObject({
      revision: 0,
      problem: 'previous_hash',
      found: null,
    });
  });
});

describe('verifying more streams than are remembered', () => {
  it('reads the heads again that were forgotten, and finds the same', async () => {
    const log = soundLog(20, 10);
    const verify = async (events: readonly RecordedEvent[]) => {
      const check = new ChainCheck(storeOf(events), 4);
      for (const event of events) {
        const fault = await check.fault(event);
        if (fault !== null) return fault;
      }
      return check;
    };
    expect(await verify(log)).toMatchObject({ streams: 20, events: 200 });
    const forged = log.with(25, { ...log[25]!, data: { unit_name: 'forged' } });
    expect(await verify(forged)).toMatchObject({ stream: 'unit-5', revision: 1, problem: 'hash' });
    const missing = log.toSpliced(65, 1);
    expect(await verify(missing)).toMatchObject({
      stream: 'unit-5',
      revision: 4,
      problem: 'revision',
      expected: 3,
    });
  });
});

describe('exporting the log', () => {
  it('gives each event a line and ends with a manifest of the heads', async () => {
    const log = soundLog(2, 600);
    const lines: string[] = [];
    const folder = await temporaryFolder();
    const key = await SigningKey.open(undefined, folder.path);
    await folder.remove();
    for await (const line of exportLog(storeOf(log), key, () => '2026-01-01T00:00:00.000Z')) lines.push(line);
    expect(lines).toHaveLength(1_201);
    expect(lines.every((line) => line.endsWith('\n'))).toBe(true);
    expect(JSON.parse(lines[5]!)).toEqual({ ...log[5]!, position: String(log[5]!.position) });
    const { manifest } = JSON.parse(lines.at(-1)!) as { manifest: ExportManifest };
    expect(manifest).toEqual({
      format: 1,
      at: '2026-01-01T00:00:00.000Z',
      root: expect.stringMatching(/^[0-9a-f]{64}$/),
      key: key.name,
      signature: expect.any(String),
      events: 1_200,
      sha256: createHash('sha256').update(lines.slice(0, -1).join('')).digest('hex'),
      streams: {
        'unit-0': { revision: 599, hash: log.at(-2)!.metadata['hash'] },
        'unit-1': { revision: 599, hash: log.at(-1)!.metadata['hash'] },
      },
    });
    const [line] = lines.at(-1)!.split('\n') as [string];
    expect(readLine(line, 1)).toEqual({ manifest });
    for (const [signed, other] of [
      ['{"manifest":{', '{"note":"Checked.","manifest":{'],
      ['{"manifest":{', '{"manifest":{"attested_by":"somebody",'],
      ['{"manifest":{', '{"manifest":{"at":"2020-01-01T00:00:00.000Z","events":5,'],
      ['"revision":599,', '"revision":599,"note":"Checked.",'],
      ['}}}}', '}}}} '],
    ] as const) {
      const changed = line.replace(signed, other);
      expect(changed).not.toBe(line);
      expect(() => readLine(changed, 1)).toThrow(ExportLineError);
    }
  });
});
