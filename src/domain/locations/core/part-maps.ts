/**
 * Changes maps of parts. It copies a map before its first change of it, and not again: a location may have thousands of units.
 * So nobody else may keep a map that it returned while it goes on.
 */
export class PartMaps {
  readonly #made = new WeakSet<ReadonlyMap<string, unknown>>();

  with<Part>(map: ReadonlyMap<string, Part>, id: string, part: Part): ReadonlyMap<string, Part> {
    return this.#own(map).set(id, part);
  }

  withChange<Part extends object>(
    map: ReadonlyMap<string, Part>,
    id: string,
    differenceOf: (before: Part) => Partial<Part>,
  ): ReadonlyMap<string, Part> {
    const before = map.get(id);
    if (before === undefined) throw new Error('An event changes what was never added.');
    return this.with(map, id, { ...before, ...differenceOf(before) });
  }

  /** The map without a part, and the part as it was removed. */
  without<Part extends object, Removal extends Partial<Part>>(
    map: ReadonlyMap<string, Part>,
    id: string,
    removal: Removal,
  ): [left: ReadonlyMap<string, Part>, gone: Part & Removal] {
    const part = map.get(id);
    if (part === undefined) throw new Error('An event removes what was never added.');
    const left = this.#own(map);
    left.delete(id);
    return [left, { ...part, ...removal }];
  }

  #own<Part>(map: ReadonlyMap<string, Part>): Map<string, Part> {
    if (this.#made.has(map)) return map as Map<string, Part>;
    const copy = new Map(map);
    this.#made.add(copy);
    return copy;
  }
}
