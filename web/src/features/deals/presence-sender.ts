import type { Presence } from '@forecourt/contract/presence';
import { ApiError } from '../../platform/api-error.ts';

/** The server takes one a second; a little more, so that two on their way do not come closer together. */
const TURN_MS = 1100;
/** Said again after so long: the server forgets after 30 s. */
const AGAIN_MS = 10_000;

type Ports = {
  readonly send: (presence: Presence) => Promise<unknown>;
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => () => void;
  /** Nothing could be said: what is known of others is older than this. */
  readonly onFailure: () => void;
};

/** Says where somebody is: at once, then as often as the server takes it, and again while nothing changes. */
export function createPresenceSender({ send, now, later, onFailure }: Ports) {
  let place: Presence | null = null;
  let lastTurn = -Infinity;
  let stopTimer: (() => void) | null = null;

  function sayIn(ms: number): void {
    stopTimer?.();
    stopTimer = later(say, ms);
  }
  function say(): void {
    if (place === null) return;
    lastTurn = now();
    sayIn(AGAIN_MS);
    send(place).catch((thrown: unknown) => {
      if (!(thrown instanceof ApiError) || thrown.status !== 429) onFailure();
      // Another tab of this session had the turn.
      else if (place !== null) sayIn(TURN_MS);
    });
  }

  return {
    /** The month that is open here; null: none. */
    month: (): string | null => place?.month ?? null,
    move(next: Presence): void {
      if (JSON.stringify(next) === JSON.stringify(place)) return;
      place = next;
      sayIn(Math.max(0, lastTurn + TURN_MS - now()));
    },
    /** Says the same again, as soon as it may: it may have been forgotten. */
    again: (): void => sayIn(Math.max(0, lastTurn + TURN_MS - now())),
    /** Nothing more is said, but that. */
    leave(): void {
      stopTimer?.();
      if (place === null) return;
      place = null;
      send({ month: null }).catch(() => undefined);
    },
  };
}
