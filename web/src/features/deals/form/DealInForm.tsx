import { Suspense, useEffect, useMemo, type ReactNode } from 'react';
import { draftsOf } from '../../../platform/drafts.ts';
import { useStore } from '../../../platform/external-store.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useDataEntry, useRow } from '../data-entry-context.ts';
import { dealInForm, type FormDraft } from '../open-parts.ts';
import { createOtherTabsQuery } from '../sync/tab-sync.ts';

const DealForm = lazyPart(() => import('./DealForm.tsx'));

/**
 * The open form of a new row. It stays when a phone is rotated or the row leaves the view, and is restored after a
 * reload (docs/product/data-entry.md, Nothing typed is lost).
 */
export default function DealInForm(): ReactNode {
  const { deals, userId } = useDataEntry();
  const { rows, table } = deals;
  const forms = useMemo(() => draftsOf<FormDraft>(userId, 'deal-form'), [userId]);
  const open = useStore(dealInForm);
  const key = open?.key;

  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const otherTabs = createOtherTabsQuery('deal-forms', userId, () => {
      const current = dealInForm.get();
      return current && (current.draft?.key ?? 'new');
    });
    const offer = (drafts: readonly FormDraft[]): void => {
      if (dealInForm.get() !== null) return;
      for (const form of drafts) {
        const { deal, key: before } = form.opened;
        const unsaved = rows.get(before) ? before : table.blankKey();
        const at = deal === null ? unsaved : table.keyOf(deal._id);
        if (at === null || !rows.get(at)) continue;
        stop?.();
        return dealInForm.set({ key: at, draft: form });
      }
    };
    const begin = async (): Promise<void> => {
      const all = await forms.all().catch(() => []);
      if (isOver || all.length === 0) return;
      const open = await otherTabs.findOpen();
      if (isOver) return;
      const drafts = all.filter((form) => !open.has(form.key));
      stop = rows.subscribeRecords(() => offer(drafts));
      offer(drafts);
    };
    void begin();
    return () => {
      isOver = true;
      stop?.();
      otherTabs.stop();
      dealInForm.set(null);
    };
  }, [userId, forms, rows, table]);

  useEffect(() => (key === undefined ? undefined : rows.hold(key)), [rows, key]);

  const row = useRow(key ?? '');
  if (!open || !row) return null;
  return (
    <Suspense>
      <DealForm
        key={open.key}
        row={row}
        draft={open.draft}
        preset={open.preset}
        onType={(form) => void forms.save([form]).catch(() => undefined)}
        onClose={(form) => {
          dealInForm.set(null);
          if (form !== null) void forms.delete([form]).catch(() => undefined);
        }}
      />
    </Suspense>
  );
}
