import type { Socket } from 'node:net';
import type { Request } from 'express';
import { TURNS } from '#kernel/turns.js';
import type { ClientAddresses } from './client-address.js';

/** The callers that were admitted last on open connections. */
const LAST = new WeakMap<Socket, string>();

/**
 * What runs from here is work of the request's caller (`TURNS`). Before the credential is read, that is who was admitted last
 * on this connection, otherwise the client's address. A wrong guess costs another caller the time of one lookup.
 */
export function enterUnknown(request: Request, addresses: Pick<ClientAddresses, 'networkOf'>): void {
  TURNS.enter(LAST.get(request.socket) ?? addresses.networkOf(request));
}

/** As {@link enterUnknown}, with the id of the request's principal. */
export function enterAdmitted({ socket }: Request, caller: string): void {
  LAST.set(socket, caller);
  TURNS.enter(caller);
}
