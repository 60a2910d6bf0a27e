import { applyDecorators, Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { AnswersPages } from '#web/route-options.js';
import { PageErrors } from './page-errors.js';
import { PageRendering } from './page-rendering.js';

/** A controller whose handlers answer with a `Page`, a `SeeOther` or a `StreamedDownload`; their refusals are pages, too. */
export const Pages = (path: string) =>
  applyDecorators(Controller(path), AnswersPages(), UseInterceptors(PageRendering), UseFilters(PageErrors));
