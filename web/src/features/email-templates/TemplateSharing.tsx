import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/email-templates.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import { ShareDialog } from '../../ui/sharing/ShareDialog.tsx';
import type { Levels, LevelWarning } from '../../ui/sharing/shares.ts';
import { TransferDialog } from '../../ui/sharing/TransferDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { permissionsQuery } from '../permissions/permissions.queries.ts';
import { directoryQuery } from '../users/users.queries.ts';
import { useShareTemplate, useTransferTemplate } from './email-templates.queries.ts';

type Level = EmailTemplateSummary['sharedWith'][number]['permissions'];

const levels: Levels<Level> = [
  { value: 'read', label: sharing.levels.read },
  { value: 'write', label: sharing.levels.write },
];

type DialogProps = { template: EmailTemplateSummary; onClose: () => void };

/** The owner or an administrator chooses who else uses or changes a template. */
export function ShareTemplate({ template, onClose }: DialogProps): ReactNode {
  const directory = useQuery(directoryQuery);
  const warning = useTemplateWarning();
  const { mutateAsync } = useShareTemplate();
  return (
    <ShareDialog
      what={template.name}
      levels={levels}
      directory={directory}
      record={template}
      warning={warning}
      submit={async (sharedWith, version) => {
        await mutateAsync({ id: template._id, sharedWith, version });
        toastDone(sharedWith.length === 0 ? texts.unshared : texts.shared(sharedWith.length));
      }}
      onClose={onClose}
    />
  );
}

/** The owner or an administrator transfers a template to another user. */
export function TransferTemplate({ template, onClose }: DialogProps): ReactNode {
  const directory = useQuery(directoryQuery);
  const { mutateAsync } = useTransferTemplate();
  return (
    <TransferDialog
      what={template.name}
      directory={directory}
      ownerId={template.owner}
      submit={async (transfer) => {
        await mutateAsync({ resourceIds: [template._id], ...transfer });
        toastDone(texts.transferred);
      }}
      onClose={onClose}
    />
  );
}

/** Shows where a user's permission to edit templates and a share differ; only administrators know both. */
function useTemplateWarning(): LevelWarning<Level> {
  const { isAdmin } = usePermissions();
  const { data: records } = useQuery({ ...permissionsQuery, enabled: isAdmin });
  const { data: directory } = useQuery({ ...directoryQuery, enabled: isAdmin });
  return (userId, level) => {
    const record = records?.items.find((item) => item.userId === userId);
    if (!record) return undefined;
    const name = directory?.items.find(({ _id }) => _id === userId)?.name ?? '';
    const isAdmin = record.role === 'admin';
    const opensList = isAdmin || (record.pages.emailTemplates && record.features.manageTemplates);
    const editsAll = isAdmin || record.emailTemplateConfiguration.editTemplates;
    if (level === 'read') return editsAll ? texts.editsAnyway(name) : undefined;
    if (!opensList) return texts.cannotOpenList(name);
    return editsAll ? undefined : texts.editsOnlyThis(name);
  };
}
