import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { texts as usageTexts } from '../../texts/template-usage.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { templateUsageQuery, useDeleteTemplate } from './email-templates.queries.ts';
import { isUsed, TemplateUses } from './TemplateUses.tsx';

type DeleteTemplateProps = { template: EmailTemplateSummary; onClose: () => void };

/** Confirms and deletes. A template in use cannot be deleted: the dialog shows where it is used. */
export function DeleteTemplate({ template, onClose }: DeleteTemplateProps): ReactNode {
  const { _id, name } = template;
  const { mutateAsync } = useDeleteTemplate();
  // If the usage cannot be loaded, the server still refuses.
  const { data: usage, isPending } = useQuery(templateUsageQuery(_id));
  const inUse = usage !== undefined && isUsed(usage);
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirmLabel={texts.delete}
      destructive
      blocked={isPending || inUse}
      failed={texts.deleteFailed}
      onConfirm={async () => {
        await mutateAsync(_id);
        toastDone(texts.deleted);
      }}
      onClose={onClose}
    >
      {isPending && <Loader size={20} aria-label={usageTexts.loading} />}
      {inUse && (
        <>
          <p>{usageTexts.cannotDelete(name)}</p>
          <TemplateUses usage={usage} />
        </>
      )}
      {!isPending && !inUse && (
        <>
          <p>{texts.deleteQuestion}</p>
          <p className="ui-box ui-mt-3">{texts.deleteWhat(name)}</p>
        </>
      )}
    </ConfirmDialog>
  );
}
