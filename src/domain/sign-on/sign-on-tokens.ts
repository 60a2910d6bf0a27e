import { Inject, Injectable } from '@nestjs/common';
import { hashOf } from '#kernel/credential-hash.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import type { CollectionDeclaration, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { OpenedSession } from '#domain/operators/index.js';

/** `_id` is the SHA-256 (hex) of the session's token. */
interface TokenRecord {
  readonly _id: string;
  readonly sealed_id_token: string;
  /** When the session ends at the latest, in milliseconds. */
  readonly expires_at: number;
}

const TOKENS: CollectionDeclaration<TokenRecord> = {
  name: 'operator_id_tokens',
  indexes: {},
  expiry: 'expires_at',
};

/** Identity tokens of sessions, encrypted, for signing out at the provider. Every method throws StoreUnavailableError. */
@Injectable()
export class SignOnTokens {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly box: SecretBox,
  ) {}

  async keep(id_token: string, { token, expires_at }: OpenedSession): Promise<void> {
    const _id = hashOf(token);
    const document: TokenRecord = { _id, sealed_id_token: this.box.seal(id_token, ownerOf(_id)), expires_at };
    await writeOne(this.records, TOKENS, { kind: 'put', document });
  }

  /** The token of a session that ends. @param session its token */
  async take(session: string): Promise<string | undefined> {
    const _id = hashOf(session);
    const kept = await (await this.records.collection(TOKENS)).get(_id);
    if (kept === undefined) return undefined;
    await writeOne(this.records, TOKENS, { kind: 'delete', id: _id });
    return this.box.open(kept.sealed_id_token, ownerOf(_id));
  }
}

function ownerOf(_id: string): string {
  return `identity token of session ${_id}`;
}
