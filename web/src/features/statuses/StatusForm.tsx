import type { Status } from '@forecourt/contract/statuses';
import { Switch, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormModal } from '../../ui/FormModal.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useConflict } from '../../ui/use-conflict.ts';
import { useForm } from '../../ui/use-form.ts';
import { ColorField } from './ColorField.tsx';
import {
  colorOf,
  comparedFields,
  inputOf,
  statusErrors,
  valuesOf,
  type StatusValues,
} from './status-values.ts';
import { useSaveStatus } from './statuses.queries.ts';
import { StatusPreview } from './StatusPreview.tsx';

type StatusFormProps = {
  /** Undefined: a new one. */
  status: Status | undefined;
  onClose: () => void;
};

/** Name, colour and rules of a status (product section 5), with what rows will look like. */
export function StatusForm({ status, onClose }: StatusFormProps): ReactNode {
  const { mutateAsync } = useSaveStatus();
  const { admin } = useMay();
  const [keyFor] = useState(createIntentionKeys);

  const form = useForm<StatusValues>({
    initial: valuesOf(status),
    failed: texts.saveFailed,
    validate: statusErrors,
    submit: async (values) => {
      const input = inputOf(values, base?.version, admin);
      try {
        await mutateAsync({ id: status?._id, input, idempotencyKey: keyFor(input) });
        toastDone(status ? texts.updated : texts.created);
        onClose();
      } catch (thrown) {
        const isConflict = thrown instanceof ApiError && thrown.code === 'CONFLICT';
        if (!isConflict || !base) throw thrown;
        conflict.meet(base, thrown.current as Status, values);
      }
    },
  });
  const { values } = form;
  const conflict = useConflict<Status, StatusValues>({
    fields: comparedFields,
    valuesOf,
    put: (field, theirs) => form.set(field, theirs[field]),
  });
  // What the next save is a change of.
  const base = conflict.record ?? status;
  const [shownColor, setShownColor] = useState(values.color);
  const color = colorOf(values.color);
  // While a colour is being typed, the last whole one is shown.
  if (color !== undefined && color !== shownColor) setShownColor(color);

  return (
    <FormModal title={status ? texts.edit : texts.add} form={form} submitLabel={texts.save} onClose={onClose}>
      {conflict.changes && <ConflictNotice changes={conflict.changes} onTake={conflict.take} />}
      <TextInput label={texts.name} withAsterisk maxLength={60} data-autofocus {...form.text('name')} />
      <ColorField
        value={values.color}
        onChange={(next) => form.set('color', next)}
        error={form.errors['color']}
      />
      <StatusPreview name={values.name.trim() || texts.name} color={shownColor} />
      <Switch
        label={texts.active}
        description={base?.isDefault ? texts.defaultStays : texts.activeHint}
        disabled={base?.isDefault === true && values.active}
        {...form.check('active')}
      />
      <Switch
        label={texts.default}
        description={rule(admin, base?.isDefault ? texts.defaultStays : texts.defaultHint)}
        disabled={!admin || (base?.isDefault === true && values.isDefault)}
        {...form.check('isDefault')}
      />
      <Switch
        label={texts.closed}
        description={rule(admin, texts.closedHint)}
        disabled={!admin}
        {...form.check('isClosed')}
      />
    </FormModal>
  );
}

const rule = (admin: boolean, hint: string): string => (admin ? hint : `${hint} ${texts.adminsRules}`);
