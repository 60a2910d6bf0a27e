import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { setImmediate } from 'node:timers/promises';
import { finalize, type Observable } from 'rxjs';
import { CallerBounds } from './caller-bounds.js';
import { contextOf } from './request-context.js';

/** Counts a large read until its handler ends, also if the client went away. */
@Injectable()
export class CostlyReads implements NestInterceptor {
  constructor(private readonly bounds: CallerBounds) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const end = await this.bounds.beginRead(contextOf(execution.switchToHttp().getRequest<Request>())!);
    // An embedded store answers without a pause. So let other requests that have arrived run first.
    await setImmediate();
    return handler.handle().pipe(finalize(end));
  }
}
