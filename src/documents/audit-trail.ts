import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from './document-store.js';

/** A write that leaves no event: who did what to whom. Names everybody by id, and holds no personal details. */
export interface AuditEntry extends StoredDocument {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: { readonly kind: string; readonly id: string };
  /** What was done, in the past tense and snake_case: `tenant_created`. */
  readonly action: string;
  /** null for what belongs to no company. */
  readonly company_id: string | null;
  /** Ids of what it was done to, by their names in the API. */
  readonly subject: Readonly<Record<string, string>>;
}

export type NewAuditEntry = Omit<AuditEntry, '_id' | 'at'>;

export const AUDIT_ENTRIES: CollectionDeclaration<AuditEntry> = {
  name: 'audit_entries',
  indexes: { company_id: { fields: ['company_id'] } },
};

/** Writes that leave no event leave an entry here, so that each can be traced to whoever asked for it. */
@Injectable()
export class AuditTrail {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A write that its caller stores in the same call as what it tells of. @throws StoreUnavailableError */
  async entry(entry: NewAuditEntry): Promise<DocumentWrite> {
    await this.records.collection(AUDIT_ENTRIES);
    const document: AuditEntry = { _id: this.ids.ulid(), at: this.clock.now(), ...entry };
    return { kind: 'put', collection: AUDIT_ENTRIES.name, document };
  }

  /** Stores an entry on its own. @throws StoreUnavailableError */
  async record(entry: NewAuditEntry): Promise<void> {
    await this.records.write([await this.entry(entry)]);
  }
}
