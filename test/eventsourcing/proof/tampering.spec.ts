import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { UnreadableEventError } from '#eventsourcing/log/event-store.errors.js';
import type { AuditCheckpoint } from '#eventsourcing/proof/checkpoint.js';
import { Checkpoints } from '#eventsourcing/proof/checkpoints.js';
import { exportLog } from '#eventsourcing/proof/export-log.js';
import { linesOf } from '#eventsourcing/proof/lines.js';
import { addCheckpoints } from '#eventsourcing/proof/checkpoint-file.js';
import { SignedHeads } from '#eventsourcing/proof/signed-heads.js';
import { isSignedBy, SigningKey } from '#eventsourcing/proof/signing-key.js';
import { headOf } from '#eventsourcing/proof/stream-heads.js';
import { verifyAll, verifyExport } from '#eventsourcing/proof/verify.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { rechained, soundLog, storeOf, storeOfTexts, textOf } from './small-log.js';

const [A, B, C] = ['unit-c.A', 'unit-c.B', 'location-l'];
const LOG = soundLog(C, A, B, A, A, B);
const NOW = '2026-01-01T00:00:00.000Z';
const VERIFIER = join(__dirname, '..', '..', '..', 'docs', 'verify-export.mjs');

let folder: TemporaryFolder;
let key: SigningKey;
let file: string;
let line: string;
let exported: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  key = await SigningKey.open(undefined, folder.path);
  file = join(folder.path, 'checkpoints');
  const checkpoint = await checkpointsOf(storeOf(LOG), file).next();
  line = `${JSON.stringify(checkpoint)}\n`;
  exported = '';
  for await (const one of exportLog(storeOf(LOG), key, () => NOW)) exported += one;
});
afterAll(() => folder.remove());

function checkpointsOf(store: EventStore, path: string | undefined): Checkpoints {
  return new Checkpoints({ store, key, file: path, appends: true, now: () => NOW, warn: () => undefined });
}

/** Everything that is said against a log that is held to a file of checkpoints. */
async function saidOf(store: EventStore, path = file, name = key.name): Promise<string[]> {
  const signed = new SignedHeads(name);
  await addCheckpoints(signed, path);
  return saidBy(signed, store);
}

async function saidBy(signed: SignedHeads, store: EventStore): Promise<string[]> {
  try {
    const { fault } = await verifyAll(store, { signed });
    return [...(fault === null ? [] : [`${fault.problem} of ${fault.stream}`]), ...signed.differences()];
  } catch (error) {
    if (!(error instanceof UnreadableEventError)) throw error;
    return [error.message];
  }
}

async function written(name: string, text: string): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, text);
  return path;
}

/** Every text that differs from a text in one byte. */
function* oneByteOther(text: string): Generator<string> {
  for (let place = 0; place < text.length; place += 1) {
    const other = String.fromCharCode(text.charCodeAt(place) ^ 1);
    yield text.slice(0, place) + other + text.slice(place + 1);
  }
}

describe('a log held to a checkpoint', () => {
  it('that is what was signed, or has grown since, is let be', async () => {
    expect(await saidOf(storeOf(LOG))).toEqual([]);
    expect(await saidOf(storeOf(soundLog(C, A, B, A, A, B, A, 'unit-c.D')))).toEqual([]);
  });

  it('is named wherever one byte of an event is another', async () => {
    const texts = LOG.map(textOf);
    let cases = 0;
    for (const [place, text] of texts.entries()) {
      for (const other of oneByteOther(text)) {
        const signed = new SignedHeads(undefined);
        for (const event of LOG) signed.addHead(event.stream, headOf(event));
        const found = await saidBy(signed, storeOfTexts(texts.toSpliced(place, 1, other)));
        if (found.length === 0) throw new Error(`Nothing was said of ${other}`);
        cases += 1;
      }
    }
    expect(cases).toBeGreaterThan(2_500);
  });

  const said = (...events: readonly (RecordedEvent | undefined)[]) =>
    saidOf(storeOf(rechained(events.filter((event) => event !== undefined))));
  const renamed = (place: number) => ({ ...LOG[place]!, data: { unit_name: 'forged' } });
  const without = (...places: readonly number[]) => LOG.filter((_, place) => !places.includes(place));

  it.each<[string, () => RecordedEvent[], string[]]>([
    ['an event was rewritten', () => LOG.with(1, renamed(1)), [`Stream ${A} was rewritten`]],
    ['the newest event was rewritten', () => LOG.with(5, renamed(5)), [`Stream ${B} was rewritten`]],
    [
      'two were rewritten',
      () => LOG.with(0, renamed(0)).with(2, renamed(2)),
      [`Stream ${C} was rewritten`, `Stream ${B} was rewritten`],
    ],
    ['the last event of a stream was removed', () => without(4), [`Stream ${A} was shortened to revision 1`]],
    ['one in the middle was removed', () => without(3), [`Stream ${A} was shortened to revision 1`]],
    ['a stream was removed', () => without(2, 5), [`Stream ${B} was removed`]],
    [
      'all was removed',
      () => [],
      [`Stream ${C} was removed`, `Stream ${A} was removed`, `Stream ${B} was removed`],
    ],
    [
      'a stream was renamed',
      () => LOG.map((event) => (event.stream === B ? { ...event, stream: 'unit-c.E' } : event)),
      [`Stream ${B} was removed`],
    ],
    [
      'a stream was rewritten and has gone on',
      () => [...LOG.with(1, renamed(1)), { ...LOG[1]!, id: 'more', position: 9n }],
      [`Stream ${A} was rewritten`],
    ],
    [
      'two events changed places',
      () => LOG.with(1, { ...LOG[3]!, position: 2n }).with(3, { ...LOG[1]!, position: 4n }),
      [`Stream ${A} was rewritten`],
    ],
  ])('is named by stream where, the chain recomputed, %s', async (_, make, streams) => {
    const log = rechained(make());
    expect(await verifyAll(storeOf(log))).toMatchObject({ ok: true });
    const found = await said(...log);
    expect(found.map((one) => /^Stream \S+ was [a-z]+( to revision \d)?/.exec(one)?.[0])).toEqual(streams);
  });

  it('is told by the line of a checkpoint alone, which knows no streams', async () => {
    const path = await written('line', line);
    expect(await saidOf(storeOf(soundLog(C, A, B, A, A, B, A)), path)).toEqual([]);
    expect(await saidOf(storeOf(rechained(LOG.with(1, renamed(1)))), path)).toEqual([
      `The first 6 events are not those signed at ${NOW}.`,
    ]);
    expect(await saidOf(storeOf(rechained(without(5))), path)).toEqual([
      `The log is shorter than the 6 events signed at ${NOW}.`,
    ]);
  });

  it('is told by a line that follows one of a log without events', async () => {
    const none = await checkpointsOf(storeOf([]), undefined).next();
    const path = await written('lines', `${JSON.stringify(none)}\n${line}`);
    expect(await saidOf(storeOf(LOG), path)).toEqual([]);
    expect(await saidOf(storeOf(rechained(LOG.with(1, renamed(1)))), path)).toEqual([
      `The first 6 events are not those signed at ${NOW}.`,
    ]);
  });

  it('does not take a file that was changed itself, or signed with another key', async () => {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const checkpoint = JSON.parse(lines.pop()!) as AuditCheckpoint;
    const changed = async (heads: readonly string[], change: Partial<AuditCheckpoint>) =>
      saidOf(
        storeOf(LOG),
        await written('changed', `${[...heads, JSON.stringify({ ...checkpoint, ...change })].join('\n')}\n`),
      );
    expect(await changed(lines, {})).toEqual([]);
    expect(await changed(lines.slice(1), {})).toEqual([
      `The stream lines in the file differ from those signed at ${NOW}.`,
    ]);
    for (const change of [{ events: 5 }, { at: '2026-02-01T00:00:00.000Z' }, { root: 'f'.repeat(64) }]) {
      expect((await changed(lines, change))[0]).toMatch(/^The signature of the checkpoint of .* is wrong\.$/);
    }
    const other = await temporaryFolder();
    const { name } = await SigningKey.open(undefined, other.path);
    await other.remove();
    expect(await saidOf(storeOf(LOG), file, name)).toEqual([
      `the checkpoint of ${NOW} is signed with another key, ${key.name}.`,
    ]);
  });
});

describe('checkpoints one after another', () => {
  const headsIn = (text: string) => text.split('\n').filter((one) => one.startsWith('['));

  it('add the streams that have changed, also those that a process before has not seen', async () => {
    const path = join(folder.path, 'growing');
    const log = [...LOG];
    const checkpoints = checkpointsOf(storeOf(log), path);
    await checkpoints.next();
    expect(headsIn(await readFile(path, 'utf8'))).toHaveLength(3);
    log.push(...soundLog(C, A, B, A, A, B, A).slice(6));
    expect(await checkpoints.next()).toMatchObject({ events: 7, streams: 3 });
    expect(headsIn(await readFile(path, 'utf8'))).toHaveLength(4);
    log.push({ ...soundLog('unit-c.D')[0]!, position: 8n });
    expect(await checkpointsOf(storeOf(log), path).next()).toMatchObject({ events: 8, streams: 4 });
    expect(headsIn(await readFile(path, 'utf8'))).toHaveLength(5);
    expect(await saidOf(storeOf(log), path)).toEqual([]);
    // What was signed in between counts as well.
    expect(await saidOf(storeOf(rechained(log.slice(0, 6))), path)).toHaveLength(2);
  });

  it('are signed no more where the log is not what was signed, and name the stream', async () => {
    const path = await written('kept', await readFile(file, 'utf8'));
    const forged = rechained(LOG.with(1, { ...LOG[1]!, data: {} }));
    const signing = checkpointsOf(storeOf(forged), path);
    for (let time = 0; time < 2; time += 1) {
      await expect(signing.next()).rejects.toMatchObject({
        differences: [expect.stringContaining(`Stream ${A} was rewritten`)],
      });
    }
    expect(await readFile(path, 'utf8')).toBe(await readFile(file, 'utf8'));
  });

  it('are signed no more where the log does not go on from what this process has read', async () => {
    const log = [...LOG];
    const signing = checkpointsOf(storeOf(log), undefined);
    await signing.next();
    log.splice(
      0,
      log.length,
      ...rechained([...LOG.with(1, { ...LOG[1]!, data: {} }), { ...LOG[1]!, id: 'more', position: 9n }]),
    );
    await expect(signing.next()).rejects.toThrow(`stream ${A}, revision 3, event more`);
  });

  it('are not signed where an event was altered in place, and name it', async () => {
    for (const [place, { id, stream }] of LOG.entries()) {
      const altered = LOG.with(place, { ...LOG[place]!, data: { unit_name: 'altered' } });
      const signing = checkpointsOf(storeOf(altered), undefined);
      await expect(signing.next()).rejects.toMatchObject({
        differences: [expect.stringMatching(`stream ${stream}, .* event ${id} .* its content changed after`)],
      });
    }
  });
});

describe('an export alone', () => {
  /** The result of the service's own check, and of the verifier in the docs. */
  async function checked(text: string, ...parameters: string[]) {
    const path = await written('export', text);
    const { ok, differences } = await verifyExport(linesOf(path)).catch(() => ({
      ok: false,
      differences: [],
    }));
    const { status, stdout } = spawnSync(process.execPath, [VERIFIER, path, ...parameters], {
      encoding: 'utf8',
    });
    return { ok: ok && differences.length === 0, status, stdout };
  }

  it('fits where nobody has changed it', async () => {
    const said = `ok: 6 events in 3 streams, signed at ${NOW} with ${key.name}`;
    const unknown = '; not checked with a key that you know. Name it as the second argument';
    expect(await checked(exported)).toEqual({ ok: true, status: 0, stdout: `${said}${unknown}\n` });
    expect(await checked(exported, key.name)).toEqual({ ok: true, status: 0, stdout: `${said}\n` });
    expect(await checked(exported, 'another')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('with another key'),
    });
  });

  it('is what the verifier in the docs asks for, where it was given none', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [VERIFIER], { encoding: 'utf8' });
    const usage = 'Usage: node verify-export.mjs EXPORT [KEY]\n';
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: usage });
  });

  it.each([
    ['an event says something else', (text: string) => text.replace('name 3', 'forged')],
    ['an event is missing', (text: string) => text.split('\n').toSpliced(3, 1).join('\n')],
    ['its last event is missing', (text: string) => text.split('\n').toSpliced(5, 1).join('\n')],
    ['a line was added', (text: string) => `${text.split('\n')[0]}\n${text}`],
    ['the manifest is missing', (text: string) => text.split('\n').slice(0, -2).join('\n')],
    ['its manifest says more', (text: string) => text.replace('"manifest":{', '"manifest":{"by":"me",')],
    [
      'a stream of its manifest says more',
      (text: string) => text.replace(/"hash":(?!.*"hash":)/s, '"by":1,"hash":'),
    ],
    ['it was cut off', (text: string) => text.slice(0, -100)],
  ])('does not where %s', async (_, change) => {
    expect(await checked(change(exported))).toMatchObject({
      ok: false,
      status: 1,
      stdout: expect.stringMatching(/^FAULT: /),
    });
  });

  const forgedManifest = (events: number) =>
    JSON.stringify({ manifest: { format: 1, at: '2030-01-01', events, signature: 'AAAA', streams: {} } });
  it.each([
    ['a forged one stands before it', (lines: string[]) => [forgedManifest(1), ...lines], 'more than one'],
    ['it stands there twice', (lines: string[]) => [...lines, lines.at(-1)!], 'more than one'],
    ['an event follows it', (lines: string[]) => lines.toSpliced(5, 2, lines[6]!, lines[5]!), 'not end with'],
    ['it stands first', (lines: string[]) => [lines[6]!, ...lines.slice(0, 6)], 'not end with'],
  ])('does not where its manifest is not its one last line: %s', async (_, change, said) => {
    const text = `${change(exported.trimEnd().split('\n')).join('\n')}\n`;
    const { ok, differences } = await verifyExport(linesOf(await written('export', text)));
    expect({ ok, differences }).toEqual({ ok: true, differences: [expect.stringContaining(said)] });
    const { status, stdout } = await checked(text);
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(said) });
    expect(stdout.match(/^FAULT: /gm)).toHaveLength(1);
  });

  it.each(['# A title', 'null', '{}', '{"manifest":null}'])('names the line that is %s', async (other) => {
    const text = exported.split('\n').with(2, other).join('\n');
    expect((await checked(text)).stdout).toBe('FAULT: line 3 is none of an export\n');
    await expect(verifyExport(linesOf(await written('export', text)))).rejects.toThrow(/^Line 3 is neither/);
  });

  it('does not where a number that is too large stands for null', async () => {
    const [first] = LOG;
    let text = '';
    const log = rechained([{ ...first!, data: { unit_name: null } }]);
    for await (const one of exportLog(storeOf(log), key, () => NOW)) text += one;
    const forged = text.replace('"unit_name":null', '"unit_name":1e999');
    expect((await checked(forged)).stdout).toContain('its content changed after it was written');
    const { fault } = await verifyExport(linesOf(await written('export', forged)));
    expect(fault).toMatchObject({ revision: 0, problem: 'hash' });
  });

  it.each(['at', 'sha256', 'root', 'signature'])(
    'does not where the manifest says a longer %s',
    async (member) => {
      const lines = exported.trimEnd().split('\n');
      const { manifest } = JSON.parse(lines.pop()!) as { manifest: Record<string, string> };
      const forged = { manifest: { ...manifest, [member]: `${manifest[member]!}x` } };
      const { status } = await checked(`${[...lines, JSON.stringify(forged)].join('\n')}\n`);
      expect(status).toBe(1);
    },
  );

  it('tells a signature with more behind it from the one that was made', () => {
    expect(isSignedBy(key.name, 'text', key.sign('text'))).toBe(true);
    expect(isSignedBy(key.name, 'text', `${key.sign('text')}x`)).toBe(false);
  });
});
