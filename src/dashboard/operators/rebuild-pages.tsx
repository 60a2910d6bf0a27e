import { Get, Post } from '@nestjs/common';
import { ForOperators } from '../../http/operator-access.js';
import type { DataOf } from '../../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { ObjectBody } from '../../http/validation/valid.js';
import { ViewsRebuildController } from '../../operator/index.js';
import { Page, type Refused, SeeOther } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';
import { instantText } from '../parts/words.js';

type Rebuild = DataOf<ViewsRebuildController['state']>;

const PATH = '/dashboard/rebuild';

/** The rebuild of the views, for admins of all companies. */
@ForOperators('admin')
@Pages('dashboard/rebuild')
export class RebuildPages {
  constructor(private readonly rebuild: ViewsRebuildController) {}

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
        await this.rebuild.request(context);
        return new SeeOther(PATH, 'rebuild');
      },
      again: (refused) => this.#page(context, refused),
    });
  }

  async #page(context: OperatorContext, refused?: Refused): Promise<Page> {
    const { data } = await this.rebuild.state(context);
    const content = (
      <Section title="Make all pages’ data anew">
        <p>
          Lists and access decisions are made from the events of the history. Make them anew if a list or a
          decision does not fit the history. Everything goes on meanwhile.
        </p>
        <p>{stateText(data)}</p>
        <Form name="rebuild" action={PATH} submit="Make the data anew" refused={refused} />
      </Section>
    );
    return new Page('Data of the pages', content, refused?.status);
  }
}

function stateText({ state, share_done, seconds_left, finished_at }: Rebuild): string {
  switch (state) {
    case 'none':
      return 'It has not been made anew at an operator’s request yet.';
    case 'waiting':
      return 'It is about to begin.';
    case 'running':
      return `It is running: ${Math.floor(share_done * 100)} % done${seconds_left === null ? '' : `, ${seconds_left} s left`}.`;
    case 'done':
      return `It was last made anew at ${instantText(finished_at!)}.`;
    case 'failed':
      return `The last try failed at ${instantText(finished_at!)}. The service’s log says why. Start it again.`;
  }
}
