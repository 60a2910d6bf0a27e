import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { LocationDirectory, NO_NOTICES, WriteLocation } from '#domain/locations/index.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { Ids } from '#kernel/ids.js';
import { IDS, LOGGER, RECORDS } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { isAnyOn } from './core/known-unit.js';
import { NoticeTenants } from './notice-tenants.js';

/** Says that the store was copied, and that no text may be sent until the locations are switched off. */
const SWITCHES: CollectionDeclaration<StoredDocument> = { name: 'notices_off', indexes: {} };
const ID = 'restored';

/**
 * Lets the service switch off the texts of a copied store at its next start. The service that was copied may still send them.
 * @returns whether any tenant was ever looked at @throws StoreUnavailableError
 */
export async function switchOffNotices(records: DocumentStore): Promise<boolean> {
  await writeOne(records, SWITCHES, { kind: 'put', document: { _id: ID } });
  return !(await new NoticeTenants(records).isEmpty());
}

/** Switches off the texts of all locations after a restore. */
@Injectable()
export class NoticesSwitch {
  #isChecked = false;

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly locations: LocationDirectory,
    private readonly commands: CommandBus,
  ) {}

  /** Does nothing if the store was not copied. @throws StoreUnavailableError */
  async switchOffRestored(): Promise<void> {
    if (this.#isChecked) return;
    if ((await (await this.records.collection(SWITCHES)).get(ID)) !== undefined) await this.#switchOff();
    this.#isChecked = true;
  }

  async #switchOff(): Promise<void> {
    const all = await this.locations.locationsOfCompanies('all');
    const on = all.filter(({ notices_since }) => isAnyOn({ since: notices_since }));
    for (const { _id: location_id } of on) {
      const command = { type: 'ChangeLocation', location_id, notices: NO_NOTICES } as const;
      const actor = { kind: 'system', id: 'restore' } as const;
      const ids = { command_id: this.ids.ulid(), request_id: this.ids.ulid() };
      await this.commands.execute(new WriteLocation(command, { ...ids, actor, recovering: false }));
    }
    await writeOne(this.records, SWITCHES, { kind: 'delete', id: ID });
    const locations = on.length;
    this.logger.warn({ locations }, 'Texts to tenants were switched off: the store comes from a copy.');
  }
}
