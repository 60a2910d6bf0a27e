import { Injectable } from '@nestjs/common';
import { CompanyClocks, type CompanyDocument } from '#domain/companies/index.js';
import type { DayFigures, SummaryFigures } from '#domain/summaries/index.js';
import { toCents } from '#kernel/money.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import type { Deadline } from '#kernel/yielder.js';
import { CompanyToday } from '../today/company-today.js';

/** The figures of Today for the morning summary. */
@Injectable()
export class TodayFigures implements SummaryFigures {
  constructor(
    private readonly today: CompanyToday,
    private readonly clocks: CompanyClocks,
  ) {}

  async readFigures(
    company: CompanyDocument,
    operator: OperatorPrincipal,
    deadline: Deadline,
  ): Promise<DayFigures> {
    const clock = this.clocks.clockOf(company);
    const today = await this.today.readToday(company._id, clock, { scope: operator, deadline });
    const { locked_out, lost_access, losing_access, unsent_texts } = today;
    return {
      locked_out: {
        tenants: locked_out.tenants,
        units: locked_out.units,
        owed: locked_out.owed_by_currency.map(({ currency, owed }) => ({ currency, cents: toCents(owed) })),
      },
      lost: lost_access.counted_at === null ? null : lost_access.dates,
      losing: { days: losing_access.days, dates: losing_access.dates },
      in_auction: today.in_auction.units,
      denied_openings: today.denied_openings.openings,
      unsent_texts: { days: unsent_texts.days, texts: unsent_texts.texts },
      failures: today.failures.failed,
      low_batteries: today.low_batteries.batteries,
      sync_problems:
        today.troubled_pull_sources.length + today.silent_tokens.length + today.rejected_bulks.length,
      damaged_histories: today.damaged_histories.length,
    };
  }
}
