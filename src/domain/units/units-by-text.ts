import type { UnitDocument } from './unit.documents.js';

/** Units by the texts that people call them: the name, or the identifier of the PMS. */
export class UnitsByText {
  readonly #units: ReadonlyMap<string, UnitDocument[]>;

  /** @param texts only units that one of them means are kept */
  constructor(texts: Iterable<string>) {
    this.#units = new Map([...texts].map((text) => [text, []]));
  }

  /** Keeps the units that are meant. A retired unit is not. */
  add(units: readonly UnitDocument[]): void {
    for (const unit of units) {
      if (unit.retired) continue;
      for (const text of new Set([unit.unit_name, unit.crm_unit_id])) this.#units.get(text)?.push(unit);
    }
  }

  /** Several, where the name of one is a name or the identifier of another. */
  unitsCalled(text: string): readonly UnitDocument[] {
    return this.#units.get(text) ?? [];
  }
}
