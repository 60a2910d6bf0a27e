import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { TURNS } from '#kernel/turns.js';
import { CallerBounds } from './caller-bounds.js';
import { contextOf } from './request-context.js';

/** Counts a large read until its answer is sent: a file may stream on long after its handler. */
@Injectable()
export class CostlyReads implements NestInterceptor {
  constructor(private readonly bounds: CallerBounds) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const response = http.getResponse<Response>();
    const end = await this.bounds.beginRead(contextOf(http.getRequest<Request>())!);
    // An embedded store answers without a pause. So let other requests that have arrived run first.
    await TURNS.next();
    return handler.handle().pipe(finalize(() => endWithAnswer(response, end)));
  }
}

/** If the client went away, the handler has worked on until now. */
function endWithAnswer(response: Response, end: () => void): void {
  if (response.closed) end();
  else response.once('close', end);
}
