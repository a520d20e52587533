import type { Deal } from '@forecourt/contract/deals';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import LinkIcon from 'lucide-react/icons/link';
import SearchX from 'lucide-react/icons/search-x';
import Undo2 from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import '../../../ui/styles-more.ts';
import { displayText } from '../../../grid/grid.ts';
import { ApiError } from '../../../platform/api-error.ts';
import { paths } from '../../../platform/paths.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { useScreenCommands } from '../../../platform/screen-commands.ts';
import { isInField } from '../../../platform/types-into.ts';
import { texts as appTexts } from '../../../texts/app.ts';
import { texts as mergeTexts } from '../../../texts/deal-merge.ts';
import { texts } from '../../../texts/deal-page.ts';
import { texts as common } from '../../../texts/deals.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded, LoadingCard } from '../../../ui/Loaded.tsx';
import { isKeyOfPage, useRecordTitle } from '../../../ui/record-page.ts';
import { toastDone, toastFailed, toastWarning } from '../../../ui/toasts.ts';
import { useOpener } from '../../../ui/use-opener.ts';
import { useWindowKey } from '../../../ui/use-window-key.ts';
import { actionKeys, pressedKeys } from '../action-keys.ts';
import { MoreButton } from '../actions/DealActions.tsx';
import { ActionMenu } from '../actions/DealMenu.tsx';
import { createAction, mainActions, useActionScope } from '../actions/main-actions.ts';
import { moreActions } from '../actions/more-actions.ts';
import { useDealActions } from '../actions/row-actions.ts';
import type { ToolbarAction } from '../actions/screen-actions.ts';
import { useDataEntry, useRow } from '../data-entry-context.ts';
import { rowName, type DealRow } from '../deal-row.ts';
import { statusClass } from '../deals.columns.tsx';
import { commentsOpen } from '../open-parts.ts';
import { useAddress } from '../views/use-deal-view.ts';
import { dealQuery, useDuplicates, usePageRefresh } from './deal-page.queries.ts';
import { DealDetails } from './DealDetails.tsx';
import { DealTimeline, type TimelineKind } from './DealTimeline.tsx';
import styles from './DealPage.module.css';

type DealPageProps = {
  dealId: string;
  /** The action of the screen, which the page offers in its menu. */
  undo: ToolbarAction;
  /** Called with the deal that was displayed last. */
  onClosed: (dealId: string) => void;
};

/**
 * The page of a deal above the table (docs/product/data-entry.md, A page for one deal). Escape closes it; Alt+Up and
 * Alt+Down, K and J show the previous and next row of the table, Alt+C writes a comment, Alt+A moves to the files,
 * Alt+M and Alt+T decide a conflict.
 */
export default function DealPage({ dealId, undo, onClosed }: DealPageProps): ReactNode {
  const notifyClosed = useEffectEvent(() => onClosed(dealId));
  useEffect(() => {
    // Closed, because the panel has the same form of a new comment.
    commentsOpen.set(null);
    return () => notifyClosed();
  }, []);
  return <OpenDeal key={dealId} dealId={dealId} undo={undo} />;
}

function OpenDeal({ dealId, undo }: Omit<DealPageProps, 'onClosed'>): ReactNode {
  const { table } = useDataEntry().deals;
  const key = table.keyOf(dealId);
  usePageRefresh(dealId);
  const query = useQuery(dealQuery(dealId));
  const { data, error } = query;
  const inTable = useRow(key);
  // A saved change is newer than the loaded row until that is reloaded.
  const [seen, setSeen] = useState(inTable?.deal);
  if (inTable?.deal && inTable.deal !== seen) setSeen(inTable.deal);
  const loaded = seen && data && seen.version > data.version ? seen : data;
  const row: DealRow | undefined = inTable?.deal
    ? inTable
    : loaded && { key, deal: loaded, draft: undefined };
  const isGone = error instanceof ApiError && error.status === 404;
  useMergedRow(error);
  const { close, neighbourActions } = usePageNavigation(key, row?.deal ?? undefined);
  // Adds the row to the table, which may show another month or a filter.
  useEffect(() => (loaded && !isGone ? table.holdForPage(loaded) : undefined), [table, loaded, isGone]);
  const { comment, kind, setKind } = useTimelineKind();
  const root = useRef<HTMLElement>(null);
  useEffect(() => root.current?.focus({ preventScroll: true }), []);
  // The name stays after the row is deleted.
  const current = row && (rowName(row) || common.unnamed);
  const [name, setName] = useState(current);
  if (current !== undefined && current !== name) setName(current);
  const title = name ?? (isGone ? texts.title : appTexts.loading);
  useRecordTitle(name);

  useWindowKey((event) => {
    if (!isKeyOfPage(event, root.current)) return;
    const isTyping = isInField(event.target);
    const keys = pressedKeys(event);
    const toNeighbour = neighbourActions.find(
      ({ id }) => keys === actionKeys[id] || (!isTyping && keys === actionKeys[`${id}ByLetter`]),
    );
    if (event.key === 'Escape' && isTyping) root.current?.focus({ preventScroll: true });
    else if (event.key === 'Escape') close();
    else if (keys === actionKeys.comments) setKind('comments');
    else if (keys === actionKeys.attachments) goToFiles(root.current);
    else if (toNeighbour) toNeighbour.run();
    else return;
    event.preventDefault();
  });

  return (
    <section ref={root} tabIndex={-1} aria-label={title} className={styles.page}>
      <header className={`ui-row ui-between ui-gap-3 ${styles.head}`}>
        <div className="ui-anywhere">
          <div className="ui-row ui-gap-3">
            <h1>{title}</h1>
            {row && <Status row={row} />}
          </div>
          {row && <Summary row={row} />}
        </div>
        <div className={`ui-row ${styles.actions}`}>
          {neighbourActions.map(({ id, label, icon, ability, run }) => (
            <IconAction key={id} ability={ability} label={label} icon={icon} onClick={run} />
          ))}
          <IconAction label={texts.copyLink} icon={LinkIcon} onClick={() => copyLink(dealId)} />
          {row && !isGone && <Actions dealId={dealId} row={row} undo={undo} onDeleted={close} />}
          <IconAction label={texts.close} icon={X} onClick={close} />
        </div>
      </header>
      {isGone ? (
        <GoneDeal dealId={dealId} wasSeen={name !== undefined} />
      ) : (
        <Loaded of={query} message={texts.loadFailed} loading={!row && <LoadingCard />}>
          {row && (
            <div className={styles.parts}>
              <DealDetails dealId={dealId} row={row} page={root} />
              <DealTimeline dealId={dealId} kind={kind} comment={comment} onKind={setKind} />
            </div>
          )}
        </Loaded>
      )}
    </section>
  );
}

/** Leads to the row into which this one was merged. */
function useMergedRow(error: Error | null): void {
  const navigate = useNavigate();
  const mergedInto = error instanceof ApiError ? error.mergedInto : undefined;
  const lead = useEffectEvent((id: string) => {
    toastDone(mergeTexts.ledHere);
    void navigate({ to: paths.deal(id), search: true, replace: true, state: true });
  });
  useEffect(() => {
    if (mergedInto !== undefined) lead(mergedInto);
  }, [mergedInto]);
}

/** The part of the timeline, and the comment in a link, which is removed from the URL. */
function useTimelineKind() {
  const { search, change } = useAddress();
  const [selection, setShown] = useState<{ kind: TimelineKind; comment?: string }>({ kind: 'all' });
  const { comment } = search;
  if (comment !== undefined && comment !== selection.comment) setShown({ kind: 'comments', comment });
  const clean = useEffectEvent(() => change({ comment: undefined }));
  useEffect(() => {
    if (comment !== undefined) clean();
  }, [comment]);
  return { ...selection, setKind: (kind: TimelineKind) => setShown({ kind }) };
}

const neighbours = [
  { id: 'previousDeal', step: -1, label: texts.previous, none: texts.noPrevious, icon: ArrowUp },
  { id: 'nextDeal', step: 1, label: texts.next, none: texts.noNext, icon: ArrowDown },
] as const;

/**
 * Returns a function that closes the page, and the actions that show another row. A page opened from the table or
 * another page closes by going back, others by opening the table in the row's month.
 */
function usePageNavigation(key: string, deal: Deal | undefined) {
  const { rows } = useDataEntry().deals;
  const navigate = useNavigate();
  const { history } = useRouter();
  const { canGoBack = false } = useLocation().state;
  const { search, change } = useAddress();
  const order = useSyncExternalStore(rows.subscribeOrder, rows.getOrder);

  const month = deal?.month;
  const showMonth = useEffectEvent((shownMonth: string) => {
    const isChosen = search['month'] !== undefined || search['search'] !== undefined;
    if (!canGoBack && !isChosen && !rows.get(key)) change({ month: shownMonth });
  });
  // A link has no month, so the table below switches to the row's, which makes the row editable.
  useEffect(() => {
    if (month !== undefined) showMonth(month);
  }, [month]);

  const idAt = (step: number): string | undefined => {
    const at = order.indexOf(key);
    return at < 0 ? undefined : rows.get(order[at + step] ?? '')?.deal?._id;
  };

  return {
    close: (): void => {
      if (canGoBack) history.back();
      else
        void navigate({ to: paths.dataEntry, search: { ...search, ...(month !== undefined && { month }) } });
    },

    /** Show the previous and next row of the table instead of this one; going back leads to the table. */
    neighbourActions: neighbours.map(({ step, none, ...action }) => ({
      ...action,
      ability: idAt(step) !== undefined || none,
      run: (): void => {
        const id = idAt(step);
        if (id !== undefined) void navigate({ to: paths.deal(id), search: true, replace: true, state: true });
      },
    })),
  };
}

function goToFiles(page: HTMLElement | null): void {
  const files = page?.querySelector<HTMLElement>('[data-files]');
  files?.scrollIntoView({ block: 'nearest' });
  (files?.querySelector('button') ?? files)?.focus({ preventScroll: true });
}

function copyLink(dealId: string): void {
  if (copyText(new URL(paths.deal(dealId), window.location.origin).href)) toastDone(texts.copied);
  else toastWarning(texts.notCopied);
}

function Status({ row: { deal } }: { row: DealRow }): ReactNode {
  const { options } = useDataEntry();
  const status = deal?.status;
  if (status === undefined) return null;
  const colours = statusClass(options?.statuses ?? [], status) ?? '';
  return <span className={`ui-strong ui-nowrap ${styles.status} ${colours}`}>{status}</span>;
}

function Summary({ row }: { row: DealRow }): ReactNode {
  const { columns } = useDataEntry();
  const parts = ['dealershipId', 'month', 'owner'].map((id) => {
    const column = columns.find((each) => each.id === id);
    return column && row.deal && id in row.deal && displayText(column, row, '');
  });
  return <p className="ui-muted">{parts.filter(Boolean).join(' · ')}</p>;
}

type ActionsProps = Omit<DealPageProps, 'onClosed'> & { row: DealRow; onDeleted: () => void };

/** The actions on the row in one menu. */
function Actions({ dealId, row, undo, onDeleted }: ActionsProps): ReactNode {
  const { button, part } = useOpener('menu');
  const scope = useActionScope({ rows: [row], duplicates: useDuplicates(dealId), onDeleted });
  const main = mainActions(scope);
  const { items, status, month, merge, doNotContact, history, xlsx, csv } = moreActions(scope);
  const ofRow = [
    [main.email, status, items, month, merge],
    [main.share, main.transfer, doNotContact, history],
    [xlsx, csv],
    [main.delete],
  ];
  useScreenCommands(() => ofRow.flat().flatMap((action) => action || []));
  return (
    <>
      <MoreButton {...button} />
      {part && (
        <ActionMenu
          part={part}
          label={rowName(row) || common.unnamed}
          groups={[[createAction('undo', undo.label, Undo2, undo.run, { keys: undo.keys })], ...ofRow]}
        />
      )}
    </>
  );
}

type GoneDealProps = {
  dealId: string;
  wasSeen: boolean;
};

/** A row that was deleted or is hidden from the user. Administrators, from whom nothing is hidden, may restore it. */
function GoneDeal({ dealId, wasSeen }: GoneDealProps): ReactNode {
  const { isAdmin } = usePermissions();
  const { restore } = useDealActions();
  const [isBusy, setBusy] = useState(false);
  const bringBack = async (): Promise<void> => {
    setBusy(true);
    try {
      await restore([dealId]);
      toastDone(texts.restored);
    } catch (thrown) {
      toastFailed(thrown, texts.restoreFailed);
    }
    setBusy(false);
  };
  const titles = isAdmin ? ([texts.missing, texts.deleted] as const) : ([texts.gone, texts.goneNow] as const);
  return (
    <EmptyState
      icon={<SearchX />}
      title={titles[wasSeen ? 1 : 0]}
      action={
        <div className="ui-row ui-middle">
          {isAdmin && (
            <Button variant="default" loading={isBusy} onClick={() => void bringBack()}>
              {texts.restore}
            </Button>
          )}
          <Button variant="default" component={Link} to={paths.dataEntry}>
            {texts.toDataEntry}
          </Button>
        </div>
      }
    />
  );
}
