import type { LocationAdministration } from '#api/operator/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { sharingPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { Checkbox } from '../parts/choices.js';
import { Form } from '../parts/form.js';

interface SharingFormProps {
  readonly location: ResultOf<LocationAdministration['readLocation']>;
  readonly refused: Refused | undefined;
}

export function SharingForm({ location: { location_id, tenant_sharing }, refused }: SharingFormProps) {
  return (
    <Form name="sharing" action={sharingPath(location_id)} submit="Save" refused={refused} withInitial>
      <Checkbox
        name="tenant_sharing"
        label="Tenants may share their units"
        checked={tenant_sharing}
        hint="Off: nobody new is let in. Shares that were accepted go on until they end; end them on the unit’s page."
      />
    </Form>
  );
}
