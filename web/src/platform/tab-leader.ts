import { newKey } from './ids.ts';

/** How long a query waits for a response, and the interval of a follower's queries, in milliseconds. */
const RESPONSE_MS = 300;
const QUERY_MS = 5000;

type TabMessage = { kind: 'ask' | 'here' | 'bye'; tab: string };

/**
 * Elects one tab of this browser as the leader, without Web Locks, which need a secure context. A tab sends `ask`, the
 * leader responds, and a tab without a response becomes the leader. Event handlers send the responses, so hidden tabs
 * respond too, although their timers are throttled; a frozen tab does not respond and loses the lead. Two leaders
 * detect each other at the next query, and the one with the smaller id remains.
 * @param onChange called with true when this tab becomes the leader, with false when it no longer is
 * @returns a function that resigns for good
 */
export function electLeader(name: string, onChange: (leads: boolean) => void): () => void {
  const tab = newKey();
  const channel = new BroadcastChannel(name);
  let leads = false;
  let responseTimer: ReturnType<typeof setTimeout> | undefined;

  const send = (kind: TabMessage['kind']): void => {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage({ kind, tab } satisfies TabMessage);
  };
  const setLeads = (next: boolean): void => {
    if (leads === next) return;
    leads = next;
    onChange(next);
  };
  const query = (): void => {
    send('ask');
    clearTimeout(responseTimer);
    responseTimer = setTimeout(() => setLeads(true), RESPONSE_MS);
  };
  const resign = (): void => {
    if (leads) send('bye');
    clearTimeout(responseTimer);
    setLeads(false);
  };

  channel.addEventListener('message', ({ data: message }: MessageEvent<TabMessage>) => {
    if (message.kind === 'bye') {
      query();
    } else if (message.kind === 'ask') {
      // Of two simultaneous queries, the one with the smaller id continues; the other tab waits for its result.
      if (leads) send('here');
      else if (message.tab < tab) clearTimeout(responseTimer);
    } else {
      clearTimeout(responseTimer);
      if (leads && message.tab < tab) setLeads(false);
      else if (leads) send('here');
    }
  });
  const timer = setInterval(query, QUERY_MS);
  window.addEventListener('pagehide', resign);
  window.addEventListener('pageshow', query);
  query();

  return () => {
    clearInterval(timer);
    window.removeEventListener('pagehide', resign);
    window.removeEventListener('pageshow', query);
    resign();
    channel.close();
  };
}
