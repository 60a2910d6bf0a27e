import { lastOf, type Refused } from '../page/page.js';
import { Checkbox } from '../parts/choices.js';
import { Field, Form, TextLines } from '../parts/form.js';
import { feedFieldText } from '../parts/labels.js';
import type { ShownTest } from './chosen-mapping.js';
import { mappingText, OFFERED_FIELDS } from './mapping-text.js';
import { ConnectionTest, rejectsAll, testingInPlace } from './connection-test.js';
import type { OfferedLocations } from './field-choices.js';
import type { ListedSource } from './listed-source.js';

const AN_HOUR = 60;

const LABELS = {
  name: 'Name',
  url: 'Address',
  auth_header: 'Authorization',
  interval_minutes: 'Minutes from one run to the next',
  mapping: 'What the PMS calls its fields',
} as const;

interface SourceFormProps {
  readonly action: string;
  readonly isAdmin: boolean;
  readonly refused: Refused | undefined;
  readonly locations: OfferedLocations;
  /** Absent for a new one. */
  readonly source?: ListedSource | undefined;
  /** The result of a test, or the choices of a refused form. */
  readonly tested?: ShownTest | undefined;
}

/** The buttons. Until a test of a new source has worked, the test is the main one. */
function waysOf({ source, tested, refused }: Pick<SourceFormProps, 'source' | 'tested' | 'refused'>) {
  const isWarned = refused?.values['add_anyway'] !== undefined;
  if (source !== undefined) return { isWarned, submit: 'Save', test: 'beside' } as const;
  if (tested?.failure !== null) return { isWarned, submit: 'Add without a test', test: 'first' } as const;
  const test = rejectsAll(tested, isWarned) ? 'first' : 'beside';
  return { isWarned, submit: 'Add source', test } as const;
}

/** The settings of a pull source. Only admins set the credential, and nobody sees it. */
export function SourceForm({ action, isAdmin, refused, locations, source, tested }: SourceFormProps) {
  const { submit, test, isWarned } = waysOf({ source, tested, refused });
  // A new address could send a stored credential to an attacker.
  const maySayWhere = isAdmin || source === undefined || !source.has_auth_header;
  return (
    <Form
      name="source"
      {...{ action, submit, refused }}
      other={{
        action: `${action}/test`,
        submit: 'Test connection',
        attributes: testingInPlace(`${action}/test`, '#form-source'),
        place: test,
      }}
      withInitial
    >
      <Field name="name" label={LABELS.name} value={source?.name} required maxLength={255} isKept autofocus />
      {maySayWhere ? (
        <Field
          name="url"
          label={LABELS.url}
          value={source?.url}
          hint="Your PMS tells you where it lists its units."
          required
          maxLength={2048}
        />
      ) : null}
      {credentialFields(source, isAdmin, refused)}
      <Field
        name="interval_minutes"
        label={LABELS.interval_minutes}
        value={source === undefined ? AN_HOUR : source.interval_seconds / 60}
        hint="1 to 1440, which is a day."
        type="number"
        min={1}
        max={1_440}
        step="any"
        required
        isKept
      />
      <ConnectionTest {...{ tested, isAdmin, locations, isWarned }} mapping={source?.mapping} />
      <details open={refused?.errors['mapping'] !== undefined}>
        <summary>Type what the PMS calls its fields</summary>
        <TextLines
          name="mapping"
          label={LABELS.mapping}
          value={mappingText(source?.mapping)}
          hint={`A line each, “their name = our name”, or “= -” for what is left out. Ours: ${OFFERED_FIELDS.map((one) => `“${feedFieldText(one)}”`).join(', ')}. What you type here replaces the choices above.`}
        />
      </details>
    </Form>
  );
}

function credentialFields(source: SourceFormProps['source'], isAdmin: boolean, refused: Refused | undefined) {
  if (!isAdmin) return <p class="hint">Only an admin sets the authorization.</p>;
  const keeps = source?.has_auth_header === true;
  const wasTyped = Boolean(lastOf(refused?.values['auth_header']));
  const hints = [
    wasTyped ? 'Type it again: no page repeats it.' : [],
    keeps ? 'A new value replaces the kept one.' : 'As your PMS gives it to you.',
    'Nobody can read it here. It is sent over https only, unless the service allows private addresses.',
  ];
  return (
    <>
      <Field
        name="auth_header"
        label={LABELS.auth_header}
        hint={hints.flat().join(' ')}
        type="password"
        maxLength={4096}
        autocomplete="off"
        isKept
      />
      {keeps ? <Checkbox name="drop_auth" label="Remove the kept value, and send none" /> : null}
    </>
  );
}
