import type { Status, StatusInput } from '@forecourt/contract/statuses';
import { Switch, TextInput } from '@mantine/core';
import { useState, type ReactNode, useId, type CSSProperties } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { pageColors, statusColors } from '../../ui/status-colors.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { StatusChip } from './StatusChip.tsx';
import { useSaveStatus, type StatusBody } from './statuses.queries.ts';
import styles from './ColorField.module.css';
import chipStyles from './StatusChip.module.css';

/** Suggested colours; any other can be typed. */
export const palette = Object.entries(texts.paletteNames).map(([color, name]) => ({ color, name }));

/** Returns a typed colour as `#rrggbb`; undefined if it is invalid. Accepts `2F6FB2` and `#26b` too. */
export function colorOf(typed: string): string | undefined {
  const digits = typed.trim().replace(/^#/, '').toLowerCase();
  if (/^[\da-f]{6}$/.test(digits)) return `#${digits}`;
  return /^[\da-f]{3}$/.test(digits) ? `#${digits.replaceAll(/./g, '$&$&')}` : undefined;
}

export const valuesOf = (status: Status | undefined): StatusInput => ({
  name: status?.name ?? '',
  // The form keeps the colour as typed: with or without `#`, in upper or lower case.
  color: status?.color ?? palette[0]?.color ?? '',
  active: status?.active ?? true,
  isDefault: status?.isDefault ?? false,
  isClosed: status?.isClosed ?? false,
  // Undecided counts as yes.
  countsForCommission: status !== undefined && status.countsForCommission !== false,
});

/** Omits fields that only administrators may change, for other users. */
export const inputOf = (
  { name, color, active, ...rules }: StatusInput,
  version: number | undefined,
  isAdmin: boolean,
): StatusBody => ({
  name,
  color: colorOf(color) ?? color,
  active,
  ...(isAdmin && rules),
  ...(version !== undefined && { version }),
});

export const rules = [
  ['isDefault', texts.default],
  ['isClosed', texts.closed],
  ['countsForCommission', texts.counts],
] as const;

const comparedFields: readonly ComparedField<StatusInput>[] = [
  { field: 'name', label: texts.name },
  { field: 'color', label: texts.color },
  { field: 'active', label: texts.status, text: ({ active }) => (active ? texts.active : texts.inactive) },
  ...rules.map(([field, label]) => ({
    field,
    label,
    text: ({ [field]: is }: StatusInput) => (is ? texts.yes : texts.no),
  })),
];

type StatusFormProps = {
  /** Undefined for a new status. */
  status: Status | undefined;
  onClose: () => void;
};

/** Name, colour and rules of a status, with a preview of a row (docs/product/items-and-statuses.md, Statuses). */
export function StatusForm({ status, onClose }: StatusFormProps): ReactNode {
  const { mutateAsync } = useSaveStatus();
  const { isAdmin } = usePermissions();

  const form = useRecordForm({
    record: status,
    valuesOf,
    inputOf: (values, base) => inputOf(values, base?.version, isAdmin),
    schema: 'status',
    fields: comparedFields,
    failed: texts.saveFailed,
    send: (input, idempotencyKey) => mutateAsync({ id: status?._id, input, idempotencyKey }),
    sent: status ? texts.updated : texts.created,
    onClose,
  });
  const { values, base } = form;
  const [shownColor, setShownColor] = useState(values.color);
  const color = colorOf(values.color);
  // While a colour is being typed, the preview shows the last valid one.
  if (color !== undefined && color !== shownColor) setShownColor(color);

  return (
    <FormModal title={status ? texts.edit : texts.add} form={form} isUnsaved={form.changed} onClose={onClose}>
      <TextInput label={texts.name} withAsterisk data-autofocus {...form.text('name')} />
      <ColorField {...form.value('color')} />
      <StatusPreview name={values.name.trim() || texts.name} color={shownColor} />
      <Switch
        label={texts.active}
        description={base?.isDefault ? texts.defaultStays : texts.activeHint}
        disabled={base?.isDefault === true && values.active}
        {...form.check('active')}
      />
      <Switch
        label={texts.default}
        description={rule(isAdmin, base?.isDefault ? texts.defaultStays : texts.defaultHint)}
        disabled={!isAdmin || (base?.isDefault === true && values.isDefault)}
        {...form.check('isDefault')}
      />
      <Switch
        label={texts.closed}
        description={rule(isAdmin, texts.closedHint)}
        disabled={!isAdmin}
        {...form.check('isClosed')}
      />
      <Switch
        label={texts.counts}
        description={rule(isAdmin, texts.countsHint)}
        disabled={!isAdmin}
        {...form.check('countsForCommission')}
      />
    </FormModal>
  );
}

const rule = (isAdmin: boolean, hint: string): string => (isAdmin ? hint : `${hint} ${texts.adminsRules}`);

type ColorFieldProps = { value: string; onChange: (color: string) => void; error: string | undefined };

/** A colour of the palette, or any colour by its hex value. */
function ColorField({ value, onChange, error }: ColorFieldProps): ReactNode {
  const name = useId();
  const chosen = colorOf(value);
  return (
    <fieldset className="ui-row ui-gap-4 ui-bottom">
      <legend className="ui-strong ui-mb-2">{texts.palette}</legend>
      <div className={styles.palette}>
        {palette.map(({ color, name: colorName }) => (
          <input
            key={color}
            type="radio"
            className={styles.color}
            data-keeps-color
            style={{ backgroundColor: color }}
            name={name}
            aria-label={colorName}
            title={colorName}
            checked={chosen === color}
            onChange={() => onChange(color)}
          />
        ))}
      </div>
      <TextInput
        flex="1"
        miw={120}
        maw={160}
        label={texts.hex}
        withAsterisk
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </fieldset>
  );
}

function StatusPreview({ name, color }: { name: string; color: string }): ReactNode {
  return (
    <section className={styles.preview} aria-label={texts.preview}>
      {(['light', 'dark'] as const).map((scheme) => {
        const { row, ink, dot } = statusColors(color, scheme);
        const page = pageColors(scheme);
        const colors = {
          '--row': row,
          '--row-ink': page.ink,
          '--page': page.surface,
          '--ink': ink,
          '--dot': dot,
        };
        return (
          <div
            key={scheme}
            className={`ui-stack ui-gap-2 ui-top ${styles.theme}`}
            style={{ colorScheme: scheme, ...colors } as CSSProperties}
          >
            <p className="ui-small">{texts[scheme]}</p>
            <p className={styles.row}>
              <span className={`${chipStyles.dotted} ${styles.status}`}>{name}</span>
              <span>{texts.previewRow}</span>
            </p>
            <StatusChip color={color}>{name}</StatusChip>
          </div>
        );
      })}
    </section>
  );
}
