import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import type { UserPermissions } from '@forecourt/contract/permissions';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { ShareDialog } from '../../ui/sharing/ShareDialog.tsx';
import { readAndWrite } from '../../ui/sharing/shares.ts';
import { TransferDialog } from '../../ui/sharing/TransferDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useLevelWarning } from '../permissions/permissions.queries.ts';
import { useShareTemplate, useTransferTemplate } from './email-templates.queries.ts';

type DialogProps = { template: EmailTemplateSummary; onClose: () => void };

/** The owner or an administrator chooses who else uses or changes a template. */
export function ShareTemplate({ template, onClose }: DialogProps): ReactNode {
  const warning = useLevelWarning(warningOf);
  const { mutateAsync } = useShareTemplate();
  return (
    <ShareDialog
      what={template.name}
      levels={readAndWrite}
      record={template}
      warning={warning}
      submit={async (sharedWith, version) => {
        await mutateAsync({ params: { id: template._id }, body: { sharedWith, version } });
        toastDone(sharedWith.length === 0 ? texts.unshared : texts.shared(sharedWith.length));
      }}
      onClose={onClose}
    />
  );
}

/** The owner or an administrator transfers a template to another user. */
export function TransferTemplate({ template, onClose }: DialogProps): ReactNode {
  const { mutateAsync } = useTransferTemplate();
  return (
    <TransferDialog
      what={template.name}
      ownerId={template.owner}
      submit={async (transfer) => {
        await mutateAsync({ body: { resourceIds: [template._id], ...transfer } });
        toastDone(texts.transferred);
      }}
      onClose={onClose}
    />
  );
}

function warningOf(record: UserPermissions, name: string, level: 'read' | 'write'): string | undefined {
  const isAdmin = record.role === 'admin';
  const opensList = isAdmin || (record.pages.emailTemplates && record.features.manageTemplates);
  const editsAll = isAdmin || record.emailTemplateConfiguration.editTemplates;
  if (level === 'read') return editsAll ? texts.editsAnyway(name) : undefined;
  if (!opensList) return texts.cannotOpenList(name);
  return editsAll ? undefined : texts.editsOnlyThis(name);
}
