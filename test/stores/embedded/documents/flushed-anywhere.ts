import type { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';

/** A store that is flushed after some calls, and during others; at the same ones in every run. */
export function flushedAnywhere(store: EmbeddedDocumentStore): EmbeddedDocumentStore {
  let calls = 0;
  const flush = async (): Promise<void> => {
    calls += 1;
    if (calls % 3 === 0) await store.flush();
    else if (calls % 3 === 1) void store.flush();
  };
  return flushedAfterCalls(store, flush, ['write', 'collection']);
}

/** The store, and every collection that it opens, with `flush` after the calls. */
function flushedAfterCalls<T extends object>(
  target: T,
  flush: () => Promise<void>,
  names: readonly string[],
): T {
  return new Proxy(target, {
    get(_, name) {
      const member = target[name as keyof T];
      if (typeof member !== 'function') return member;
      if (!names.includes(String(name))) return member.bind(target) as unknown;
      return async (...parameters: unknown[]) => {
        const result = (await member.apply(target, parameters)) as unknown;
        await flush();
        return name === 'collection' ? flushedAfterCalls(result as object, flush, reads) : result;
      };
    },
  });
}

const reads = ['get', 'getMany', 'find', 'findAny'];
