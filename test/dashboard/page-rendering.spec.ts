import type { CallHandler, ExecutionContext, StreamableFile } from '@nestjs/common';
import { firstValueFrom, of } from 'rxjs';
import { StreamedDownload } from '#dashboard/page/page.js';
import { PageRendering } from '#dashboard/frame/page-rendering.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { openContext, type OpenRequestContext } from '#web/request-context.js';

it('a file ends where its reader loses the rights', async () => {
  let mayRead = true;
  const demandRights = () => (mayRead ? Promise.resolve() : Promise.reject(errorOf('forbidden')));
  const request = {};
  openContext(request as never, { assertRights: demandRights, deadline: {} } as OpenRequestContext);
  const http = { getRequest: () => request, getResponse: () => ({}) };
  async function* chunks() {
    yield await Promise.resolve('one');
    mayRead = false;
    yield 'two';
  }
  const handler: CallHandler = { handle: () => of(new StreamedDownload('units.csv', 'text/csv', chunks())) };
  const rendering = new PageRendering({} as never, {} as never);
  const execution = { switchToHttp: () => http } as unknown as ExecutionContext;
  const file = (await firstValueFrom(rendering.intercept(execution, handler))) as StreamableFile;
  const read: string[] = [];
  const reading = (async () => {
    for await (const chunk of file.getStream()) read.push(String(chunk));
  })();
  await expect(reading).rejects.toMatchObject({ code: 'forbidden' });
  expect(read).toEqual(['one']);
});
