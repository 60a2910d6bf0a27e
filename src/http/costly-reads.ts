import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { setImmediate as turn } from 'node:timers/promises';
import { finalize, type Observable } from 'rxjs';
import { CallerBounds } from './caller-bounds.js';
import { contextOf } from './request-context.js';

/** Counts a read of a list or a history for as long as the handler reads, also where whoever asked has gone away. */
@Injectable()
export class CostlyReads implements NestInterceptor {
  constructor(private readonly bounds: CallerBounds) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const end = await this.bounds.beginRead(contextOf(execution.switchToHttp().getRequest<Request>())!);
    // On a store that answers at once a read gives way to nobody: what has come is admitted or refused before it, and
    // cheap requests go on.
    await turn();
    return handler.handle().pipe(finalize(end));
  }
}
