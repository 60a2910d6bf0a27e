import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import type { Collection, CollectionDeclaration, DocumentStore } from '../documents/document-store.js';
import type { OperatorPrincipal } from '../http/authentication.js';
import { hashOf } from '../http/credential-hash.js';
import { type OperatorRecord, Operators } from './operators.js';

/** `_id` is the SHA-256 (hex) of the session's token, which is kept nowhere. */
interface SessionRecord {
  readonly _id: string;
  readonly operator_id: string;
  /** The operator's `sessions_turn` when it was opened. */
  readonly turn: number;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

const SESSIONS: CollectionDeclaration<SessionRecord> = {
  name: 'operator_sessions',
  indexes: { by_operator: { fields: ['operator_id'] } },
  expiry: 'expires_at',
};

const LIFETIME = 12 * 60 * 60 * 1000;

export interface OpenedSession {
  readonly token: string;
  readonly expires_at: number;
}

/** What operators sign in with once they have signed in. @throws StoreUnavailableError from every method */
@Injectable()
export class OperatorSessions {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly operators: Operators,
  ) {}

  /**
   * A new session of twelve hours. @param operator as it was when the password was found right: what has changed since
   * ends this session too. @returns its token, seen only here, and when it ends, in milliseconds.
   */
  async open({
    _id: operator_id,
    sessions_turn: turn,
  }: Pick<OperatorRecord, '_id' | 'sessions_turn'>): Promise<OpenedSession> {
    const token = this.ids.secret();
    const expires_at = this.clock.now() + LIFETIME;
    const document: SessionRecord = { _id: hashOf(token), operator_id, turn, expires_at };
    await this.#collection();
    await this.records.write([{ kind: 'insert', collection: SESSIONS.name, document }]);
    return { token, expires_at };
  }

  /** The operator whose session this token is, or undefined where it has ended or never was. */
  async verify(token: string): Promise<OperatorPrincipal | undefined> {
    const session = await (await this.#collection()).get(hashOf(token));
    // The store counts its own time; the service's clock has the word.
    if (session === undefined || session.expires_at <= this.clock.now()) return undefined;
    const operator = await this.operators.byId(session.operator_id);
    if (operator === undefined || operator.disabled || operator.sessions_turn !== session.turn)
      return undefined;
    return { kind: 'operator', id: operator._id, role: operator.role, companies: operator.companies };
  }

  /** Ends the session with this token; nothing happens where there is none. */
  async end(token: string): Promise<void> {
    await this.#collection();
    await this.records.write([{ kind: 'delete', collection: SESSIONS.name, id: hashOf(token) }]);
  }

  async endAllOf(operator_id: string): Promise<void> {
    const sessions = await (await this.#collection()).findAny('by_operator', [operator_id]);
    await this.records.write(
      sessions.map(({ _id }) => ({ kind: 'delete', collection: SESSIONS.name, id: _id })),
    );
  }

  #collection(): Promise<Collection<SessionRecord>> {
    return this.records.collection(SESSIONS);
  }
}
