import type { Deal } from '@forecourt/contract/deals';
import { viewing } from '../../../platform/view-as.ts';
import type { DealDraft } from '../deal-row.ts';

/** The messages between a user's tabs: current drafts, including settled ones, and saved rows. */
export type TabMessage =
  | { readonly kind: 'drafts'; readonly drafts: readonly DealDraft[] }
  | { readonly kind: 'deal'; readonly key: string; readonly deal: Deal };

export type TabChannel = {
  readonly publish: (message: TabMessage) => void;
  /** Returns a function that closes the channel, after which nothing is published. */
  readonly subscribe: (receive: (message: TabMessage) => void) => () => void;
};

/**
 * Connects the user's tabs: text typed in one is in all of them, so that no row is completed twice. During
 * impersonation a tab neither publishes nor receives drafts (platform/drafts.ts).
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

/** Minimum wait for responses of other tabs, and maximum wait for busy ones, in milliseconds. */
const RESPONSE_MS = 300;
const BUSY_MS = 5000;

type QueryMessage = { readonly kind: 'ask' } | { readonly kind: 'here'; readonly name: string | null };

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Queries which drafts or editors the user's other tabs have open, and responds to their queries. Others belong to
 * closed tabs. Each tab holds a lock, so that a tab too busy to respond is not taken for closed; without a secure
 * context there are no locks.
 * @param kind forms of rows, or editors of cells
 * @param getOpenHere returns the name of the open one of this tab
 */
export function createOtherTabsQuery(kind: string, userId: string, getOpenHere: () => string | null) {
  const topic = `${kind} ${userId}`;
  const channel = new BroadcastChannel(topic);
  const locks = (globalThis.navigator as Navigator | undefined)?.locks as LockManager | undefined;
  const stopped = Promise.withResolvers<void>();
  locks?.request(topic, { mode: 'shared' }, () => stopped.promise).catch(() => undefined);
  const openNames = new Set<string>();
  let responses = 0;
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  const send = (message: QueryMessage): void => channel.postMessage(message);
  channel.addEventListener('message', ({ data: message }: MessageEvent<QueryMessage>) => {
    if (message.kind === 'ask') return send({ kind: 'here', name: getOpenHere() });
    responses += 1;
    if (message.name !== null) openNames.add(message.name);
  });
  const countTabs = async (): Promise<number> =>
    (await locks?.query())?.held?.filter(({ name }) => name === topic).length ?? 0;
  return {
    /** Returns the names that other tabs have open. */
    async findOpen(): Promise<ReadonlySet<string>> {
      responses = 0;
      send({ kind: 'ask' });
      let waited = 0;
      do {
        await wait(RESPONSE_MS);
        waited += RESPONSE_MS;
      } while (waited < BUSY_MS && responses + 1 < (await countTabs()));
      return openNames;
    },
    stop: (): void => {
      channel.close();
      stopped.resolve();
    },
  };
}
