import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import { AnswerAdapter } from './answer-adapter.js';

/**
 * Makes requests and responses with the prototypes that Express would set on each of them later. Otherwise Node 20
 * and 22 give each a hidden class of its own. A move-in then takes 1.4 times the processor time
 * (docs/upstream/express-prototypes.md). When Node 22 ends, in April 2027, delete this file and use `AnswerAdapter`.
 */
export class ServiceAdapter extends AnswerAdapter {
  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    // Only real classes let V8 make instances with the right hidden class.
    class ServiceRequest extends IncomingMessage {}
    class ServiceResponse extends ServerResponse<ServiceRequest> {}
    Object.setPrototypeOf(ServiceRequest.prototype, application.request);
    Object.setPrototypeOf(ServiceResponse.prototype, application.response);
    application.request = ServiceRequest.prototype as Request;
    application.response = ServiceResponse.prototype as Response;
    this.setHttpServer(
      createServer({ IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse }, application),
    );
  }
}
