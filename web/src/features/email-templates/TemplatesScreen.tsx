import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import FileText from 'lucide-react/icons/file-text';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash-2';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { abilityText } from '../../ui/ability-text.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { DeleteTemplate } from './DeleteTemplate.tsx';
import { templatesKey, templatesQuery, templateUsesQuery } from './email-templates.queries.ts';
import { templateColumns } from './templates.columns.tsx';
import { ShareTemplate, TransferTemplate } from './TemplateSharing.tsx';
import { UsageDrawer } from './UsageDrawer.tsx';

type Open = { kind: 'share' | 'transfer' | 'delete' | 'usage'; template: EmailTemplateSummary };

/** All templates that the user may use. */
export function TemplatesScreen(): ReactNode {
  const navigate = useNavigate();
  const query = useQuery(templatesQuery);
  const { data } = query;
  useLiveRefresh('email-template', templatesKey);
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const { data: uses } = useQuery(templateUsesQuery);
  const columns = useMemo(() => {
    const counts = new Map(uses?.items.map(({ _id, dealerships }) => [_id, dealerships]));
    return templateColumns(
      (id) => counts.get(id),
      (template) => setOpen({ kind: 'usage', template }),
    );
  }, [uses]);

  const add = (
    <Button component={Link} to={paths.newTemplate} leftSection={<Plus />}>
      {texts.newTemplate}
    </Button>
  );

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} actions={data?.total === 0 ? undefined : add} />
      <Loaded of={query} message={texts.loadFailed}>
        <DataTable
          label={texts.table}
          name="email-templates"
          columns={columns}
          rows={data?.items}
          rowKey={({ _id }) => _id}
          rowLabel={({ name }) => name}
          empty={
            <EmptyState icon={<FileText />} title={texts.empty} action={add}>
              {texts.emptyNext}
            </EmptyState>
          }
          actions={(template) => (
            <>
              <IconAction
                ability={abilityText(template.abilities.edit, texts.reasons)}
                label={texts.rowEdit(template.name)}
                icon={<Pencil />}
                onClick={() => void navigate({ to: paths.editTemplate(template._id) })}
              />
              <IconAction
                ability={abilityText(template.abilities.share, texts.reasons)}
                label={texts.rowShare(template.name)}
                icon={<Share2 />}
                onClick={() => setOpen({ kind: 'share', template })}
              />
              <IconAction
                ability={abilityText(template.abilities.transfer, texts.reasons)}
                label={texts.rowTransfer(template.name)}
                icon={<ArrowRightLeft />}
                onClick={() => setOpen({ kind: 'transfer', template })}
              />
              <IconAction
                ability={abilityText(template.abilities.delete, texts.reasons)}
                label={texts.rowDelete(template.name)}
                icon={<Trash2 />}
                onClick={() => setOpen({ kind: 'delete', template })}
              />
            </>
          )}
        />
      </Loaded>
      {open?.kind === 'share' && <ShareTemplate template={open.template} onClose={close} />}
      {open?.kind === 'transfer' && <TransferTemplate template={open.template} onClose={close} />}
      {open?.kind === 'usage' && <UsageDrawer template={open.template} onClose={close} />}
      {open?.kind === 'delete' && <DeleteTemplate template={open.template} onClose={close} />}
    </Page>
  );
}
