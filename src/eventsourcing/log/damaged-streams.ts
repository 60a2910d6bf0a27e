/**
 * Why a stream is not what the service wrote:
 * `foreign_event`: it holds an event without the service's mark. `deleted`: it was deleted for ever (a tombstone).
 * `shortened`: its beginning was deleted. `limited`: its events are all there, but the store is told to delete the oldest of
 * them by their age or number.
 */
export const DAMAGE_CAUSES = ['foreign_event', 'deleted', 'shortened', 'limited'] as const;

export type DamageCause = (typeof DAMAGE_CAUSES)[number];

/** A stream that somebody with rights in the store has damaged. */
export interface StreamDamage {
  readonly stream: string;
  /**
   * The first revision that is not what the service wrote; of a limited stream, the next one. The stream's events before it
   * are sound.
   */
  readonly revision: number;
  readonly cause: DamageCause;
}

/** True for a stream that the service never wrote, although its name begins with the service's prefix. */
export function isStray({ revision, cause }: StreamDamage): boolean {
  return revision === 0 && cause === 'foreign_event';
}

/** Keeps damages for other processes and for later starts. */
export interface DamageKeeper {
  /** Stores a damage, or its earlier revision. @throws StoreUnavailableError */
  keep(damage: StreamDamage): Promise<void>;
  /** The stream is whole again. @throws StoreUnavailableError */
  forget(stream: string): Promise<void>;
}

const KEEPS_NOTHING: DamageKeeper = {
  keep: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

/** The damaged and the stray streams that this process knows of. */
export class DamagedStreams {
  #byStream = new Map<string, StreamDamage>();
  #changes = 0;

  constructor(private readonly keeper = KEEPS_NOTHING) {}

  /** Undefined if the stream is sound, as far as is known. */
  findDamage(stream: string): StreamDamage | undefined {
    return this.#byStream.get(stream);
  }

  /** Without stray streams. */
  listDamages(): StreamDamage[] {
    return this.#sorted().filter((damage) => !isStray(damage));
  }

  listStray(): StreamDamage[] {
    return this.#sorted().filter(isStray);
  }

  /** @throws StoreUnavailableError if the keeper does */
  async found(damage: StreamDamage): Promise<void> {
    const known = this.#byStream.get(damage.stream);
    // A stray stream damages nothing, whatever is done to it later.
    if (known !== undefined && (isStray(known) || known.revision <= damage.revision)) return;
    await this.keeper.keep(damage);
    this.#byStream.set(damage.stream, damage);
    this.#changes += 1;
  }

  /** The stream is whole, and stays so. @throws StoreUnavailableError if the keeper does */
  async restored(stream: string): Promise<void> {
    const cause = this.#byStream.get(stream)?.cause;
    if (cause !== 'shortened' && cause !== 'limited') return;
    await this.keeper.forget(stream);
    this.#byStream.delete(stream);
    this.#changes += 1;
  }

  #sorted(): StreamDamage[] {
    return [...this.#byStream.values()].toSorted((one, other) => (one.stream < other.stream ? -1 : 1));
  }

  /**
   * Takes over what the keeper has stored. It does not if this process found or restored a stream meanwhile: what was read may be
   * older than that.
   * @throws what `readKept` does
   */
  async learn(readKept: () => Promise<readonly StreamDamage[]>): Promise<void> {
    const changesBefore = this.#changes;
    const kept = await readKept();
    if (this.#changes !== changesBefore) return;
    this.#byStream = new Map(kept.map((damage) => [damage.stream, damage]));
  }
}
