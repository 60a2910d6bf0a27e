import type { NoticeAnswer } from '#api/operator/index.js';
import { None, Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { KIND_NAMES, OUTCOME_TEXTS } from './notice-words.js';

interface ToldProps {
  /** Newest first. */
  readonly notices: readonly NoticeAnswer[];
  readonly zone: string;
}

/** The newest texts about a unit or to a tenant. Nothing if there are none. */
export function ToldList({ notices, zone }: ToldProps) {
  if (notices.length === 0) return null;
  const rows = notices.map(({ notice_id, at, kind, text, outcome }) => ({
    key: notice_id,
    cells: [
      <Instant at={at} zone={zone} />,
      KIND_NAMES[kind],
      text ?? <None>no text</None>,
      OUTCOME_TEXTS[outcome],
    ],
  }));
  return (
    <Section title="Texts to the tenant">
      <Table caption="Texts to the tenant" head={['When', 'About', 'Text', 'Outcome']} rows={rows} />
    </Section>
  );
}
