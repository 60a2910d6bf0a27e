import type { ResultOf } from '#kernel/result-of.js';
import { Get, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody } from '#web/validation/parameters.js';
import { RebuildAdministration } from '#api/operator/index.js';
import { Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { Form } from '../parts/form.js';
import { Section, Trail } from '../parts/layout.js';
import { instantText } from '../parts/words.js';

type Rebuild = ResultOf<RebuildAdministration['readRebuild']>;

const PATH = '/dashboard/rebuild';

/** The rebuild of the views, for admins of all companies. */
@ForOperators('admin')
@ForSiteOperators('refused')
@Pages('dashboard/rebuild')
export class RebuildPages {
  constructor(private readonly rebuild: RebuildAdministration) {}

  @Get()
  show(@Context() context: OperatorContext): Promise<Page> {
    return this.#page(context);
  }

  @Post()
  request(@ObjectBody() form: object, @Context() context: OperatorContext) {
    return submit({
      form: 'rebuild',
      values: form,
      act: async () => {
        await this.rebuild.requestRebuild(context.principal);
        return new SeeOther(PATH, 'rebuild');
      },
      again: (refused) => this.#page(context, refused),
    });
  }

  async #page(context: OperatorContext, refused?: Refused): Promise<Page> {
    const rebuild = await this.rebuild.readRebuild(context.principal);
    const content = (
      <>
        <Trail to={[['/dashboard/audit', 'Audit']]} />
        <Section title="Rebuild all lists">
          <p>
            Lists, pages and access decisions are computed from the history. Rebuild them if one does not fit
            the history. The history does not change, and the service goes on meanwhile.
          </p>
          <p>A small store takes seconds, a large one minutes. {stateText(rebuild)}</p>
          <Form name="rebuild" action={PATH} submit="Rebuild now" refused={refused} />
        </Section>
      </>
    );
    return new Page('Rebuild', content, refused?.status);
  }
}

function stateText({ state, share_done, seconds_left, finished_at }: Rebuild): string {
  switch (state) {
    case 'none':
      return 'No operator has started a rebuild yet.';
    case 'waiting':
      return 'It is about to begin.';
    case 'running':
      return `It is running: ${Math.floor(share_done * 100)} % done${seconds_left === null ? '' : `, ${seconds_left} s left`}.`;
    case 'done':
      return `The last rebuild ended at ${instantText(finished_at!)}.`;
    case 'failed':
      return `The last rebuild failed at ${instantText(finished_at!)}. The service’s log says why. Start it again.`;
  }
}
