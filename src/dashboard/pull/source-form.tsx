import { MAPPED_FIELDS } from '../../pull/index.js';
import type { Refused } from '../frame/page.js';
import { Checkbox, Field, Form, TextLines } from '../parts/form.js';
import { mappingText } from './mapping-text.js';
import type { ListedSource } from './listed-source.js';

const AN_HOUR = 3_600;

interface SourceFormProps {
  readonly action: string;
  readonly submit: string;
  readonly isAdmin: boolean;
  readonly refused: Refused | undefined;
  /** What stands; absent for a new one. */
  readonly source?: ListedSource | undefined;
}

/** What an operator states of a pull source. Its credential is never shown, and set by admins alone. */
export function SourceForm({ action, submit, isAdmin, refused, source }: SourceFormProps) {
  // Whoever says where a credential is sent to could come to know it.
  const maySayWhere = isAdmin || source === undefined || !source.has_auth_header;
  return (
    <Form name="source" action={action} submit={submit} refused={refused} ofWhatStands={source !== undefined}>
      <Field name="name" label="Name" value={source?.name} required maxLength={255} />
      {maySayWhere ? (
        <Field
          name="url"
          label="Address"
          value={source?.url}
          hint="Where the PMS answers with JSON: an object whose “units” is a list of bulk entries."
          required
          maxLength={2048}
        />
      ) : null}
      {isAdmin ? credentialFields(source) : null}
      <Field
        name="interval_seconds"
        label="Seconds from one run to the next"
        value={source?.interval_seconds ?? AN_HOUR}
        hint="60 to 86400; an hour is 3600."
        type="number"
        min={60}
        max={86_400}
        required
      />
      {mappingLines(source)}
    </Form>
  );
}

function mappingLines(source: SourceFormProps['source']) {
  return (
    <TextLines
      name="mapping"
      label="What the PMS calls its fields"
      value={mappingText(source?.mapping ?? null)}
      hint={`A line each, “their name = our name”, or “= -” for what is left out. Ours are ${MAPPED_FIELDS.join(', ')}. Empty where the PMS uses them already, or to choose them after a connection test.`}
    />
  );
}

function credentialFields(source: SourceFormProps['source']) {
  const keeps = source?.has_auth_header === true;
  return (
    <>
      <Field
        name="auth_header"
        label="Value of the Authorization header"
        hint={`${keeps ? 'One is kept, and shown to nobody; what is typed here takes its place.' : 'Like “Bearer …”; shown to nobody once it is saved.'} Sent over https alone, unless the service is set to allow private addresses: then over plain http, too, where anybody on the way reads it.`}
        type="password"
        maxLength={4096}
        autocomplete="off"
      />
      {keeps ? <Checkbox name="drop_auth" label="Forget the one that is kept, and send none" /> : null}
    </>
  );
}
