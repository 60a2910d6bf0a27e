/** Beyond this many the catch-up simply applies events again, which changes nothing. */
const MOST_REMEMBERED = 200_000;

/**
 * Remembers which events this process has already applied inline, event by event, so that the catch-up subscription
 * need not apply them again. Forgetting one is harmless; remembering one that was not applied would lose a change: views
 * that are built anew are followed with an `AppliedEvents` of their own.
 */
export class AppliedEvents {
  readonly #applied = new Set<string>();

  add(events: readonly { readonly stream: string; readonly revision: number }[]): void {
    if (this.#applied.size > MOST_REMEMBERED) this.#applied.clear();
    for (const { stream, revision } of events) this.#applied.add(`${revision}@${stream}`);
  }

  /** Whether the event was applied inline; it is forgotten by the asking. */
  take({ stream, revision }: { readonly stream: string; readonly revision: number }): boolean {
    return this.#applied.delete(`${revision}@${stream}`);
  }
}
