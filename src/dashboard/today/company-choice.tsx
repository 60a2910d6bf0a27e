import { distinctNames } from '../frame/company-frame.js';
import { Choice } from '../parts/choice.js';

interface Choice {
  readonly company_id: string;
  readonly name: string;
}

interface CompanyChoiceProps {
  readonly of: readonly Choice[];
  readonly chosen: Choice;
  /** Whether there are more companies than these. */
  readonly hasMore: boolean;
}

/** Leads to another company's day, where there are several. */
export function CompanyChoice({ of, chosen, hasMore }: CompanyChoiceProps) {
  const options = of.some(({ company_id }) => company_id === chosen.company_id) ? of : [chosen, ...of];
  if (options.length < 2) return null;
  return (
    <form class="form line" method="get" action="/dashboard" id="form-choice">
      <Choice
        name="company_id"
        label="Company"
        options={distinctNames(options).map(({ company_id, name }) => [company_id, name] as const)}
        chosen={chosen.company_id}
      />
      <button class="quiet">Show</button>
      {hasMore ? <a href="/dashboard/companies">More companies</a> : null}
    </form>
  );
}
