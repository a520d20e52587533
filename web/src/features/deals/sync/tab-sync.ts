import type { Deal } from '@forecourt/contract/deals';
import { viewing } from '../../../platform/view-as.ts';
import type { DealDraft } from './draft.ts';

/** What a tab publishes to the user's other tabs: the current drafts, including settled ones, and saved rows. */
export type TabMessage =
  | { readonly kind: 'drafts'; readonly drafts: readonly DealDraft[] }
  | { readonly kind: 'deal'; readonly key: string; readonly deal: Deal };

export type TabChannel = {
  readonly publish: (message: TabMessage) => void;
  /** Returns a function that closes the channel. Nothing is published after that. */
  readonly subscribe: (receive: (message: TabMessage) => void) => () => void;
};

/**
 * Connects the user's tabs: text typed in one is in all of them, so that no row is completed twice. A tab that views
 * as another user neither publishes nor receives their drafts (platform/drafts.ts).
 */
export function createTabChannel(userId: string): TabChannel {
  if (viewing !== null) return { publish: () => undefined, subscribe: () => () => undefined };
  const channel = new BroadcastChannel(`deal-drafts ${userId}`);
  let isOpen = true;
  return {
    publish(message) {
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      if (isOpen) channel.postMessage(message);
    },
    subscribe(receive) {
      channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => receive(data));
      return () => {
        isOpen = false;
        channel.close();
      };
    },
  };
}

/** How long a query waits for responses of other tabs, in milliseconds. */
const RESPONSE_MS = 300;

type QueryMessage = { readonly kind: 'ask' } | { readonly kind: 'here'; readonly name: string };

/**
 * Asks the user's other tabs what they have open, and responds to theirs. What no tab has open is from a closed one.
 * @param kind the kind of thing: forms of rows, editors of cells
 * @param getOpenHere returns the name of what this tab has open
 */
export function createOtherTabsQuery(kind: string, userId: string, getOpenHere: () => string | null) {
  const channel = new BroadcastChannel(`${kind} ${userId}`);
  const found = new Set<string>();
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  const send = (message: QueryMessage): void => channel.postMessage(message);
  channel.addEventListener('message', ({ data: message }: MessageEvent<QueryMessage>) => {
    const name = getOpenHere();
    if (message.kind === 'here') found.add(message.name);
    else if (name !== null) send({ kind: 'here', name });
  });
  return {
    /** Returns the names of what other tabs have open. */
    async findOpen(): Promise<ReadonlySet<string>> {
      send({ kind: 'ask' });
      await new Promise((resolve) => setTimeout(resolve, RESPONSE_MS));
      return found;
    },
    stop: (): void => channel.close(),
  };
}
