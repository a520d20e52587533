import { useMemo, type ReactNode } from 'react';
import type { CellMarks } from '../../../grid/grid.ts';
import { useStore, type Store } from '../../../platform/external-store.ts';
import { texts } from '../../../texts/deals.ts';
import { initialsOf } from '../../../ui/initials.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { presenceClass } from './presence.ts';
import { usePresence } from './use-presence.ts';
import styles from './PresentPeople.module.css';

/** Others are only counted. */
const SHOWN = 5;

/** Other users who have this month open; marks their cells. Loaded after the first rows. */
export default function PresentPeople({ marks }: { marks: Store<CellMarks> }): ReactNode {
  const { deals, view, columns, active } = useDataEntry();
  const columnIds = useMemo(() => columns.map(({ id }) => id), [columns]);
  const present = useStore(usePresence({ deals, month: view.month, active, columnIds, marks }));
  if (present.length === 0) return null;
  const others = present.slice(SHOWN);
  return (
    <ul className="ui-line ui-gap-1" aria-label={texts.alsoHere}>
      {present.slice(0, SHOWN).map((person) => (
        <li key={person._id}>
          <Badge name={person.name} className={presenceClass(person)}>
            {initialsOf(person.name)}
          </Badge>
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <Badge name={others.map(({ name }) => name).join(', ')} className="">
            +{others.length}
          </Badge>
        </li>
      )}
    </ul>
  );
}

function Badge({
  name,
  className,
  children,
}: {
  name: string;
  className: string;
  children: ReactNode;
}): ReactNode {
  return (
    <Tooltip label={name}>
      <span role="img" aria-label={name} className={`ui-center ${styles.person} ${className}`}>
        {children}
      </span>
    </Tooltip>
  );
}
