import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { serviceUnavailable } from '#kernel/errors/api-error.js';
import { LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { contextOf } from '../request-context.js';
import { type Answer, errorAnswer } from './answer.js';
import { compressed } from './compress.js';
import { keepAnswer } from './keep-answer.js';

/** The last steps of an answer before it is sent. */
@Injectable()
export class FinishedAnswers {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Keeps the answer under the request's key, and compresses it. If it cannot be kept, the answer is 503. */
  async finish(request: Request, answer: Answer): Promise<Answer> {
    const { reservation, secret, request_id } = contextOf(request) ?? {};
    if (reservation === undefined) return compressed(request, answer);
    try {
      return await compressed(request, await keepAnswer(reservation, answer, secret));
    } catch (error) {
      this.logger.warn({ request_id, error }, 'An answer could not be kept for retries.');
      return errorAnswer(serviceUnavailable());
    }
  }
}
