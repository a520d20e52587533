import type { PresentPerson } from '@forecourt/contract/presence';
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import type { CellMarks } from '../../../grid/grid.ts';
import { call } from '../../../platform/api.ts';
import { createStore, useStore, type Store } from '../../../platform/external-store.ts';
import { useFirstScreenReady } from '../../../platform/first-screen.ts';
import { onLiveGap, onPresence } from '../../../platform/live-events.ts';
import { later } from '../../../platform/retry-later.ts';
import { currentSession } from '../../../platform/session.ts';
import { viewing } from '../../../platform/view-as.ts';
import { texts } from '../../../texts/deals.ts';
import { initialsOf } from '../../../ui/initials.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { createPresenceSender, marksOf, placeOf, presenceClass } from './presence.ts';
import styles from './PresentPeople.module.css';

/** Further users are counted. */
const SHOWN = 5;

/** Shows other users with this month open, and marks their cells. Loaded after the first rows. */
export default function PresentPeople({ marks }: { marks: Store<CellMarks> }): ReactNode {
  const present = usePresence(marks);
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

type BadgeProps = { name: string; className: string; children: ReactNode };

function Badge({ name, className, children }: BadgeProps): ReactNode {
  return (
    <Tooltip label={name}>
      <span role="img" aria-label={name} className={`ui-center ${styles.person} ${className}`}>
        {children}
      </span>
    </Tooltip>
  );
}

const noPeople: readonly PresentPerson[] = [];

/**
 * Sends the user's position and returns the other users (docs/product/data-entry.md, Presence). During impersonation it
 * neither sends nor receives.
 * @param marks receives the cells of the others
 */
function usePresence(marks: Store<CellMarks>): readonly PresentPerson[] {
  const { deals, view, columns, active } = useDataEntry();
  const { month } = view;
  const columnIds = useMemo(() => columns.map(({ id }) => id), [columns]);
  const [people] = useState(() => createStore(noPeople));
  const [sender] = useState(() =>
    createPresenceSender({
      send: async (body) => {
        // After a sign-out the server removes the position itself.
        if (currentSession().authenticated) {
          await call('POST /events/presence', { body, background: true, keepalive: body.month === null });
        }
      },
      now: () => performance.now(),
      later,
      onFailure: () => people.set(noPeople),
    }),
  );

  const mark = useEffectEvent((ids: readonly string[]) =>
    marks.set(marksOf(people.get(), deals.table.keyOf, ids)),
  );
  const markAgain = useEffectEvent(() => mark(columnIds));
  useEffect(() => mark(columnIds), [columnIds]);

  const move = useEffectEvent((shownMonth: string) => {
    const cell = active.get();
    if (viewing === null) sender.move(placeOf(shownMonth, cell, cell ? deals.rows.get(cell.key) : undefined));
  });
  const isFirstScreenReady = useFirstScreenReady();
  const follow = useEffectEvent(() => move(month));
  useEffect(() => {
    if (isFirstScreenReady) move(month);
  }, [month, isFirstScreenReady]);

  useEffect(() => {
    const leave = (): void => {
      sender.leave();
      people.set(noPeople);
    };
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') sender.again();
    };
    const onShow = (): void => follow();
    const stops = [
      active.subscribe(() => follow()),
      people.subscribe(() => markAgain()),
      onPresence((presence) => {
        if (presence.month === sender.month()) people.set(presence.people);
      }),
      onLiveGap(() => sender.again()),
      leave,
    ];
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', onShow);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      stops.forEach((stop) => stop());
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [sender, active, people]);

  return useStore(people);
}
