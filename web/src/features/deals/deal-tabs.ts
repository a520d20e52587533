import type { Deal } from '@forecourt/contract/deals';
import { viewing } from '../../platform/view-as.ts';
import type { DealDraft } from './deal-draft.ts';

/** What a tab tells the others of the same person: drafts as they are now, settled ones too, and saved rows. */
export type TabNote =
  | { readonly kind: 'drafts'; readonly drafts: readonly DealDraft[] }
  | { readonly kind: 'deal'; readonly key: string; readonly deal: Deal };

export type Tabs = {
  readonly tell: (note: TabNote) => void;
  /** Answers how to stop listening; nothing can be told after that. */
  readonly listen: (hear: (note: TabNote) => void) => () => void;
};

/**
 * The other tabs in which this person works: what is typed in one is in all, so that no row is completed twice.
 * A tab that shows the product as somebody else has nothing to do with their drafts (platform/drafts.ts).
 */
export function tabsOf(userId: string): Tabs {
  if (viewing !== null) return { tell: () => undefined, listen: () => () => undefined };
  const channel = new BroadcastChannel(`deal-drafts ${userId}`);
  let isOpen = true;
  return {
    tell(note) {
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      if (isOpen) channel.postMessage(note);
    },
    listen(hear) {
      channel.addEventListener('message', ({ data }: MessageEvent<TabNote>) => hear(data));
      return () => {
        isOpen = false;
        channel.close();
      };
    },
  };
}
