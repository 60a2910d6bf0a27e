import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import { ApiError } from '#kernel/errors/api-error.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { cookieOf, setCookie } from '#web/cookies.js';
import { readBody } from '#web/pipeline/read-body.js';
import { contextOf } from '#web/request-context.js';
import { assertSameOrigin } from '#web/same-origin.js';
import { HttpBrowsers } from '#api/operator/index.js';
import { KeptTexts } from '#domain/operators/index.js';
import { type KeptForm, LONGEST_KEPT, packForm, unpackForm } from '../page/kept-form.js';
import type { FormValues } from '../page/page.js';

const COOKIE = 'operator_form';

/**
 * Forms that were sent after the session had ended. The browser keeps the last one in a cookie, sealed for the operator who had
 * signed in there, until that operator sees its page again. Nothing is done with it but to fill the form in.
 */
@Injectable()
export class KeptForms {
  constructor(
    private readonly texts: KeptTexts,
    private readonly browsers: HttpBrowsers,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'production'>,
  ) {}

  /**
   * @param page that had the form
   * @returns false if it is not kept: it is large, or comes from elsewhere, or nobody is known to have signed in before
   */
  async keep(request: Request, page: string | undefined): Promise<boolean> {
    const action = request.originalUrl;
    try {
      assertSameOrigin(request);
      const kept = await this.texts.sealFor(this.browsers.browserOf(request), async () =>
        packForm({ action, page, values: await valuesOf(request) }),
      );
      if (kept === undefined || kept.sealed.length > LONGEST_KEPT) return false;
      this.#set(request, kept.sealed, kept.seconds);
      return true;
    } catch (error) {
      if (error instanceof ApiError || error instanceof StoreUnavailableError) return false;
      throw error;
    }
  }

  /** The form that this operator had sent. One of somebody else is dropped. */
  find(request: Request): KeptForm | undefined {
    const sealed = cookieOf(request, COOKIE, LONGEST_KEPT);
    const principal = contextOf(request)?.principal;
    if (sealed === undefined || principal?.kind !== 'operator') return undefined;
    const packed = this.texts.open(sealed, principal.id);
    if (packed === undefined) this.drop(request);
    return packed === undefined ? undefined : unpackForm(packed);
  }

  drop(request: Request): void {
    this.#set(request, '', 0);
  }

  #set(request: Request, value: string, seconds: number): void {
    const { production } = this.environment;
    setCookie(request, contextOf(request)!.headers, { name: COOKIE, value, seconds, production });
  }
}

/** Read as those of a request that needs no credential. @throws ApiError if it is large, or no form */
async function valuesOf(request: Request): Promise<FormValues> {
  // The session may have ended while the body arrived.
  if (request.body === undefined) {
    const reading = readBody(request, request.res!, true, 'form');
    if (reading !== undefined) await contextOf(request)!.deadline.receive(reading);
  }
  return { ...(request.body as FormValues | undefined) };
}
