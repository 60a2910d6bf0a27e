import { Catch, Injectable } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type ApiError, RequestEndedError } from '#kernel/errors/api-error.js';
import { type Answer, errorAnswer } from './pipeline/answer.js';
import { FinishedAnswers } from './pipeline/finished-answers.js';
import { removeQuotaHeaders } from './pipeline/rate-limits.js';
import { RequestLateError } from './pipeline/request-deadlines.js';
import { sendAnswer } from './pipeline/send-answer.js';
import { Refusals } from './refusals.js';
import { contextOf } from './request-context.js';
import { removeVersionHeaders } from './versions.js';

/** Answers every error of a request. */
@Injectable()
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly refusals: Refusals,
    private readonly answers: FinishedAnswers,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof RequestEndedError) return;
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    this.#end(thrown, request, response)
      .catch((fault: unknown) => {
        // Nest handles no errors of a filter, so answer here.
        const error = this.refusals.faultOf(fault, request);
        if (response.headersSent) response.destroy();
        else sendAnswer(response, errorAnswer(error));
      })
      // If that fails too, close the connection.
      .catch(() => response.destroy());
  }

  async #end(thrown: unknown, request: Request, response: Response): Promise<void> {
    const error = this.refusals.refusalOf(thrown, request);
    if (response.headersSent) {
      // A part of an answer was sent already. Closing the connection shows the client that it is incomplete.
      response.destroy();
      return;
    }
    const answer =
      thrown instanceof RequestLateError
        ? await this.answerTo(error, request)
        : await this.#answerInTime(error, request);
    if (error.code === 'not_found') removeVersionHeaders(response);
    sendAnswer(response, answer);
  }

  async #answerInTime(error: ApiError, request: Request): Promise<Answer> {
    const context = contextOf(request);
    const finished = this.#finished(error, request);
    // Express failed before the first middleware.
    if (context === undefined) return finished;
    // The token ended while the request waited, so do not reveal the company's quota.
    if (error.code === 'unauthorized' && context.principal !== undefined) removeQuotaHeaders(context.headers);
    try {
      const answer = await context.deadline.race(finished);
      context.deadline.answer();
      return answer;
    } catch (late) {
      if (!(late instanceof RequestLateError)) throw late;
      return this.answerTo(this.refusals.refusalOf(late, request), request);
    }
  }

  async #finished(error: ApiError, request: Request): Promise<Answer> {
    return this.answers.finish(request, await this.answerTo(error, request));
  }

  /** The answer to an error. To a 5xx it needs no store. */
  protected answerTo(error: ApiError, _request: Request): Answer | Promise<Answer> {
    return errorAnswer(error);
  }
}
