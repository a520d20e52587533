import type { FlagKey } from '@forecourt/contract/permission-needs';
import { Switch } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import { flagTexts } from './record-difference.ts';
import { type RecordFormState, flagKeys, noEffect } from './record-values.ts';
import styles from './PermissionsScreen.module.css';

type GroupName = keyof typeof texts.groups;

/** A part of the record, with its description at the left. */
export function RecordGroup({ group, children }: { group: GroupName; children: ReactNode }): ReactNode {
  const id = useId();
  const { title, note } = texts.groups[group];
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div>
        <h3 id={id}>{title}</h3>
        <p className="ui-quiet ui-mt-1">{note}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

type FlagGroupProps = {
  group: GroupName;
  /** The group's name in the record. */
  flags: FlagKey extends `${infer G}.${string}` ? G : never;
  form: RecordFormState;
};

/** The flags of one group, each with its effect. A flag without effect can be turned off, but not on. */
export function FlagGroup({ group, flags, form }: FlagGroupProps): ReactNode {
  return (
    <RecordGroup group={group}>
      <div className={styles.flags}>
        {flagKeys
          .filter((key) => key.startsWith(`${flags}.`))
          .map((key) => (
            <Flag key={key} flag={key} form={form} />
          ))}
      </div>
    </RecordGroup>
  );
}

function Flag({ flag, form }: { flag: FlagKey; form: RecordFormState }): ReactNode {
  const { label, note } = flagTexts[flag];
  const reason = noEffect(flag, form.values);
  const isOn = form.values[flag];
  const error = reason !== null && form.errors[flag];
  return (
    <Switch
      label={label}
      description={
        reason === null || error ? (
          note
        ) : (
          <>
            {note} <span className={styles.reason}>{reason}</span>
          </>
        )
      }
      {...form.check(flag)}
      error={error}
      aria-invalid={Boolean(error)}
      disabled={reason !== null && !isOn}
    />
  );
}
