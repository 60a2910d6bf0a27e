import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Environment } from '#kernel/environment/environment.js';
import { CLOCK, ENVIRONMENT, EVENT_STORE } from '#kernel/injection-tokens.js';
import { errorOf } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { Slots } from '#kernel/slots.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { describeDamage } from '#eventsourcing/log/describe-damage.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { describeFault } from '#eventsourcing/proof/chain-fault.js';
import { exportLog } from '#eventsourcing/proof/export-log.js';
import { chunksOf } from '#eventsourcing/proof/lines.js';
import { type CheckpointPage, newestCheckpoints } from '#eventsourcing/proof/newest-checkpoints.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { headOf, type StreamHead } from '#eventsourcing/proof/stream-heads.js';
import { type Verification, verifyStream } from '#eventsourcing/proof/verify.js';
import { UnitDirectory } from '#domain/units/index.js';
import { Operators } from '#domain/operators/index.js';
import { ExportSlot } from './export-slot.js';
import { assertSeesWholeLog } from './whole-log.js';

/** The result of the check of one unit's stream. */
export interface UnitProof extends Pick<Verification, 'events'> {
  readonly stream: string;
  /** A line about the first event whose hash is wrong. Null if there is none. */
  readonly fault: string | null;
  readonly head: StreamHead | null;
}

/** The wait is shorter than the time limit of a request. */
const EXPORTS = { atOnce: 1, waiting: 4, waitSeconds: 8 } as const;

/** Proofs from the log for auditors (decisions §7): a unit's chain, the signed checkpoints, the export. */
@Injectable()
export class LogAudit {
  readonly #exports: Slots;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly units: UnitDirectory,
    private readonly operators: Operators,
    private readonly damaged: DamagedStreams,
  ) {
    this.#exports = new Slots(EXPORTS, clock);
  }

  /** Recomputes the chain of one unit. @throws ApiError 404 @throws StoreUnavailableError @throws UnreadableEventError */
  async proveUnit(unit_id: string): Promise<UnitProof> {
    const unit = await this.units.byUnitId(unit_id);
    if (unit === undefined) throw errorOf('unit_not_found');
    const { _id: stream } = unit;
    const { events, fault } = await verifyStream(this.store, stream);
    const damage = this.damaged.findDamage(stream);
    const told = fault === null ? damage && describeDamage(damage) : describeFault(fault);
    const [end] = await this.store.readStream(stream, { backwards: true, limit: 1 });
    return { stream, events, fault: told ?? null, head: end ? headOf(end) : null };
  }

  /**
   * The checkpoints in `AUDIT_CHECKPOINT_FILE`, newest first, a page at a time. Undefined if the variable is not set.
   * @param before the `next` of the page before
   */
  async checkpoints(limit: number, before?: number): Promise<CheckpointPage | undefined> {
    const { audit_checkpoint_file: file } = this.environment;
    return file === undefined ? undefined : newestCheckpoints(file, { limit, before });
  }

  /**
   * The whole log as `audit export` prints it, in chunks. The reader's rights are checked before each chunk. An export ends
   * if its reader takes less than 256 kB a second.
   * @throws ApiError 403, 429 if other exports run for 8 s more @throws StoreUnavailableError
   */
  async export(principal: OperatorPrincipal): Promise<AsyncGenerator<string>> {
    assertSeesWholeLog(principal);
    await this.store.ping();
    const { audit_signing_key, data_dir } = this.environment;
    const key = await SigningKey.open(audit_signing_key, data_dir);
    const slot = new ExportSlot(await this.#exports.take(), this.clock);
    return this.#exported(key, principal, slot);
  }

  async *#exported(key: SigningKey, principal: OperatorPrincipal, slot: ExportSlot): AsyncGenerator<string> {
    try {
      slot.resume(0);
      for await (const chunk of chunksOf(exportLog(this.store, key, () => toTimestamp(this.clock.now())))) {
        await this.operators.assertRights(principal);
        slot.waitForReader();
        yield chunk;
        slot.resume(chunk.length);
      }
    } finally {
      slot.leave();
    }
  }
}
