/** A page of a list that goes on where `next_cursor` is not null. */
interface Page {
  readonly next_cursor: string | null;
}

/** Page after page; each is asked for when the one before has been used. */
export async function* pagesOf<P extends Page>(read: (cursor?: string) => Promise<P>): AsyncGenerator<P> {
  let page = await read();
  yield page;
  while (page.next_cursor !== null) {
    page = await read(page.next_cursor);
    yield page;
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

/** What is in the pages, one after the other. */
export async function* itemsOf<P, T>(
  pages: AsyncIterable<P>,
  within: (page: P) => readonly T[],
): AsyncGenerator<T> {
  for await (const page of pages) yield* within(page);
}
