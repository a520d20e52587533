/** How long a question waits for the answers of other tabs, in milliseconds. */
const ANSWER_MS = 300;

type Note = { readonly kind: 'ask' } | { readonly kind: 'here'; readonly form: string };

/**
 * Tells forms that are open in another tab of this person from those that a closed one has left.
 * @param openHere the form that is open in this tab
 */
export function formsElsewhere(userId: string, openHere: () => string | null) {
  const channel = new BroadcastChannel(`deal-forms ${userId}`);
  const found = new Set<string>();
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  const say = (note: Note): void => channel.postMessage(note);
  channel.addEventListener('message', ({ data: note }: MessageEvent<Note>) => {
    const form = openHere();
    if (note.kind === 'here') found.add(note.form);
    else if (form !== null) say({ kind: 'here', form });
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
