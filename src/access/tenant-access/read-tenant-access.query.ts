import { Query } from '@nestjs/cqrs';
import type { TenantPrincipal } from '../../http/index.js';
import type { TenantAccess } from './tenant-access.answer.js';

/** An answer, or that the client has it. */
export interface TenantAccessRead {
  readonly entity_tag: string;
  /** undefined where the client holds it already. */
  readonly answer: TenantAccess | undefined;
}

/**
 * What a tenant may open at this instant, with the keys to it (specification §4.2, decisions §5). No key is made for an answer
 * that the client holds: those that it was given then are the same. The issue of every other is recorded when the promise
 * resolves.
 * @throws StoreUnavailableError; no key leaves then.
 */
export class ReadTenantAccess extends Query<TenantAccessRead> {
  constructor(
    readonly principal: TenantPrincipal,
    /** The tags of the answers that the client holds, as `If-None-Match` names them. */
    readonly known?: string,
  ) {
    super();
  }
}
