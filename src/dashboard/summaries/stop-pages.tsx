import { Get, Param, Post } from '@nestjs/common';
import { SummarySwitch } from '#domain/summaries/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { Public } from '#web/authentication.js';
import { ProvenByAddress, TakesAnyForm } from '#web/route-options.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { Pages } from '../frame/pages.js';
import { Page } from '../page/page.js';
import { Form } from '../parts/form.js';

const PATH = '/dashboard/summary/stop';
const TITLE = 'Stop the morning summary';
/** The address is the proof. */
const HEADERS = { 'Referrer-Policy': 'no-referrer' } as const;

/** The page behind the link that each mail ends with. Opening it changes nothing: mail programs look at links by themselves. */
@Public()
@Pages('dashboard/summary/stop')
export class StopPages {
  constructor(private readonly summaries: SummarySwitch) {}

  @IgnoresQuery()
  @Get(':token')
  show(@Param('token') token: string): Page {
    if (!this.summaries.knowsLink(token)) throw errorOf('not_found');
    const content = (
      <>
        <p>You get no more mails about this company. You can switch them on again under “Your account”.</p>
        <Form name="stop" action={`${PATH}/${token}`} submit="Stop these mails" />
      </>
    );
    return new Page(TITLE, content, 200, { headers: HEADERS });
  }

  /** Also sent by the button of a mail program (RFC 8058), with a form of its own. */
  @IgnoresQuery()
  @ProvenByAddress()
  @TakesAnyForm()
  @Post(':token')
  async stop(@Param('token') token: string, @ObjectBody() _form: object): Promise<Page> {
    if (!(await this.summaries.switchOffByLink(token))) throw errorOf('not_found');
    return new Page('Stopped', <p>No more mails about this company are sent to you.</p>, 200, {
      headers: HEADERS,
    });
  }
}
