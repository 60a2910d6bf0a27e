const BUCKETS = 128;
const NO_BUCKETS: readonly undefined[] = new Array<undefined>(BUCKETS).fill(undefined);

type Bucket<Value> = ReadonlyMap<string, Value>;

/**
 * An immutable map by id. A new map shares all but one small bucket with the map before. So an event of a location with
 * hundreds of locks does not copy them all.
 */
export class IdMap<Value> {
  private constructor(
    private readonly buckets: readonly (Bucket<Value> | undefined)[],
    readonly size: number,
  ) {}

  static empty<Value>(): IdMap<Value> {
    return new IdMap<Value>(NO_BUCKETS, 0);
  }

  get(id: string): Value | undefined {
    return this.buckets[bucketOf(id)]?.get(id);
  }

  set(id: string, value: Value): IdMap<Value> {
    const index = bucketOf(id);
    const before = this.buckets[index];
    const bucket = new Map(before).set(id, value);
    const grown = bucket.size - (before?.size ?? 0);
    return new IdMap(this.buckets.with(index, bucket), this.size + grown);
  }

  /** In arbitrary order. */
  *values(): Generator<Value> {
    for (const bucket of this.buckets) if (bucket !== undefined) yield* bucket.values();
  }
}

function bucketOf(id: string): number {
  let hash = 0;
  // Stryker disable next-line all: any hash works, a worse one only spreads the ids less evenly
  for (let index = 0; index < id.length; index += 1) hash = (hash * 31 + id.charCodeAt(index)) | 0;
  return hash & (BUCKETS - 1);
}
