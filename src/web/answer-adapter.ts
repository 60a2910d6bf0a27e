import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { Answer } from './pipeline/answer.js';
import { sendAnswer } from './pipeline/send-answer.js';
import { contextOf } from './request-context.js';

/** Sends the answers that `AnswerInterceptor` makes. Nest itself sends streams. */
export class AnswerAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (body instanceof Answer) return sendAnswer(response, body);
    contextOf(response.req)?.headers.addTo(response);
    return super.reply(response, body, status) as unknown;
  }
}
