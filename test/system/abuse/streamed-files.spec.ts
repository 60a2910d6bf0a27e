import { EventEmitter } from 'node:events';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { lastValueFrom, of } from 'rxjs';
import type { CallerBounds } from '#web/caller-bounds.js';
import { CostlyReads } from '#web/costly-reads.js';

/** How often the slot was released by the handler's end, and after the connection was closed. */
async function releases(isClosedBefore: boolean): Promise<number[]> {
  const release = jest.fn();
  const bounds = { beginRead: () => Promise.resolve(release) } as unknown as CallerBounds;
  const response = Object.assign(new EventEmitter(), { closed: isClosedBefore });
  const http = { getResponse: () => response, getRequest: () => ({}) };
  const execution = { switchToHttp: () => http } as unknown as ExecutionContext;
  const handler: CallHandler = { handle: () => of('a file that is not sent yet') };
  await lastValueFrom(await new CostlyReads(bounds).intercept(execution, handler));
  const atEnd = release.mock.calls.length;
  response.emit('close');
  return [atEnd, release.mock.calls.length];
}

test('the slot of a large read is held until its answer is sent', async () => {
  expect(await releases(false)).toEqual([0, 1]);
});

test('the slot of a large read whose client went away is free once its handler has ended', async () => {
  expect(await releases(true)).toEqual([1, 1]);
});
