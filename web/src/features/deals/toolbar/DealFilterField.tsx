import { useState, type ReactNode } from 'react';
import type { Opener } from '../../../ui/use-opener.ts';
import type { FilterOfText } from '../deal-filter.shared.ts';
import type { FilterPart } from '../views/filter.ts';
import { DealFilterButton } from './DealsToolbar.tsx';
import FilterChips from './FilterChips.tsx';
import styles from './FilterChips.module.css';

/** The filter of deals on other screens: its button, and the conditions as text. */
export default function DealFilterField({ of, opener }: { of: FilterOfText; opener: Opener }): ReactNode {
  const { filter, options, set } = of;
  const [openedAt, setOpenedAt] = useState<FilterPart | null>(null);
  return (
    <div className="ui-row">
      <DealFilterButton
        opener={opener}
        openedAt={openedAt}
        filter={filter}
        options={options}
        isElsewhere
        onChange={set}
      />
      {filter && options && (
        <div className={`ui-line ${styles.scroller}`}>
          <FilterChips
            filter={filter}
            options={options}
            onChange={set}
            onOpen={(part) => {
              setOpenedAt(part);
              opener.open();
            }}
            onEmpty={() => document.getElementById(opener.button.id)?.focus()}
          />
        </div>
      )}
    </div>
  );
}
