interface Agreement {
  tenant_id: string | undefined;
  holders: number;
}

/**
 * The ids of accounts that are being created in this process. Whoever may create an account holds it from before he
 * looks for it until what he wrote has settled, so that all who create the same one at once give it the same id,
 * whichever of their writes comes first.
 */
export class AgreedIds {
  readonly #held = new Map<string, Agreement>();

  constructor(private readonly newId: () => string) {}

  hold(accounts: readonly string[]): { readonly release: () => void } {
    const mine = new Set(accounts);
    for (const account of mine) {
      const agreement = this.#held.get(account) ?? { tenant_id: undefined, holders: 0 };
      agreement.holders += 1;
      this.#held.set(account, agreement);
    }
    return { release: () => mine.forEach((account) => this.#release(account, mine)) };
  }

  async during<T>(accounts: readonly string[], work: () => Promise<T>): Promise<T> {
    const { release } = this.hold(accounts);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** What an account that is held is created with. */
  idOf(account: string): string {
    const agreement = this.#held.get(account);
    if (agreement === undefined) throw new Error('An account is created that nobody holds.');
    agreement.tenant_id ??= this.newId();
    return agreement.tenant_id;
  }

  #release(account: string, mine: Set<string>): void {
    mine.delete(account);
    const agreement = this.#held.get(account)!;
    agreement.holders -= 1;
    if (agreement.holders === 0) this.#held.delete(account);
  }
}
