import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import SearchX from 'lucide-react/icons/search-x';
import { useState, type ReactNode } from 'react';
import { paths } from '../../../platform/paths.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/deal-page.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { toastDone, toastFailed } from '../../../ui/toasts.ts';
import { useDealActions } from '../actions/row-actions.ts';

type GoneDealProps = {
  dealId: string;
  /** Whether it was visible before. */
  wasSeen: boolean;
};

/** A row that does not exist for the viewer. Nothing is hidden from administrators, who may restore it. */
export function GoneDeal({ dealId, wasSeen }: GoneDealProps): ReactNode {
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
