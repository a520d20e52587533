import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/email-history.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { emailKey, heldMailQuery, settleHeldMail } from './email-sending.queries.ts';

/** Asks administrators to release or discard parked messages. */
export function HeldMail(): ReactNode {
  const { isAdmin } = usePermissions();
  const client = useQueryClient();
  const { data } = useQuery({ ...heldMailQuery, enabled: isAdmin });
  const [asked, setAsked] = useState<'release' | 'discard' | null>(null);
  const count = data?.total ?? 0;
  if (!isAdmin || count === 0) return null;

  const settle = async (what: 'release' | 'discard'): Promise<void> => {
    const { total } = await settleHeldMail(what);
    toastDone(texts.parked[what].done(total));
    await client.invalidateQueries({ queryKey: emailKey });
  };
  return (
    <div className="ui-mb-3">
      <Notice
        action={
          <>
            <Button variant="default" onClick={() => setAsked('discard')}>
              {texts.parked.discard.button}
            </Button>
            <Button onClick={() => setAsked('release')}>{texts.parked.release.button}</Button>
          </>
        }
      >
        {texts.parked.notice(count)}
      </Notice>
      {asked && (
        <ConfirmDialog
          title={texts.parked[asked].title(count)}
          confirmLabel={texts.parked[asked].button}
          destructive={asked === 'discard'}
          onConfirm={() => settle(asked)}
          onClose={() => setAsked(null)}
        >
          {texts.parked[asked].question}
        </ConfirmDialog>
      )}
    </div>
  );
}
