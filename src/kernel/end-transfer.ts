import type { Readable } from 'node:stream';

/** Ends the transfer of an answer's body that is not read further. */
export function endTransfer(body: Readable): void {
  if (body.destroyed) return;
  body.on('error', () => undefined);
  body.destroy();
}
