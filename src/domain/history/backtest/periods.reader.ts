import type { Yielder } from '#kernel/yielder.js';
import { inBatches } from '#kernel/in-batches.js';
import { evolve, type UnitDocument, type UnitState } from '#domain/units/index.js';
import type { UnitPeriods, Span } from '../core/periods.js';
import type { UnitRecordReader } from '../unit-record.reader.js';
import type { NeededStream } from './event-budget.js';

/** The states of units within a span, for one answer. Each stream is read once. */
export class PeriodsReader {
  readonly #periods = new Map<string, UnitPeriods>();

  constructor(
    private readonly reader: UnitRecordReader,
    private readonly tried: Span,
    private readonly yielder: Yielder,
  ) {}

  has(stream: string): boolean {
    return this.#periods.has(stream);
  }

  /** A stream that has been read. */
  periodsOf(stream: string): UnitPeriods {
    return this.#periods.get(stream)!;
  }

  /** Reads those that are not read yet. @throws StoreUnavailableError, GivenUpError */
  async read(needed: readonly NeededStream[]): Promise<void> {
    const unread = new Map<string, UnitDocument | undefined>();
    for (const { stream, unit } of needed)
      if (!this.has(stream)) unread.set(stream, unit ?? unread.get(stream));
    const unknown = [...unread.keys()].filter((stream) => unread.get(stream) === undefined);
    const newest = await this.reader.newest(unknown);
    for (const [index, stream] of unknown.entries()) unread.set(stream, newest[index]);
    await inBatches([...unread], async ([stream, unit]) => {
      this.#periods.set(stream, this.#unchanged(unit) ?? (await this.#read(stream)));
    });
  }

  /** The periods of a unit without an event in the span: its view is enough. */
  #unchanged(unit: UnitDocument | undefined): UnitPeriods | undefined {
    const { from } = this.tried;
    return unit !== undefined && unit.last_at <= from ? [{ from, unit }] : undefined;
  }

  /** Keeps only the states that the events led to: long streams then hold little memory. */
  async #read(stream: string): Promise<UnitPeriods> {
    const { from, until } = this.tried;
    let unit: UnitState | undefined;
    const periods: { from: number; unit: UnitState }[] = [];
    for await (const events of this.reader.pagesOf(stream, this.yielder)) {
      for (const event of events) {
        if (event.instant > until) return periods;
        unit = evolve(unit, event, event.revision);
        const at = Math.max(from, event.instant);
        if (periods.at(-1)?.from === at) periods.pop();
        periods.push({ from: at, unit });
      }
      await this.yielder.after(events.length);
    }
    return periods;
  }
}
