import type { PresentPerson } from '@forecourt/contract/presence';
import { useEffect, useEffectEvent, useState } from 'react';
import type { CellAddress, CellMarks } from '../../../grid/grid.ts';
import { call } from '../../../platform/api.ts';
import { createStore, type Store } from '../../../platform/external-store.ts';
import { useFirstScreenReady } from '../../../platform/first-screen.ts';
import { onLiveGap, onPresence } from '../../../platform/live-events.ts';
import { later } from '../../../platform/retry-later.ts';
import { currentSession } from '../../../platform/session.ts';
import { viewing } from '../../../platform/view-as.ts';
import type { Deals } from '../use-deals.ts';
import { createPresenceSender, marksOf, placeOf } from './presence.ts';

type PresenceOptions = {
  readonly deals: Deals;
  readonly month: string;
  readonly active: Store<CellAddress | null>;
  readonly columnIds: readonly string[];
  /** Set to the cells of the others. */
  readonly marks: Store<CellMarks>;
};

const noPeople: readonly PresentPerson[] = [];

/**
 * Sends the user's position and receives others' (docs/product/data-entry.md, Presence). A user viewing as another
 * one sends none and sees nobody.
 */
export function usePresence({ deals, month, active, columnIds, marks }: PresenceOptions) {
  const [people] = useState(() => createStore(noPeople));
  const [sender] = useState(() =>
    createPresenceSender({
      send: async (body) => {
        // After signing out the server removes the position itself.
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

  const move = useEffectEvent((shown: string) => {
    const cell = active.get();
    if (viewing === null) sender.move(placeOf(shown, cell, cell ? deals.rows.get(cell.key) : undefined));
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

  return people;
}
