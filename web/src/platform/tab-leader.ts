import { newKey } from './ids.ts';

/** How long a question waits for an answer, and how often a follower asks. In milliseconds. */
const ANSWER_MS = 300;
const ASK_MS = 5000;

type Note = { kind: 'ask' | 'here' | 'bye'; tab: string };

/**
 * Chooses one tab of this browser. Works without Web Locks, which need a secure context: a tab asks, the leader
 * answers, and silence makes the asker the leader. Answers are events and therefore come from hidden tabs too,
 * whose timers the browser slows down; a frozen tab answers nothing and loses its place. Two leaders notice
 * each other at the next question, and the smaller name stays.
 * @param onChange called with true when this tab is chosen, with false when it no longer is
 * @returns gives the place up for good
 */
export function electLeader(name: string, onChange: (leads: boolean) => void): () => void {
  const tab = newKey();
  const channel = new BroadcastChannel(name);
  let leads = false;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const say = (kind: Note['kind']): void => {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage({ kind, tab } satisfies Note);
  };
  const take = (next: boolean): void => {
    if (leads === next) return;
    leads = next;
    onChange(next);
  };
  const ask = (): void => {
    say('ask');
    clearTimeout(silence);
    silence = setTimeout(() => take(true), ANSWER_MS);
  };
  const giveUp = (): void => {
    if (leads) say('bye');
    clearTimeout(silence);
    take(false);
  };

  channel.addEventListener('message', ({ data: note }: MessageEvent<Note>) => {
    if (note.kind === 'bye') {
      ask();
    } else if (note.kind === 'ask') {
      // Two who ask at once: the smaller name goes on, the other one waits for its answer.
      if (leads) say('here');
      else if (note.tab < tab) clearTimeout(silence);
    } else {
      clearTimeout(silence);
      if (leads && note.tab < tab) take(false);
      else if (leads) say('here');
    }
  });
  const timer = setInterval(ask, ASK_MS);
  window.addEventListener('pagehide', giveUp);
  window.addEventListener('pageshow', ask);
  ask();

  return () => {
    clearInterval(timer);
    window.removeEventListener('pagehide', giveUp);
    window.removeEventListener('pageshow', ask);
    giveUp();
    channel.close();
  };
}
