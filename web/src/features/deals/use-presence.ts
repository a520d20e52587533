import { useEffect, useEffectEvent, useState } from 'react';
import type { CellAddress, CellMarks } from '../../grid/grid.ts';
import { call } from '../../platform/api.ts';
import { useFirstScreenStands } from '../../platform/coming-later.ts';
import { createStore, type Store } from '../../platform/external-store.ts';
import { onLiveGap, onPresence } from '../../platform/live-events.ts';
import { currentSession } from '../../platform/session.ts';
import { viewing } from '../../platform/view-as.ts';
import { later } from './outboxes.ts';
import { createPresenceSender } from './presence-sender.ts';
import { marksOf, placeOf, type PresentPerson } from './presence.ts';
import type { Deals } from './use-deals.ts';

type PresenceOptions = {
  readonly deals: Deals;
  readonly month: string;
  readonly active: Store<CellAddress | null>;
  readonly columnIds: readonly string[];
};

const nobody: readonly PresentPerson[] = [];

/**
 * Tells others where this person is, and follows where they are (product section 4, Presence). Who looks at the product
 * as somebody else is nowhere, and sees nobody.
 */
export function usePresence({ deals, month, active, columnIds }: PresenceOptions) {
  const [people] = useState(() => createStore(nobody));
  const [marks] = useState(() => createStore<CellMarks>(new Map()));
  const [sender] = useState(() =>
    createPresenceSender({
      send: async (body) => {
        // Signed out, there is nobody to tell of; the server knows it by itself.
        if (currentSession().authenticated) {
          await call('POST /events/presence', { body, background: true, keepalive: body.month === null });
        }
      },
      now: () => performance.now(),
      later,
      onFailure: () => people.set(nobody),
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
  const stands = useFirstScreenStands();
  const follow = useEffectEvent(() => move(month));
  useEffect(() => {
    if (stands) move(month);
  }, [month, stands]);

  useEffect(() => {
    const leave = (): void => {
      sender.leave();
      people.set(nobody);
    };
    const comeBack = (): void => {
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
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      stops.forEach((stop) => stop());
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', comeBack);
    };
  }, [sender, active, people]);

  return { people, marks };
}
