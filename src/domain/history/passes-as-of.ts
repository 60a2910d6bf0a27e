import { Injectable } from '@nestjs/common';
import { opensUnit, PassRecords, type PassState } from '#domain/passes/index.js';
import type { UnitState } from '#domain/units/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { PassLog } from './pass-log.js';

export type PassThen = ResultOf<PassesAsOf['ofUnit']>[number];

/** The passes that opened something at an instant (milliseconds). Names are those of now, because older ones are not kept. */
@Injectable()
export class PassesAsOf {
  constructor(
    private readonly log: PassLog,
    private readonly records: PassRecords,
  ) {}

  /** @param unit as it was then. @throws StoreUnavailableError */
  async ofUnit(unit: Pick<UnitState, 'unit_id' | 'last_let' | 'retired'>, at: number) {
    const passes = await this.log.inForceAt({ kind: 'unit', unit_id: unit.unit_id }, at);
    const opening = passes.filter(({ units }) => {
      const named = units.find(({ unit_id }) => unit_id === unit.unit_id);
      return named !== undefined && opensUnit(named, unit);
    });
    return this.#named(opening);
  }

  /** With the pass itself. @throws StoreUnavailableError */
  async ofEntryPoint(entry_point_id: string, at: number) {
    const passes = await this.log.inForceAt({ kind: 'entry_point', entry_point_id }, at);
    const opening = passes.filter(({ entry_point_ids }) => entry_point_ids.includes(entry_point_id));
    const shown = await this.#named(opening);
    return opening.map((pass, index) => ({ pass, shown: shown[index]! }));
  }

  async #named(passes: readonly PassState[]) {
    const records = await this.records.recordsOf(passes.map(({ pass_id }) => pass_id));
    return passes.map((pass) => presentPass(pass, records.get(pass.pass_id)?.name ?? null));
  }
}

function presentPass({ pass_id, tenant_id, reason, from, until }: PassState, name: string | null) {
  return { pass_id, tenant_id, name, reason, from: toTimestamp(from), until: toTimestamp(until) };
}
