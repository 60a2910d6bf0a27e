import type { LocationAdministration, ToldNotices } from '#api/operator/index.js';
import { MOST_CLOSES_IN_DAYS } from '#domain/locations/index.js';
import { NOTICE_KINDS } from '#domain/notices/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { textsPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { Checkbox } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { Facts, Table } from '../parts/layout.js';
import { capitalized } from '../parts/labels.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';
import { KIND_NAMES, noticeStates } from './notice-words.js';

type Location = ResultOf<LocationAdministration['readLocation']>;
type Preview = ResultOf<ToldNotices['previewTexts']>;

export function NoticesShown({ location: { notices } }: { readonly location: Location }) {
  const states = noticeStates(notices);
  return <Facts of={NOTICE_KINDS.map((kind) => [KIND_NAMES[kind], capitalized(states[kind])] as const)} />;
}

interface FormProps {
  readonly location: Location;
  readonly refused: Refused | undefined;
}

export function NoticesForm({ location: { location_id, notices }, refused }: FormProps) {
  const { welcome, closes_in_days, closed, opened } = notices;
  return (
    <Form name="notices" action={textsPath(location_id)} submit="Save texts" refused={refused} withInitial>
      <Checkbox name="closed" label="When a unit is locked out" checked={closed} />
      <Checkbox name="opened" label="When it is open again" checked={opened} />
      <Field
        name="closes_in_days"
        label="Days before a unit is locked out"
        value={closes_in_days}
        hint="1 to 14. Empty: no such text. For a lockout that is nearer when you switch it on, none is sent."
        type="number"
        min={1}
        max={MOST_CLOSES_IN_DAYS}
      />
      <Checkbox name="welcome" label="When a tenant has moved in" checked={welcome} />
    </Form>
  );
}

/** Each text, whether it is on, and how many tenants would have got it. */
export function NoticePreview({ preview: { notices, texts, days } }: { readonly preview: Preview }) {
  const states = noticeStates(notices);
  const rows = texts.map(({ kind, text, tenants }) => ({
    key: kind,
    cells: [
      KIND_NAMES[kind],
      <Mark tone={notices[kind] ? 'good' : 'calm'}>{capitalized(states[kind])}</Mark>,
      text,
      countText(tenants, 'tenant'),
    ],
  }));
  return <Table caption="The texts" head={['About', 'Now', 'Text', `Last ${days} days`]} rows={rows} />;
}
