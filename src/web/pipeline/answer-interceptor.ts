import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { Refusals } from '../refusals.js';
import { contextOf, type OpenRequestContext } from '../request-context.js';
import { type Answer, errorAnswer } from './answer.js';
import { FinishedAnswers } from './finished-answers.js';
import { makeAnswer } from './make-answer.js';
import { RequestLateError } from './request-deadlines.js';

type Sent = Answer | StreamableFile;

/**
 * The one interceptor of all routes. It makes the answer of what the handler returns, keeps it under the request's key and
 * compresses it, until the deadline. Errors are answered by `ErrorFilter`.
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly answers: FinishedAnswers,
    private readonly refusals: Refusals,
  ) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<Sent>> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    // Nest has set the route's status.
    const { statusCode } = http.getResponse<Response>();
    const context = contextOf(request)!;
    if (context.replay !== undefined) return of(await this.answers.finish(request, context.replay));
    const value = lastValueFrom(handler.handle(), { defaultValue: undefined });
    return of(await this.#inTime(request, context, this.#answerOf(value, statusCode, request)));
  }

  async #inTime(request: Request, { deadline }: OpenRequestContext, answering: Promise<Sent>): Promise<Sent> {
    try {
      const sent = await deadline.race(answering);
      deadline.answer();
      return sent;
    } catch (error) {
      if (error instanceof RequestLateError) void this.#endLate(answering, request);
      throw error;
    }
  }

  async #answerOf(value: Promise<unknown>, status: number, request: Request): Promise<Sent> {
    const made = await value;
    if (made instanceof StreamableFile) return made;
    return this.answers.finish(request, makeAnswer(made, status, request));
  }

  /** What the work answers after the deadline is kept for a retry, but not sent. */
  async #endLate(answering: Promise<Sent>, request: Request): Promise<void> {
    try {
      const sent = await answering;
      if (sent instanceof StreamableFile) sent.getStream().destroy();
    } catch (error) {
      await this.answers.finish(request, errorAnswer(this.refusals.refusalOf(error, request)));
    }
  }
}
