import { Switch } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import { flagWords } from './record-difference.ts';
import type { RecordFormState } from './record-form-state.ts';
import { flagKeys, type FlagKey } from './record-values.ts';
import styles from './PermissionsScreen.module.css';

type GroupName = keyof typeof texts.groups;

/** A part of the record with what it is about at its left. */
export function RecordGroup({ group, children }: { group: GroupName; children: ReactNode }): ReactNode {
  const id = useId();
  const { title, note } = texts.groups[group];
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div>
        <h3 id={id} className={styles.groupTitle}>
          {title}
        </h3>
        <p className={styles.groupNote}>{note}</p>
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

/** The flags of one group, each with what it allows. */
export function FlagGroup({ group, flags, form }: FlagGroupProps): ReactNode {
  return (
    <RecordGroup group={group}>
      <div className={styles.flags}>
        {flagKeys
          .filter((key) => key.startsWith(`${flags}.`))
          .map((key) => (
            <Switch
              key={key}
              label={flagWords[key].label}
              description={flagWords[key].note}
              {...form.check(key)}
            />
          ))}
      </div>
    </RecordGroup>
  );
}
