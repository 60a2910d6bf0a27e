/** A page of a list that goes on where `next_cursor` is not null. */
interface Page {
  readonly next_cursor: string | null;
}

/** The position in a list from which to go on. Empty for its first page. */
interface Place {
  readonly cursor?: string;
}

/** The items of all pages. Each page is requested when the one before has been used. */
export async function* listed<P extends Page, T>(
  ask: (at: Place) => Promise<{ readonly data: P }>,
  within: (page: P) => readonly T[],
): AsyncGenerator<T> {
  for (let at: Place | undefined = {}; at !== undefined;) {
    const page: P = (await ask(at)).data;
    yield* within(page);
    at = page.next_cursor === null ? undefined : { cursor: page.next_cursor };
  }
}

/** A page of the feed of events. */
interface FeedPage {
  readonly next_after: string | null;
}

/** Page after page of the feed, up to where there is nothing new. */
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

/** The items of the pages, one after the other. */
export async function* itemsOf<P, T>(
  pages: AsyncIterable<P>,
  within: (page: P) => readonly T[],
): AsyncGenerator<T> {
  for await (const page of pages) yield* within(page);
}
