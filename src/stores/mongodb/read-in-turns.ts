import type { FindCursor } from 'mongodb';
import { TURNS } from '#kernel/turns.js';
import type { CallDeadline } from './call-deadline.js';
import type { StoredRecord } from './collection-plan.js';
import { decodeInParts } from './decode-in-parts.js';

/**
 * All records of a cursor that gives them as bytes. To decode a record costs processor time. So a large read takes them one
 * by one, divides large ones, and lets others work in between; the driver's `toArray` decodes a batch at once.
 * @throws StoreUnavailableError after the deadline, and the driver's errors
 */
export async function readInTurns(
  cursor: Pick<FindCursor<Uint8Array>, 'hasNext' | 'readBufferedDocuments' | 'bufferedCount' | 'close'>,
  deadline: Pick<CallDeadline, 'isOver' | 'passedError'>,
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const giveWay = async (turn: Promise<void>): Promise<void> => {
    await turn;
    if (deadline.isOver) throw deadline.passedError(false);
  };
  const decode = async (bytes: Uint8Array): Promise<StoredRecord> => {
    const parts = decodeInParts(bytes);
    for (let part = parts.next(); ; part = parts.next()) {
      if (part.done === true) return part.value;
      const turn = TURNS.pauseIfLong();
      if (turn !== undefined) await giveWay(turn);
    }
  };
  try {
    while (cursor.bufferedCount() > 0 || (await cursor.hasNext())) {
      // Nothing is awaited between this look at the clock and the decoding, as other reads wait for their turn, too.
      const turn = TURNS.pauseToRead(records.length);
      if (turn !== undefined) {
        await giveWay(turn);
        continue;
      }
      for (const bytes of cursor.readBufferedDocuments(1)) records.push(await decode(bytes));
    }
    const turn = TURNS.pauseToRead(records.length);
    if (turn !== undefined) await giveWay(turn);
    return records;
  } finally {
    await cursor.close();
  }
}
