import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Ids } from '#kernel/ids.js';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { TokenVerifier } from '#kernel/token-verifier.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { hashOf } from '#kernel/credential-hash.js';
import type { TenantAccount } from './tenant-account.js';

/** `_id` is the SHA-256 of the token. Only the tenant's device has the token itself. */
export interface TenantSession extends StoredDocument {
  readonly session_id: string;
  readonly tenant_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export const TENANT_SESSIONS: CollectionDeclaration<TenantSession> = {
  name: 'tenant_sessions',
  indexes: { tenant_id: { fields: ['tenant_id'] }, session_id: { fields: ['session_id'], unique: true } },
  expiry: 'expires_at',
};

/** A new session. Its token cannot be read again. */
export interface BegunSession {
  readonly token: string;
  readonly session_id: string;
  /** Milliseconds. */
  readonly expires_at: number;
}

const DAY_MS = 24 * 60 * 60_000;

/** Sessions of tenants' apps (specification §5.2). They end by time, by logout, or when the account loses its phone. */
@Injectable()
export class TenantSessions implements TokenVerifier {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    private readonly clocks: CompanyClocks,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'tenant_token_days'>,
  ) {}

  async begin(account: TenantAccount): Promise<BegunSession> {
    const token = this.ids.secret();
    const now = await this.clocks.now(account.company_id);
    const document: TenantSession = {
      _id: hashOf(token),
      session_id: this.ids.ulid(),
      tenant_id: account.tenant_id,
      company_id: account.company_id,
      location_id: account.location_id,
      created_at: now,
      expires_at: now + this.environment.tenant_token_days * DAY_MS,
    };
    await writeOne(this.records, TENANT_SESSIONS, { kind: 'insert', document });
    const { session_id, expires_at } = document;
    return { token, session_id, expires_at };
  }

  /** The tenant behind a token, or undefined. @throws StoreUnavailableError */
  async verify(token: string): Promise<TenantPrincipal | undefined> {
    const session = await (await this.#sessions()).get(hashOf(token));
    if (!session || (await this.clocks.now(session.company_id)) >= session.expires_at) return undefined;
    const { tenant_id, company_id, location_id, session_id } = session;
    return { kind: 'tenant', id: tenant_id, company_id, location_id, session_id };
  }

  /** The tenant's sessions, oldest first. @throws StoreUnavailableError */
  async listSessions(tenant_id: string): Promise<TenantSession[]> {
    const found = await (await this.#sessions()).findAny('tenant_id', [tenant_id]);
    return found.sort((one, other) => (one.session_id < other.session_id ? -1 : 1));
  }

  /** Ends one session. Idempotent. */
  async end(session_id: string): Promise<void> {
    await this.#remove(await (await this.#sessions()).findAny('session_id', [session_id]));
  }

  /** Ends every session of these tenants. Idempotent. */
  async endAll(tenant_ids: readonly string[]): Promise<void> {
    await this.#remove(await (await this.#sessions()).findAny('tenant_id', tenant_ids));
  }

  #sessions(): Promise<Collection<TenantSession>> {
    return this.records.collection(TENANT_SESSIONS);
  }

  async #remove(sessions: readonly TenantSession[]): Promise<void> {
    if (sessions.length === 0) return;
    await this.records.write(
      sessions.map(({ _id }) => ({ kind: 'delete', collection: TENANT_SESSIONS.name, id: _id })),
    );
  }
}
