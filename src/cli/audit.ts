import type { Environment } from '#kernel/environment/environment.js';
import { UnreadableEventError } from '#eventsourcing/log/event-store.errors.js';
import { type Clock, systemClock } from '#kernel/clock.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { unfinishedText, addCheckpoints } from '#eventsourcing/proof/checkpoint-file.js';
import { Checkpoints, LogDiffersError } from '#eventsourcing/proof/checkpoints.js';
import {
  ExportLineError,
  exportLog,
  type ExportManifest,
  isSignedManifest,
  readLine,
} from '#eventsourcing/proof/export-log.js';
import { chunksOf, linesOf } from '#eventsourcing/proof/lines.js';
import { checkRoot, SignedHeads } from '#eventsourcing/proof/signed-heads.js';
import { publicKeyName, SigningKey } from '#eventsourcing/proof/signing-key.js';
import { verifyAll, verifyExport, verifyStream, type Verification } from '#eventsourcing/proof/verify.js';
import { credentialFaults } from '#domain/operators/index.js';
import type { ViewsFound } from '#eventsourcing/projecting/views-comparison.js';
import type { StreamDamage } from '#eventsourcing/log/damaged-streams.js';
import { describeDamage } from '#eventsourcing/log/describe-damage.js';
import { describeFault } from '#eventsourcing/proof/chain-fault.js';
import { streamOf, type UnitName, unitNotFound } from './audit-unit.js';
import { CommandError, type Output, jsonLine, print, progressOn, UsageError } from './output.js';
import { closeStores, assertData, openLog, openRecords, openViews } from './stores.js';
import { faultsOfViews } from './view-faults.js';

/** Files with signatures to compare with: checkpoints, or an export with its manifest. */
export interface SignedFiles {
  readonly checkpoint?: string | undefined;
  readonly manifest?: string | undefined;
  /** The public key that must have made the signatures. Absent: the service's own. */
  readonly key?: string | undefined;
}

export interface VerifyOptions extends SignedFiles {
  /** Leaves out the comparison of the views. */
  readonly isLogOnly: boolean;
}

/**
 * Recomputes the hash chain of the whole log and compares its signatures, if there are any. If the chain is whole, compares
 * API tokens, operators and the views with the log. It works beside a running service.
 * @returns 0 and a line with `ok`, or 1 and a line for each fault
 */
export async function auditVerify(
  { isLogOnly, ...files }: VerifyOptions,
  environment: Environment,
  output: Output,
  clock: Clock = systemClock,
): Promise<number> {
  const signed = await signedHeads(files, environment, output);
  const log = await openLog(environment);
  const records = await openRecords(environment);
  const views = isLogOnly ? undefined : await openViews(environment);
  try {
    const streams = environment.eventstore_url === undefined;
    const progress = progressOn(output, 'verified');
    const verify = async (): Promise<Checked> => {
      const found = await verifyAll(log, { progress, signed, readsEachStream: streams });
      const damaged = log.damaged.listDamages();
      for (const stray of log.damaged.listStray()) output.stderr.write(`${describeDamage(stray)}\n`);
      if (!found.ok) return { ...found, damaged };
      const planted = await credentialFaults({ records, log }, clock);
      const checked = { ...found, damaged, planted };
      if (isLogOnly) return { ...checked, views: { kind: 'not_compared', reason: '--log-only' } };
      // Loaded on demand: it loads the whole service.
      const { compareStoredViews } = await import('./audit-views.js');
      const stored = { environment, eventStore: log, records, views, clock };
      return { ...checked, views: await compareStoredViews(stored, output) };
    };
    return await report(output, verify, { signed, isWithRecords: true });
  } finally {
    await closeStores({ eventStore: log, records, ...(views && { views }) });
  }
}

/** Recomputes the hash chain of one unit. */
export async function auditVerifyUnit(
  name: UnitName,
  environment: Environment,
  output: Output,
): Promise<number> {
  const stream = await streamOf(name, environment);
  const store = await openLog(environment);
  try {
    return await report(output, async () => {
      const found = await verifyStream(store, stream);
      const damaged = store.damaged.listDamages();
      if (found.streams === 0 && found.ok && damaged.length === 0) throw unitNotFound();
      return { ...found, damaged };
    });
  } finally {
    await store.close();
  }
}

/** Recomputes the hash chain of an export, without the stores. */
export async function auditVerifyExport(
  path: string,
  files: SignedFiles,
  environment: Environment,
  output: Output,
): Promise<number> {
  const signed =
    (await signedHeads(files, environment, output)) ?? (await newSignedHeads(files, environment));
  return report(
    output,
    async () => {
      const { manifest, differences, ...found } = await verifyExport(linesOf(path), signed);
      for (const difference of differences) signed.report(difference);
      if (manifest !== undefined) {
        assertSignedManifest(signed, manifest);
        await checkRoot(signed, new Map(Object.entries(manifest.streams)), manifest.root);
      }
      return found;
    },
    { signed, hint: files.key === undefined ? keyHint(signed) : '' },
  );
}

/** Anybody can sign an invented export. So the output says whose key was checked. */
function keyHint({ acceptsOneKey }: SignedHeads): string {
  return acceptsOneKey
    ? "; checked with this service's own key only. Name the key that you know with --key"
    : '; not checked with a key that you know. Name it with --key';
}

interface Checked extends Verification {
  readonly damaged?: readonly StreamDamage[];
  /** A line for each API token or operator that differs from the log. */
  readonly planted?: readonly string[];
  readonly views?: ViewsFound;
}

interface Compared {
  readonly signed?: SignedHeads | undefined;
  /** True if API tokens and operators were compared. */
  readonly isWithRecords?: boolean;
  /** The end of the line with `ok`. */
  readonly hint?: string;
}

function faultsOf(
  { fault, damaged = [], planted = [], views }: Checked,
  signed: SignedHeads | undefined,
): string[] {
  const first = fault === null ? [] : [describeFault(fault)];
  const histories = damaged.map(describeDamage);
  return [...first, ...histories, ...(signed?.differences() ?? []), ...planted, ...faultsOfViews(views)];
}

async function report(
  output: Output,
  verify: () => Promise<Checked>,
  { signed, isWithRecords = false, hint = '' }: Compared = {},
): Promise<number> {
  const faults: string[] = [];
  try {
    const found = await verify();
    const { streams, events } = found;
    if (signed !== undefined) tellSigners(signed, output);
    faults.push(...faultsOf(found, signed));
    if (faults.length === 0) {
      const compared = comparedText(found, signed, isWithRecords);
      await print(output, [`ok: ${events} events in ${streams} streams; ${compared}${hint}\n`]);
      return 0;
    }
  } catch (error) {
    if (error instanceof ExportLineError || error instanceof UnreadableEventError) faults.push(error.message);
    else throw error;
  }
  await print(
    output,
    faults.map((fault) => `FAULT: ${fault}\n`),
  );
  return 1;
}

/** Says what was compared and what was not, so that nobody takes an `ok` for more than it is. */
function comparedText({ views }: Checked, signed: SignedHeads | undefined, isWithRecords: boolean): string {
  const signatures = reachOf(signed);
  const done = [
    'chains',
    ...(isWithRecords ? ['records'] : []),
    ...(views?.kind === 'compared' ? [`views (${views.documents} documents)`] : []),
    ...(signatures === '' ? [] : [`signatures (${signatures})`]),
  ];
  const left = [...notComparedIn(views), ...(signatures === '' ? ['signatures (none was given)'] : [])];
  return [
    `compared: ${done.join(', ')}`,
    ...(left.length === 0 ? [] : [`not compared: ${left.join(', ')}`]),
  ].join('; ');
}

function notComparedIn(views: ViewsFound | undefined): string[] {
  if (views === undefined) return [];
  if (views.kind === 'not_compared') return [`views (${views.reason})`];
  const moving = `${views.moving} documents of the views that newer events are changing`;
  // They come from the history and the clock of their last count, and decide nothing.
  return [...(views.moving === 0 ? [] : [moving]), 'lockout counts', 'planned announcements'];
}

/** Says how far the signatures reach. The removal of later events is not detected. */
function reachOf(signed: SignedHeads | undefined): string {
  if (signed?.reach === undefined) return '';
  const { events, at } = signed.reach;
  return `up to ${events} events, at ${at}`;
}

/** Prints the keys of the signatures. Without the service's own key, a person must compare them. */
function tellSigners({ signers, acceptsOneKey }: SignedHeads, { stderr }: Output): void {
  const hint = acceptsOneKey
    ? ''
    : '. No key is here to compare it with: compare it with the one that you know';
  for (const [key, what] of signers)
    stderr.write(`${what[0]!.toUpperCase()}${what.slice(1)} is signed with ${key}${hint}.\n`);
}

/** Undefined if no file with signatures is given. */
async function signedHeads(
  files: SignedFiles,
  environment: Environment,
  { stderr }: Output,
): Promise<SignedHeads | undefined> {
  const { checkpoint, manifest } = files;
  if (checkpoint === undefined && manifest === undefined) return undefined;
  const signed = await newSignedHeads(files, environment);
  if (checkpoint !== undefined) {
    const { unfinished } = await addCheckpoints(signed, checkpoint);
    if (unfinished > 0) stderr.write(`${unfinishedText(unfinished)}\n`);
  }
  if (manifest !== undefined) await expectManifest(signed, manifest);
  return signed;
}

/** Requires signatures by the given key, or by the service's own if there is one. */
async function newSignedHeads(
  { key }: SignedFiles,
  { audit_signing_key, data_dir }: Environment,
): Promise<SignedHeads> {
  if (key !== undefined) {
    const name = publicKeyName(key);
    if (name !== undefined) return new SignedHeads(name);
    throw new UsageError('--key must be an Ed25519 public key as base64 of its SPKI form.');
  }
  return new SignedHeads((await SigningKey.known(audit_signing_key, data_dir))?.name);
}

async function expectManifest(signed: SignedHeads, path: string): Promise<void> {
  let last = '';
  let number = 0;
  for await (const line of linesOf(path)) {
    last = line;
    number += 1;
  }
  const line = readLine(last, number);
  if (!('manifest' in line)) throw new CommandError(`${path} does not end with a manifest.`);
  const { manifest } = line;
  assertSignedManifest(signed, manifest);
  const heads = Object.entries(manifest.streams);
  for (const [stream, head] of heads) signed.addHead(stream, head);
  await checkRoot(signed, new Map(heads), manifest.root);
}

function assertSignedManifest(signed: SignedHeads, manifest: ExportManifest): void {
  signed.addSignature(`the manifest of ${manifest.at}`, manifest, isSignedManifest(manifest));
}

/**
 * Recomputes the log, signs the last event of every stream, and prints the checkpoint. It never writes to
 * `AUDIT_CHECKPOINT_FILE`: only the leader of the service does.
 * @returns 0, or 1 and a line for each fault and each difference from that file
 */
export async function auditCheckpoint(environment: Environment, output: Output): Promise<number> {
  const { audit_signing_key, audit_checkpoint_file: file, data_dir } = environment;
  const store = await openLog(environment);
  try {
    const key = await SigningKey.open(audit_signing_key, data_dir);
    const warn = (line: string) => output.stderr.write(`${line}\n`);
    const checkpoint = await new Checkpoints({ store, key, file, now, warn }).next();
    await print(output, [jsonLine(checkpoint)]);
    return 0;
  } catch (error) {
    if (!(error instanceof LogDiffersError)) throw error;
    await print(
      output,
      error.differences.map((difference) => `FAULT: ${difference}\n`),
    );
    return 1;
  } finally {
    await store.close();
  }
}

/** Prints the public key of the signatures. Makes the key if there is none, so that it is known before the first signature. */
export async function auditKey(environment: Environment, output: Output): Promise<number> {
  const { audit_signing_key, data_dir } = environment;
  if (audit_signing_key === undefined) assertData(environment);
  const key = await SigningKey.open(audit_signing_key, data_dir);
  await print(output, [`${key.name}\n`]);
  return 0;
}

/** Prints the whole log as NDJSON, the signed manifest last. */
export async function auditExport(environment: Environment, output: Output): Promise<number> {
  const { audit_signing_key, data_dir } = environment;
  const store = await openLog(environment);
  try {
    const key = await SigningKey.open(audit_signing_key, data_dir);
    await print(output, chunksOf(exportLog(store, key, now, progressOn(output, 'exported'))));
    for (const damage of store.damaged.listDamages()) output.stderr.write(`${describeDamage(damage)}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function now(): string {
  return toTimestamp(systemClock.now());
}
