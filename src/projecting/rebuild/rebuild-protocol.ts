import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What a command and a running service on the same data say to each other: lines of JSON over a socket in `DATA_DIR`,
 * which whoever may not use that folder cannot reach. The command sends one request and reads until the end.
 */

export const REBUILD_REQUEST = 'rebuild_views';

export interface RebuildRequest {
  readonly request: typeof REBUILD_REQUEST;
}

/** First one `accepted`, then any number of `applied`, and at last `done` or `failed`. */
export type RebuildMessage =
  | { readonly kind: 'accepted'; readonly joined: boolean }
  /** `share` is that of the log, 0 to 1. */
  | { readonly kind: 'applied'; readonly events: number; readonly share: number }
  | { readonly kind: 'done'; readonly events: number }
  | { readonly kind: 'failed'; readonly message: string };

const SOCKET = 'service.sock';

/** A socket's address has room for so many bytes on every system; longer ones are cut off without a word. */
const LONGEST_ADDRESS = 100;

/** An address of the socket in a folder, good until it is released. */
export interface SocketAddress {
  readonly path: string;
  release(): void;
}

/** Where the path is too long, the folder is named by a descriptor of it, which Linux can. @throws where it is not there */
export function socketAddress(folder: string): SocketAddress {
  const path = join(folder, SOCKET);
  if (Buffer.byteLength(path) <= LONGEST_ADDRESS) return { path, release: () => undefined };
  const descriptor = openSync(folder, 'r');
  return { path: `/proc/self/fd/${descriptor}/${SOCKET}`, release: () => closeSync(descriptor) };
}
