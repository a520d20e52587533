import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { Button } from '@mantine/core';
import X from 'lucide-react/icons/x';
import { useRef, type ReactNode } from 'react';
import { texts } from '../../../texts/deal-filter.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { focusTable } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import { partText } from '../views/filter-texts.ts';
import { withoutPart, type FilterPart } from '../views/filter.ts';
import styles from './FilterChips.module.css';

type FilterChipsProps = {
  filter: ColumnFilter;
  options: DealOptions;
  onChange: (filter: ColumnFilter | null) => void;
  /** Opens the panel at a condition or group. */
  onOpen: (part: FilterPart) => void;
  /** Moves the focus after the last condition was removed. */
  onEmpty?: () => void;
};

/** The conditions of the filter as text. A click opens one in the panel; Delete removes it. */
export default function FilterChips({
  filter,
  options,
  onChange,
  onOpen,
  onEmpty = focusTable,
}: FilterChipsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const { match, conditions } = filter;

  const remove = (at: number): void => {
    onChange(withoutPart(filter, at));
    // The next chip moves into its place.
    const next = Math.min(at, conditions.length - 2);
    requestAnimationFrame(() => {
      const chip = list.current?.children[next]?.querySelector('button');
      if (chip) chip.focus();
      else onEmpty();
    });
  };

  return (
    <>
      <ul ref={list} aria-label={texts.chips} className={`ui-row ${styles.list}`}>
        {conditions.map((part, at) => {
          const text = partText(part, options);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the focused chip stays when the one before it is removed
            <li key={at} className={`ui-line ui-gap-0 ${styles.chip}`}>
              <button
                type="button"
                className={`ui-ellipsis ${styles.words}`}
                onClick={() => onOpen(part)}
                onKeyDown={({ key }) => /^(Delete|Backspace)$/.test(key) && remove(at)}
              >
                {text}
              </button>
              <button
                type="button"
                className={`ui-center ${styles.remove}`}
                aria-label={texts.remove(text)}
                onClick={() => remove(at)}
              >
                <X size={12} />
              </button>
            </li>
          );
        })}
      </ul>
      {conditions.length > 1 && (
        <Segments
          className={styles.match ?? ''}
          size="xs"
          aria-label={texts.match}
          labels={texts.matchesAlone}
          value={match}
          onChange={(next) => onChange({ ...filter, match: next })}
        />
      )}
      <Button
        className="ui-fixed"
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          onChange(null);
          onEmpty();
        }}
      >
        {texts.clear}
      </Button>
    </>
  );
}
