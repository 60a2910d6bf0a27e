const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether what is sent to the host surely stays on this machine. A name below `localhost` may be one of the network.
 * @param host of a URL, with or without a port
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
