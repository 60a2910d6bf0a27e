import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request, Response } from 'express';
import { routeOf } from './security-log.js';
import { TRAFFIC_OBSERVER, type TrafficObserver } from './traffic-observer.js';

/** Tells of every request that has ended how long it took and what it came to. */
@Injectable()
export class RequestTimes {
  constructor(@Optional() @Inject(TRAFFIC_OBSERVER) private readonly observer: TrafficObserver | undefined) {}

  watch(request: Request, response: Response): void {
    const { observer } = this;
    if (observer === undefined) return;
    const begun = performance.now();
    response.once('close', () => {
      observer.answered({
        method: request.method,
        route: routeOf(request),
        status: response.headersSent ? response.statusCode : undefined,
        seconds: (performance.now() - begun) / 1_000,
      });
    });
  }
}
