import type { Principal, PrincipalKind } from './principals.js';

/** Verifies one kind of credential. The feature that stores it implements this. */
export interface TokenVerifier {
  /**
   * The holder of a credential; undefined if it is unknown, expired or revoked. @throws StoreUnavailableError
   */
  verify(token: string, kind: PrincipalKind): Promise<Principal | undefined>;
}
