import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';
import { ApiError } from '../../platform/api-error.ts';

type NewsPorts = {
  readonly deal: (id: string) => Promise<Deal>;
  /** Whether a row is here in this version or a later one: what was sent from here comes back as news. */
  readonly isKnown: (id: string, version: number) => boolean;
  /** Whether a row is on the screen, may come with those that are being loaded, or is none of them. */
  readonly placeOf: (id: string) => 'here' | 'coming' | 'elsewhere';
  /** The rows that a message is about. */
  readonly dealsOfEmail: (emailId: string) => Promise<readonly string[]>;
  readonly onDeals: (deals: readonly Deal[]) => void;
  readonly onGone: (ids: readonly string[]) => void;
  /** Too much changed to ask for it one by one. */
  readonly reload: () => void;
  readonly later: (run: () => void, ms: number) => () => void;
};

/** Events are gathered for this long, so that a burst is one change of the table. */
const GATHER_MS = 80;

/** More changed rows than this are loaded as a view. */
const MANY = 60;

/** Follows what others change: gathers events, asks for the rows concerned and hands them on together. */
export function createDealNews(ports: NewsPorts) {
  const { deal, isKnown, placeOf, dealsOfEmail, onDeals, onGone, reload, later } = ports;
  /** With the version that each has now; null: something about it changed that has no version. */
  let ids = new Map<string, number | null>();
  let stopTimer: (() => void) | null = null;
  let stopped = false;

  function askLater(): void {
    stopTimer ??= later(() => void ask(), GATHER_MS);
  }

  async function ask(): Promise<void> {
    stopTimer = null;
    const gathered = Map.groupBy(ids, ([id]) => placeOf(id));
    ids = new Map(gathered.get('coming'));
    if (ids.size > 0) askLater();
    const asked = (gathered.get('here') ?? []).flatMap(([id, version]) =>
      version !== null && isKnown(id, version) ? [] : [id],
    );
    if (asked.length > MANY) return reload();
    const answers = await Promise.allSettled(asked.map(deal));
    if (stopped) return;
    const gone = asked.filter((_, at) => isGone(answers[at]));
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (found.length > 0) onDeals(found);
    if (gone.length > 0) onGone(gone);
  }

  function gather(id: string, version: number | null): void {
    const before = ids.get(id);
    ids.set(id, before === null || version === null ? null : Math.max(before ?? 0, version));
    askLater();
  }

  return {
    onDeal({ recordId, action, version }: LiveEvent): void {
      if (action !== 'deleted') return gather(recordId, version);
      ids.delete(recordId);
      onGone([recordId]);
    },
    onEmail({ recordId }: LiveEvent): void {
      dealsOfEmail(recordId).then(
        (about) => about.forEach((id) => gather(id, null)),
        // A message that may not be seen, or no line: the row's own event or the next load tells it.
        () => undefined,
      );
    },
    stop(): void {
      stopped = true;
      stopTimer?.();
    },
  };
}

const isGone = (answer: PromiseSettledResult<Deal> | undefined): boolean =>
  answer?.status === 'rejected' && answer.reason instanceof ApiError && answer.reason.status === 404;
