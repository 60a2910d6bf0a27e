import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../../documents/document-store.js';

/** What a command asks of whoever keeps the views on servers, and what became of it. Storage format: add, never change. */
export interface RebuildOrder extends StoredDocument {
  /** Names the command that asked. */
  readonly order: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly events: number;
  /** Of the log, 0 to 1. */
  readonly share: number;
  /** Why it failed. */
  readonly message: string;
  readonly version: number;
}

const ORDERS: CollectionDeclaration<RebuildOrder> = { name: 'rebuild_orders', indexes: {} };
const ID = 'views';

/** The newest order, in the records: the command and the service may be on different machines. */
export class RebuildOrders {
  constructor(private readonly records: DocumentStore) {}

  /** @throws StoreUnavailableError */
  async read(): Promise<RebuildOrder | undefined> {
    const orders: Collection<RebuildOrder> = await this.records.collection(ORDERS);
    return orders.get(ID);
  }

  /** Takes the place of an order that came before. @throws StoreUnavailableError */
  async place(order: string): Promise<void> {
    const version = ((await this.read())?.version ?? 0) + 1;
    const document: RebuildOrder = {
      _id: ID,
      order,
      state: 'waiting',
      events: 0,
      share: 0,
      message: '',
      version,
    };
    await this.records.write([{ kind: 'put', collection: ORDERS.name, document }]);
  }

  /** Undefined where another has changed it, or another order has come. @throws StoreUnavailableError */
  async change(
    known: RebuildOrder,
    change: Partial<Omit<RebuildOrder, '_id' | 'order' | 'version'>>,
  ): Promise<RebuildOrder | undefined> {
    const document = { ...known, ...change, version: known.version + 1 };
    const [outcome] = await this.records.write([
      { kind: 'compare_and_set', collection: ORDERS.name, expected: known.version, document },
    ]);
    return outcome!.kind === 'written' ? document : undefined;
  }
}
