import type { LocationAdministration, ToldNotices } from '#api/operator/index.js';
import { MOST_CLOSES_IN_DAYS } from '#domain/locations/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { textsPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { Checkbox } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { Facts, Table } from '../parts/layout.js';
import { countText } from '../parts/words.js';
import { KIND_NAMES } from './notice-words.js';

type Location = ResultOf<LocationAdministration['readLocation']>;
type Preview = ResultOf<ToldNotices['previewTexts']>;

export function NoticesShown({ location: { notices } }: { readonly location: Location }) {
  const { welcome, closes_in_days, closed, opened } = notices;
  const days = closes_in_days === null ? 'Off' : `${countText(closes_in_days, 'day')} before`;
  return (
    <Facts
      of={[
        [KIND_NAMES.closed, onText(closed)],
        [KIND_NAMES.opened, onText(opened)],
        [KIND_NAMES.closes_in_days, days],
        [KIND_NAMES.welcome, onText(welcome)],
      ]}
    />
  );
}

function onText(isOn: boolean): string {
  return isOn ? 'On' : 'Off';
}

interface FormProps {
  readonly location: Location;
  readonly refused: Refused | undefined;
}

export function NoticesForm({ location: { location_id, notices }, refused }: FormProps) {
  const { welcome, closes_in_days, closed, opened } = notices;
  return (
    <Form name="notices" action={textsPath(location_id)} submit="Save texts" refused={refused} withInitial>
      <Checkbox name="closed" label="When a unit has closed" checked={closed} />
      <Checkbox name="opened" label="When it is open again" checked={opened} />
      <Field
        name="closes_in_days"
        label="Days before a unit closes"
        value={closes_in_days}
        hint="1 to 14. Empty: no such text."
        type="number"
        min={1}
        max={MOST_CLOSES_IN_DAYS}
      />
      <Checkbox name="welcome" label="When a tenant has moved in" checked={welcome} />
    </Form>
  );
}

/** Each text, and how many tenants would have got it. */
export function NoticePreview({ preview: { texts, days } }: { readonly preview: Preview }) {
  const rows = texts.map(({ kind, text, tenants }) => ({
    key: kind,
    cells: [KIND_NAMES[kind], text, countText(tenants, 'tenant')],
  }));
  return <Table caption="The texts" head={['About', 'Text', `Last ${days} days`]} rows={rows} />;
}
