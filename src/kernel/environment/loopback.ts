const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** @param host of a URL, with or without a port */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
