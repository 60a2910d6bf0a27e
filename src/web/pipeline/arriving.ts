import type { Request, Response } from 'express';
import type { OpenRequestContext } from '../request-context.js';
import type { RouteOptions } from '../route-options.js';

export interface Arriving {
  readonly request: Request;
  readonly response: Response;
  readonly route: RouteOptions;
  readonly context: OpenRequestContext;
}
