import type { ReactNode } from 'react';
import { formatDateTime } from '../platform/formats.ts';
import { texts } from '../texts/timeline.ts';
import styles from './ChangeEntry.module.css';

type ChangeEntryProps = {
  byName: string;
  /** The action as a verb phrase: `changed it`. */
  done: string;
  at: string;
  timeZone: string;
  reason: string;
  changes: readonly ValueChange[];
};

/** A null `before` means that there was no value. */
type ValueChange = { readonly name: string; readonly before: string | null; readonly after: string };

/** A change of a record with its author, and the values before and after. */
export function ChangeEntry({ byName, done, at, timeZone, reason, changes }: ChangeEntryProps): ReactNode {
  return (
    <>
      <p>
        <strong>{byName}</strong> {done}{' '}
        <time className="ui-muted" dateTime={at}>
          {formatDateTime(at, timeZone)}
        </time>
      </p>
      {reason !== '' && <p className="ui-muted">{texts.reason(reason)}</p>}
      {changes.length > 0 && <ValueChanges className="ui-mt-2" changes={changes} />}
    </>
  );
}

export const ValueChanges = ({
  changes,
  className = '',
}: {
  changes: readonly ValueChange[];
  className?: string;
}): ReactNode => (
  <dl className={`ui-stack ui-gap-1 ${styles.changes} ${className}`}>
    {changes.map(({ name, before, after }, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- several contacts have the same name
      <div key={index}>
        <dt>{name}</dt>
        <dd>
          <ChangedValue before={before} after={after} />
        </dd>
      </div>
    ))}
  </dl>
);

export const ChangedValue = ({ before, after }: Omit<ValueChange, 'name'>): ReactNode => (
  <>
    {before !== null && (
      <>
        <del>{before}</del>
        <span aria-hidden> → </span>
        <span className="ui-hidden">{texts.becomes}</span>
      </>
    )}
    <ins className={styles.after}>{after}</ins>
  </>
);
