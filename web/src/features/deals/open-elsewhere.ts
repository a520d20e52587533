/** How long a question waits for the answers of other tabs, in milliseconds. */
const ANSWER_MS = 300;

type Note = { readonly kind: 'ask' } | { readonly kind: 'here'; readonly name: string };

/**
 * Tells what is open in another tab of this person from what a closed one has left.
 * @param kind what is asked about: forms of rows, editors of cells
 * @param openHere the name of what is open in this tab
 */
export function openElsewhere(kind: string, userId: string, openHere: () => string | null) {
  const channel = new BroadcastChannel(`${kind} ${userId}`);
  const found = new Set<string>();
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  const say = (note: Note): void => channel.postMessage(note);
  channel.addEventListener('message', ({ data: note }: MessageEvent<Note>) => {
    const name = openHere();
    if (note.kind === 'here') found.add(note.name);
    else if (name !== null) say({ kind: 'here', name });
  });
  return {
    async ask(): Promise<ReadonlySet<string>> {
      say({ kind: 'ask' });
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      return found;
    },
    stop: (): void => channel.close(),
  };
}
