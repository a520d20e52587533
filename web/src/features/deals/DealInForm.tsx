import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { draftsOf } from '../../platform/drafts.ts';
import { useStore } from '../../platform/external-store.ts';
import { dealInForm, type KeptForm } from './deal-in-form.ts';
import type { DealOptions } from './deal-options.ts';
import { openElsewhere } from './open-elsewhere.ts';
import type { Deals } from './use-deals.ts';

const DealForm = lazy(async () => ({ default: (await import('./DealForm.tsx')).DealForm }));

type DealInFormProps = { deals: Deals; userId: string; options: DealOptions | undefined };

/**
 * The form of the row that somebody has opened on a phone. It stays when the phone is turned, when a colleague's
 * change or another view would take the row away, and comes back after a reload (product section 4, Nothing typed
 * is lost).
 */
export function DealInForm({ deals, userId, options }: DealInFormProps): ReactNode {
  const { rows, table } = deals;
  const forms = useMemo(() => draftsOf<KeptForm>(userId, 'deal-form'), [userId]);
  const open = useStore(dealInForm);
  const key = open?.key;

  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const elsewhere = openElsewhere('deal-forms', userId, () => {
      const shown = dealInForm.get();
      return shown && (rows.get(shown.key)?.deal?._id ?? 'new');
    });
    const offer = (kept: readonly KeptForm[]): void => {
      if (dealInForm.get() !== null) return;
      for (const form of kept) {
        const { deal, key: before } = form.opened;
        const unsaved = rows.get(before) ? before : table.blankKey();
        const at = deal === null ? unsaved : table.keyOf(deal._id);
        if (at === null || !rows.get(at)) continue;
        stop?.();
        return dealInForm.set({ key: at, kept: form });
      }
    };
    const begin = async (): Promise<void> => {
      const all = await forms.all().catch(() => []);
      if (isOver || all.length === 0) return;
      const open = await elsewhere.ask();
      if (isOver) return;
      const kept = all.filter((form) => !open.has(form.key));
      stop = rows.subscribeOrder(() => offer(kept));
      offer(kept);
    };
    void begin();
    return () => {
      isOver = true;
      stop?.();
      elsewhere.stop();
      dealInForm.set(null);
    };
  }, [userId, forms, rows, table]);

  useEffect(() => (key === undefined ? undefined : rows.hold(key)), [rows, key]);

  const row = useSyncExternalStore(
    (listener) => (key === undefined ? () => undefined : rows.subscribeRow(key, listener)),
    () => (key === undefined ? undefined : rows.get(key)),
  );
  if (!open || !row) return null;
  return (
    <Suspense>
      <DealForm
        key={open.key}
        row={row}
        kept={open.kept}
        deals={deals}
        options={options}
        onType={(form) => void forms.keep([form]).catch(() => undefined)}
        onClose={(form) => {
          dealInForm.set(null);
          if (form !== null) void forms.forget([form]).catch(() => undefined);
        }}
      />
    </Suspense>
  );
}
