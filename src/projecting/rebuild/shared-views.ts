import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { pause } from '../../config/pause.js';
import { BackgroundWork } from '../../background-work.js';
import type { SharedGenerations } from '../../documents/mongodb/shared-generations.js';
import type { ViewsPointer } from '../../documents/mongodb/views-pointer.js';
import { ViewsGate } from '../../writing/views-gate.js';
import { RebuildOrders, type RebuildOrder } from './rebuild-orders.js';
import { REBUILD_PORTS, type RebuildPorts, ViewsRebuild } from './views-rebuild.js';

/** Milliseconds between two looks at the pointer, and between two while another generation is about to take over. */
const POLLED = 500;
const POLLED_CLOSING = 100;
/** Milliseconds between two reports to the command that asked for a rebuild. */
const REPORTED = 1_000;

/**
 * Has this process serve from whatever views all processes on the same servers serve from, and, where it keeps them,
 * rebuild them at a command's request (ADR 8).
 */
@Injectable()
export class SharedViews implements OnModuleDestroy {
  #cancel: () => void = () => undefined;
  #turn: Promise<void> = Promise.resolve();
  #working: Promise<void> | undefined;
  #stopped = false;
  /** The lease under which this process has last taken the work over. */
  #ledUnder: number | null | undefined = null;

  constructor(
    @Inject(REBUILD_PORTS) private readonly ports: RebuildPorts,
    private readonly background: BackgroundWork,
    private readonly gate: ViewsGate,
    private readonly rebuild: ViewsRebuild,
  ) {}

  start(): void {
    const { shared } = this.ports;
    if (shared !== undefined && !this.#stopped) this.#later(shared);
  }

  async onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#turn;
    await this.rebuild.stop();
    await this.#working;
  }

  #later(shared: SharedGenerations): void {
    this.#cancel = this.ports.clock.after(POLLED, () => {
      this.#turn = this.#look(shared).finally(() => {
        if (!this.#stopped) this.#later(shared);
      });
    });
  }

  /** Never rejects: what this process does not know of the pointer, it does not go by. */
  async #look(shared: SharedGenerations): Promise<void> {
    try {
      const pointer = await shared.inUse.poll();
      if (shared.inUse.replacing) return;
      if (this.background.leads) await this.#lead(shared, pointer);
      else if (isOther(shared, pointer)) await this.#stepAside(shared);
    } catch (error) {
      if (!this.#stopped)
        this.ports.logger.warn({ error }, 'Which views are in use could not be told; trying again.');
    }
  }

  async #lead(shared: SharedGenerations, pointer: ViewsPointer): Promise<void> {
    if (this.#ledUnder !== this.background.fence) return this.#takeOver(shared, pointer);
    if (isOther(shared, pointer)) return this.#stepAside(shared);
    await shared.removeFormer();
    this.#working ??= this.#takeOrder(shared)
      .catch((error: unknown) => {
        if (!this.#stopped)
          this.ports.logger.warn(
            { error },
            'Whether a rebuild is asked for could not be told; trying again.',
          );
      })
      .finally(() => (this.#working = undefined));
  }

  #stepAside(shared: SharedGenerations): Promise<void> {
    return this.background.pausedDuring(() => this.gate.exclusively(() => this.#follow(shared)));
  }

  /** Whoever led before this process, and may still think so, puts nothing in place any more. */
  async #takeOver({ inUse }: SharedGenerations, pointer: ViewsPointer): Promise<void> {
    const { fence } = this.background;
    if ((await inUse.pointers.change(pointer, { closing: false })) !== undefined) this.#ledUnder = fence;
  }

  /** Nothing here writes to views meanwhile. */
  async #follow(shared: SharedGenerations): Promise<void> {
    const { inUse } = shared;
    while (!this.#stopped) {
      const pointer = await inUse.poll().catch(() => undefined);
      if (pointer !== undefined && pointer.number !== inUse.number) return shared.take(pointer.number);
      if (pointer?.closing === false) break;
      if (pointer !== undefined) await shared.prepare(pointer.last).catch(() => undefined);
      await pause(this.ports.clock, POLLED_CLOSING);
    }
    await shared.forget();
  }

  async #takeOrder({ records }: SharedGenerations): Promise<void> {
    const orders = new RebuildOrders(records);
    const waiting = await orders.read();
    if (waiting?.state !== 'waiting') return;
    let order = await orders.change(waiting, { state: 'running' });
    if (order === undefined) return;
    let reporting = Promise.resolve();
    let reported = this.ports.clock.now();
    const report = (change: Partial<RebuildOrder>) => {
      reporting = reporting.then(async () => {
        order = order && (await orders.change(order, change).catch(() => order));
      });
      return reporting;
    };
    try {
      const events = await this.rebuild.run((done, share) => {
        if (this.ports.clock.now() - reported < REPORTED) return;
        reported = this.ports.clock.now();
        void report({ events: done, share });
      });
      await report({ state: 'done', events, share: 1 });
    } catch (error) {
      await report({ state: 'failed', message: (error as Error).message });
    }
  }
}

/** Whether another process replaces what this one serves from, or has done so. */
function isOther({ inUse }: SharedGenerations, { closing, number }: ViewsPointer): boolean {
  return closing || number !== inUse.number;
}
