import { Inject, Injectable } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { hashOf } from '#kernel/credential-hash.js';

/** A message to a test number. It is stored instead of sent. */
interface TestMessage {
  readonly to: string;
  readonly body: string;
  readonly sent_at: string;
}

/** A sandbox's block of test numbers and its last messages. `_id` is the block's four digits. */
interface TestBlock {
  readonly _id: string;
  readonly company_id: string;
  /** Newest first. */
  readonly messages: readonly TestMessage[];
  readonly version: number;
}

const TEST_BLOCKS: CollectionDeclaration<TestBlock> = {
  name: 'test_number_blocks',
  indexes: { company_id: { fields: ['company_id'] } },
};

/** No real phone has this country code. */
const TEST_PREFIX = '+999';
const BLOCK_DIGITS = 4;
const BLOCKS = 10 ** BLOCK_DIGITS;
const MOST_MESSAGES = 20;

export const FOREIGN_TEST_NUMBER =
  'The phone field must not be a test number of another company. A sandbox shows its own test numbers.';

export function isTestNumber(phone: string): boolean {
  return phone.startsWith(TEST_PREFIX);
}

/**
 * Test numbers of sandboxes (decisions §5): `+999`, four digits of the sandbox's block, then any digits. Only these can
 * sign in to a sandbox. Every method throws StoreUnavailableError.
 */
@Injectable()
export class SandboxPhones {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly clocks: CompanyClocks,
  ) {}

  /** Whether accounts of the company may have this number. A test number must be in the company's own block. */
  async mayRecord(company_id: string, phone: string): Promise<boolean> {
    if (!isTestNumber(phone)) return true;
    const { isSandbox } = await this.clocks.findClock(company_id);
    return isSandbox && blockOf(phone) === (await this.#block(company_id))._id;
  }

  /** The prefix of a sandbox's test numbers, and its last 20 messages, newest first. */
  async numbersAndMessages(company_id: string) {
    const { _id, messages } = await this.#block(company_id);
    return { test_numbers: TEST_PREFIX + _id, messages };
  }

  /** Stores a message to a test number. Ignores it if no sandbox has the number's block. */
  storeMessage(to: string, body: string): Promise<void> {
    return this.#change(to, async ({ company_id, messages }) => {
      const sent_at = toTimestamp(await this.clocks.now(company_id));
      return [{ to, body, sent_at }, ...messages].slice(0, MOST_MESSAGES);
    });
  }

  /** Removes the messages to a test number. */
  forget(to: string): Promise<void> {
    return this.#change(to, ({ messages }) => messages.filter((message) => message.to !== to));
  }

  #change(
    to: string,
    messagesOf: (block: TestBlock) => readonly TestMessage[] | Promise<readonly TestMessage[]>,
  ): Promise<void> {
    return untilItHolds(async () => {
      const block = await (await this.records.collection(TEST_BLOCKS)).get(blockOf(to));
      if (block === undefined) return undefined;
      const document = { ...block, messages: await messagesOf(block), version: block.version + 1 };
      const write = { kind: 'compare_and_set', expected: block.version, document } as const;
      return (await writeOne(this.records, TEST_BLOCKS, write)) === 'written' ? undefined : OVERTAKEN;
    });
  }

  /** The sandbox's block. The first call assigns one. All processes try the same blocks in the same order. */
  async #block(company_id: string): Promise<TestBlock> {
    const blocks = await this.records.collection(TEST_BLOCKS);
    const [own] = await blocks.findAny('company_id', [company_id]);
    if (own !== undefined) return own;
    const first = Number.parseInt(hashOf(company_id).slice(0, 8), 16);
    for (let tried = 0; tried < BLOCKS; tried += 1) {
      const _id = String((first + tried) % BLOCKS).padStart(BLOCK_DIGITS, '0');
      const document: TestBlock = { _id, company_id, messages: [], version: 1 };
      const written = await writeOne(this.records, TEST_BLOCKS, { kind: 'insert', document });
      if (written === 'written') return document;
      const taken = await blocks.get(_id);
      if (taken?.company_id === company_id) return taken;
    }
    throw new Error('All 10,000 blocks of test numbers are taken.');
  }
}

function blockOf(phone: string): string {
  return phone.slice(TEST_PREFIX.length, TEST_PREFIX.length + BLOCK_DIGITS);
}
