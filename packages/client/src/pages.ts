interface Page {
  readonly next_cursor: string | null;
}

/** Empty for the first page. */
interface Position {
  readonly cursor?: string;
}

/** The items of all pages. Each page is requested when the one before has been used. */
export async function* listed<P extends Page, T>(
  read: (position: Position) => Promise<{ readonly data: P }>,
  itemsIn: (page: P) => readonly T[],
): AsyncGenerator<T> {
  for (let position: Position | undefined = {}; position !== undefined;) {
    const page: P = (await read(position)).data;
    yield* itemsIn(page);
    position = page.next_cursor === null ? undefined : { cursor: page.next_cursor };
  }
}

interface FeedPage {
  readonly next_after: string | null;
}

/** All pages of the feed, up to the newest event. */
export async function* feedPages<P extends FeedPage>(
  read: (after?: string) => Promise<P>,
  after?: string,
): AsyncGenerator<P> {
  for (let known = after; ;) {
    const page = await read(known);
    if (page.next_after === null || page.next_after === known) return;
    yield page;
    known = page.next_after;
  }
}

/** The pages of the feed that have events, and those that come later, without an end. Pauses while nothing is new. */
export async function* followedPages<P extends FeedPage & { readonly events: readonly unknown[] }>(
  read: (after?: string) => Promise<P>,
  pause: () => Promise<void>,
  after: string,
): AsyncGenerator<P> {
  for (let known: string | undefined = after; ;) {
    const page: P = await read(known);
    if (page.events.length > 0) yield page;
    // While there is no event at all, nothing lies before the beginning.
    const next = page.next_after ?? undefined;
    if (next === known || next === undefined) await pause();
    known = next;
  }
}

export async function* itemsOf<P, T>(
  pages: AsyncIterable<P>,
  itemsIn: (page: P) => readonly T[],
): AsyncGenerator<T> {
  for await (const page of pages) yield* itemsIn(page);
}
