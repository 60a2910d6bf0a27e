import { Injectable } from '@nestjs/common';
import { SERVICE_VERSION } from '#kernel/service-version.js';
import { PublicContent } from '../public-content.js';
import { DescribedRoutes } from './described-routes.js';
import { type Edition, openApiDocument } from './document.js';

interface Served {
  readonly content: PublicContent;
  readonly etag: string;
}

/** The descriptions of the running application. Each is made once, at the first request. */
@Injectable()
export class OpenApi {
  readonly #served = new Map<Edition, Served>();

  constructor(private readonly routes: DescribedRoutes) {}

  served(edition: Edition = 'current'): Served {
    const known = this.#served.get(edition) ?? this.#make(edition);
    this.#served.set(edition, known);
    return known;
  }

  #make(edition: Edition): Served {
    const text = JSON.stringify(openApiDocument(this.routes.all(), SERVICE_VERSION, edition));
    const content = new PublicContent('application/json; charset=utf-8', text);
    // A weak tag, because compressed and plain forms share it.
    return { content, etag: `W/"${content.fingerprint}"` };
  }
}
