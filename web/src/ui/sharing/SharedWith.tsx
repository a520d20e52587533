import type { ReactNode } from 'react';
import { texts } from '../../texts/sharing.ts';
import { initialsOf } from '../initials.ts';
import { Tooltip } from '../Tooltip.tsx';
import type { KnownShare, Levels } from './shares.ts';
import styles from './SharedWith.module.css';

/** Maximum number of initials; further users are counted. */
const SHOWN = 4;

type SharedWithProps<L extends string> = {
  shares: readonly KnownShare<L>[];
  levels: Levels<L>;
  onOpen: () => void;
};

/** The initials of users who have a share, with full names in the tooltip (docs/product/sharing.md, Share dialog). */
export function SharedWith<L extends string>({ shares, levels, onOpen }: SharedWithProps<L>): ReactNode {
  if (shares.length === 0) return <span className="ui-quiet">{texts.notShared}</span>;
  const names = shares.map(({ user, permissions }) =>
    texts.entry(user?.name ?? '', levels.find(({ value }) => value === permissions)?.label ?? ''),
  );
  return (
    <Tooltip label={names.join(', ')}>
      <button
        type="button"
        className={`ui-inline ui-gap-0 ${styles.people}`}
        aria-label={texts.open(names.join(', '))}
        onClick={onOpen}
      >
        {shares.slice(0, SHOWN).map(({ userId, user }) => (
          <span key={userId} className={`ui-center ${styles.initials}`}>
            {initialsOf(user?.name)}
          </span>
        ))}
        {shares.length > SHOWN && <span className={`ui-quiet ${styles.more}`}>+{shares.length - SHOWN}</span>}
      </button>
    </Tooltip>
  );
}
