import type { Deal, DealPatch } from '@forecourt/contract/deals';
import { ApiError, errorFromResponse } from '../../../platform/api-error.ts';
import { dealOptionsQuery } from '../../../platform/deal-options.ts';
import { draftsOf, unstoredDrafts } from '../../../platform/drafts.ts';
import { newKey, type NewChangeSet } from '../../../platform/ids.ts';
import { currentPermissions } from '../../../platform/permissions.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { later } from '../../../platform/retry-later.ts';
import { currentSession } from '../../../platform/session.ts';
import { readStored, storageKeys } from '../../../platform/storage-keys.ts';
import { viewing } from '../../../platform/view-as.ts';
import { requiredFields } from '../deal-fields.ts';
import type { Attempt, DealDraft } from '../deal-row.ts';
import { changeDeal, createDeals, freshDeal } from '../deals.queries.ts';
import type { SentRow } from './draft-sending.ts';
import { createDraftSync, type DraftSync } from './draft-sync.ts';
import { bodyOf, changeSetOf } from './draft.ts';
import { createEditorRecovery, type EditorText, type EditorRecovery } from './editor-recovery.ts';
import { createOtherTabsQuery, createTabChannel } from './tab-sync.ts';

/** Throws 401 NOT_SIGNED_IN if the session has ended or belongs to another user. */
function requireSession(userId: string): void {
  const { user, token } = currentSession();
  // Requests use the stored token, which another tab may have replaced before this tab is notified.
  if (user?._id !== userId || readStored(storageKeys.token) !== token)
    throw new ApiError(401, 'Session expired. Please log in again.', 'NOT_SIGNED_IN');
}

/** Changes a row, but only in a session of the draft's owner. */
async function change(userId: string, { dealId }: DealDraft, attempt: Attempt): Promise<Deal> {
  requireSession(userId);
  const body = { ...bodyOf(attempt), version: attempt.version } as DealPatch;
  return changeDeal(dealId!, body, attempt.idempotencyKey, changeSetOf(attempt));
}

/** Creates rows. The idempotency key of an attempt prevents duplicates. */
async function create(
  userId: string,
  rows: readonly SentRow[],
  changeSet: NewChangeSet,
): Promise<(Deal | ApiError)[]> {
  requireSession(userId);
  const permissions = currentPermissions();
  // If the user sees only the current month, the server chooses it.
  const canChooseMonth = !permissions.isLoaded || permissions.can('dataEntry', 'canAccessAllMonths');
  const { items } = await createDeals(
    rows.map(({ draft, attempt }) => ({
      key: attempt.idempotencyKey,
      deal: { ...bodyOf(attempt), ...(canChooseMonth && { month: draft.month }) },
    })),
    changeSet,
  );
  return items.map((item) => {
    if ('deal' in item) return item.deal;
    // A row is refused for good: nothing depends on the status of its code.
    return errorFromResponse(400, item.refusal);
  });
}

type UnsavedWork = { readonly draftSync: DraftSync; readonly editorRecovery: EditorRecovery };

let current: { userId: string; work: UnsavedWork; stop: () => void } | null = null;

/**
 * Returns the draft sync and the editor recovery of the signed-in user. They continue on other screens and restore the
 * work of earlier pages. Those of a previous user are stopped; their drafts stay stored.
 */
export function getUnsavedWork(userId: string): UnsavedWork {
  if (current?.userId === userId) return current.work;
  current?.stop();
  const draftSync = createDraftSync({
    drafts: draftsOf<DealDraft>(userId, 'deal'),
    change: (draft, attempt) => change(userId, draft, attempt),
    find: freshDeal,
    create: (rows, changeSet) => create(userId, rows, changeSet),
    newKey,
    required: () => requiredFields(queryClient.getQueryData(dealOptionsQuery.queryKey)),
    tabs: createTabChannel(userId),
    later,
  });
  const editorRecovery = createEditorRecovery({
    texts: draftsOf<EditorText>(userId, 'deal-text'),
    newKey,
    later,
    findOpenElsewhere: () => otherTabs.findOpen(),
    offer: (left) => draftSync.offer(left),
  });
  const otherTabs = createOtherTabsQuery('deal-texts', userId, editorRecovery.getOpenPage);
  const saved = (key: string, { _id }: Deal): void => editorRecovery.setDealId(key, _id);
  draftSync.subscribe({ onDeal: saved, onDealFromTab: saved });
  const warn = (event: BeforeUnloadEvent): void => {
    const isUnsaved = draftSync.pending.get().length > 0 || unstoredDrafts.get() > 0;
    if (viewing === null && isUnsaved) event.preventDefault();
  };
  const retryNow = (): void => draftSync.retryNow();
  window.addEventListener('online', retryNow);
  window.addEventListener('beforeunload', warn);
  current = {
    userId,
    work: { draftSync, editorRecovery },
    stop() {
      draftSync.stop();
      otherTabs.stop();
      window.removeEventListener('online', retryNow);
      window.removeEventListener('beforeunload', warn);
    },
  };
  // Row drafts are restored first, because an editor's text is restored into the draft of its row.
  void draftSync.restore().then(() => editorRecovery.restore());
  return current.work;
}
