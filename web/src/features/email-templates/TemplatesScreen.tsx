import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import type { UserPermissions } from '@forecourt/contract/permissions';
import { Button, Anchor } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import FileText from 'lucide-react/icons/file-text';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState, type ReactNode } from 'react';
import { templatesKey, templatesQuery } from '../../platform/directory.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { texts as usageTexts } from '../../texts/template-usage.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { RowAction } from '../../ui/RowAction.tsx';
import { RecordSharing } from '../../ui/sharing/RecordSharing.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { valueColumn, timeColumn } from '../../ui/table/columns.tsx';
import { templateSharing, templateUsesQuery } from './email-templates.queries.ts';
import { DeleteTemplate, UsageDrawer } from './UsageDrawer.tsx';

type ColumnsOptions = {
  /** Returns the number of dealerships; undefined until it is loaded. */
  uses: (id: string) => number | undefined;
  onUsage: (template: EmailTemplateSummary) => void;
};

const columnsOf = ({ uses, onUsage }: ColumnsOptions): readonly DataColumn<EmailTemplateSummary>[] => [
  valueColumn({
    id: 'name',
    header: texts.name,
    wideOnly: false,
    of: ({ name }) => name,
    filter: 'text',
    render: ({ _id, name }) => (
      <Anchor component={Link} to={paths.editTemplate(_id)} fw={550} inherit>
        {name}
      </Anchor>
    ),
  }),
  valueColumn({ id: 'subject', header: texts.subject, of: ({ subject }) => subject, filter: 'text' }),
  valueColumn({
    id: 'owner',
    header: texts.owner,
    width: '160px',
    of: ({ ownerName }) => ownerName,
    filter: 'choice',
  }),
  {
    id: 'uses',
    header: usageTexts.usedBy,
    width: '130px',
    sortBy: ({ _id }) => uses(_id) ?? 0,
    filterBy: { kind: 'number', of: ({ _id }) => uses(_id) ?? null },
    render: (template) => {
      const count = uses(template._id);
      return count === undefined ? null : (
        <Anchor
          component="button"
          type="button"
          inherit
          aria-label={usageTexts.usesOf(template.name, count)}
          onClick={() => onUsage(template)}
        >
          {usageTexts.uses(count)}
        </Anchor>
      );
    },
    wideOnly: true,
  },
  {
    id: 'status',
    header: texts.status,
    width: '100px',
    sortBy: ({ status }) => status,
    filterBy: { kind: 'choice', of: ({ status }) => texts.statusLabels[status] },
    render: ({ status }) => (
      <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>{texts.statusLabels[status]}</StatusBadge>
    ),
  },
  timeColumn({ id: 'updated', header: texts.updated, of: ({ updatedAt }) => updatedAt, filter: 'date' }),
];

type Open = { kind: 'share' | 'transfer' | 'delete' | 'usage'; template: EmailTemplateSummary };

export default function TemplatesScreen(): ReactNode {
  const query = useLiveQuery(templatesQuery, 'email-template', templatesKey);
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const { data: uses } = useLiveQuery(templateUsesQuery, 'dealership');
  const columns = useMemo(() => {
    const counts = new Map(uses?.items.map(({ _id, dealerships }) => [_id, dealerships]));
    return columnsOf({
      uses: (id) => counts.get(id),
      onUsage: (template) => setOpen({ kind: 'usage', template }),
    });
  }, [uses]);

  return (
    <ListScreen
      texts={texts}
      add={
        <Button component={Link} to={paths.newTemplate} leftSection={<Plus />}>
          {texts.newTemplate}
        </Button>
      }
      query={query}
      name="email-templates"
      columns={columns}
      rows={query.data?.items}
      rowKey={({ _id }) => _id}
      rowLabel={({ name }) => name}
      rowActions={(template) => (
        <TemplateActions template={template} onOpen={(kind) => setOpen({ kind, template })} />
      )}
      icon={<FileText />}
    >
      {(open?.kind === 'share' || open?.kind === 'transfer') && (
        <RecordSharing
          kind={open.kind}
          record={open.template}
          texts={texts}
          rightsOf={rightsOf}
          calls={templateSharing}
          onClose={close}
        />
      )}
      {open?.kind === 'usage' && <UsageDrawer template={open.template} onClose={close} />}
      {open?.kind === 'delete' && <DeleteTemplate template={open.template} onClose={close} />}
    </ListScreen>
  );
}

const rightsOf = ({ pages, features, emailTemplateConfiguration }: UserPermissions) => ({
  opensList: pages.emailTemplates && features.manageTemplates,
  editsAll: emailTemplateConfiguration.editTemplates,
});

type TemplateActionsProps = { template: EmailTemplateSummary; onOpen: (kind: Open['kind']) => void };

function TemplateActions({ template: { _id, name, abilities }, onOpen }: TemplateActionsProps): ReactNode {
  const navigate = useNavigate();
  const row = { name, reasons: texts.reasons };
  const edit = (): void => void navigate({ to: paths.editTemplate(_id) });
  return (
    <>
      <RowAction {...row} action="edit" ability={abilities.edit} onClick={edit} />
      <RowAction {...row} action="share" ability={abilities.share} onClick={() => onOpen('share')} />
      <RowAction {...row} action="transfer" ability={abilities.transfer} onClick={() => onOpen('transfer')} />
      <RowAction {...row} action="delete" ability={abilities.delete} onClick={() => onOpen('delete')} />
    </>
  );
}
