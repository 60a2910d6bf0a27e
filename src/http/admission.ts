import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import type { Principal } from './authentication.js';
import { Callers } from './callers.js';
import type { OpenRequestContext } from './request-context.js';
import type { RouteOptions } from './route-options.js';

/** A caller who was admitted so long ago, in milliseconds, may have been shut out since. */
const STALE = 1_000;

/** One request's right to its route, for as long as it waits before its handler. */
export interface Admission {
  /**
   * Waits, and after a long wait asks again who calls: a body may come for as long as the server's bound lets it.
   * @param undo what was waited for, where the caller is refused now
   * @throws ApiError as {@link Callers.admit}
   */
  during<T>(waiting: Promise<T>, undo?: (result: T) => Promise<void>): Promise<T>;
  /** Holds what an operator's form names to the scope, as the path is. @throws ApiError 404. @throws StoreUnavailableError */
  ofForm(): Promise<void>;
}

/** Lets callers in, and sees to it that who was shut out while waiting does not go on. */
@Injectable()
export class Admissions {
  constructor(
    private readonly callers: Callers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** As {@link Callers.readAhead}. */
  readAhead(request: Request, route: RouteOptions): Principal | undefined {
    return this.callers.readAhead(request, route);
  }

  /** @throws ApiError, StoreUnavailableError as {@link Callers.admit} */
  async admit(request: Request, context: OpenRequestContext, route: RouteOptions): Promise<Admission> {
    await this.callers.admit(request, context, route);
    return {
      ofForm: () => this.callers.admitForm(request, context),
      during: async (waiting, undo) => {
        const since = this.clock.now();
        const result = await waiting;
        if (this.clock.now() - since < STALE) return result;
        try {
          await this.callers.admit(request, context, route);
        } catch (refusal) {
          await undo?.(result);
          throw refusal;
        }
        return result;
      },
    };
  }
}
