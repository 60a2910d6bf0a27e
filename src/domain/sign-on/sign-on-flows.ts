import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { hashOf } from '#kernel/credential-hash.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, IDS, RECORDS } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { SignOnSecrets } from './identity-provider.js';

/** What a sign-on is for. */
export interface Purpose {
  /** Path of the page that asked for it. */
  readonly next: string | undefined;
  /** Token of the invitation that is to be accepted by it. */
  readonly invitation: string | undefined;
  /** True: it proves that somebody who has signed in is there. */
  readonly asks_again: boolean;
}

/** `_id` is the SHA-256 (hex) of the token that the browser keeps. The secrets follow from that token and are not stored. */
interface FlowRecord {
  readonly _id: string;
  readonly version: number;
  readonly is_used: boolean;
  readonly next: string | null;
  readonly sealed_invitation: string | null;
  readonly asks_again: boolean;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

const FLOWS: CollectionDeclaration<FlowRecord> = {
  name: 'operator_sign_ons',
  indexes: {},
  expiry: 'expires_at',
};

const LIFETIME_MS = 10 * 60 * 1000;

export interface BegunFlow {
  /** For the browser's cookie. */
  readonly token: string;
  readonly secrets: SignOnSecrets;
  readonly seconds: number;
}

/** Sign-ons under way: each belongs to one browser and ends once. Every method throws StoreUnavailableError. */
@Injectable()
export class SignOnFlows {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly box: SecretBox,
  ) {}

  async begin({ next, invitation, asks_again }: Purpose): Promise<BegunFlow> {
    const token = this.ids.secret();
    const _id = hashOf(token);
    const document: FlowRecord = {
      _id,
      version: 1,
      is_used: false,
      next: next ?? null,
      sealed_invitation: invitation === undefined ? null : this.box.seal(invitation, ownerOf(_id)),
      asks_again,
      expires_at: this.clock.now() + LIFETIME_MS,
    };
    await writeOne(this.records, FLOWS, { kind: 'insert', document });
    return { token, secrets: secretsOf(token), seconds: LIFETIME_MS / 1_000 };
  }

  /** What this sign-on is for. Undefined if it never began, took too long, or was taken before. */
  async take(token: string): Promise<(Purpose & { readonly secrets: SignOnSecrets }) | undefined> {
    const flow = await (await this.#open()).get(hashOf(token));
    // The store deletes expired records late and by its own clock.
    if (flow === undefined || flow.is_used || flow.expires_at <= this.clock.now()) return undefined;
    const { version: expected, sealed_invitation } = flow;
    const document = { ...flow, version: expected + 1, is_used: true };
    const outcome = await writeOne(this.records, FLOWS, { kind: 'compare_and_set', expected, document });
    if (outcome !== 'written') return undefined;
    const invitation =
      sealed_invitation === null ? undefined : this.box.open(sealed_invitation, ownerOf(flow._id));
    const { next, asks_again } = flow;
    return { next: next ?? undefined, invitation, asks_again, secrets: secretsOf(token) };
  }

  #open(): Promise<Collection<FlowRecord>> {
    return this.records.collection(FLOWS);
  }
}

/** The provider learns two of them, and neither the token nor another one follows from these. */
function secretsOf(token: string): SignOnSecrets {
  const derive = (name: string) => createHash('sha256').update(`${name} of ${token}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), code_verifier: derive('code verifier') };
}

function ownerOf(_id: string): string {
  return `invitation of sign-on ${_id}`;
}
